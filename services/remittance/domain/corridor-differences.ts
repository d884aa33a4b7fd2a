import { amountChangeOf, changeOf, type ApprovalChange } from "../../platform/approvals/approval-changes.js";
import { formatMoney, money } from "../../kernel/money.js";
import { nameOfCorridor, type CorridorInput } from "./corridor-change.js";
import type { CorridorContent } from "./corridor.js";

type Value = bigint | string | undefined;

/** What would differ of each corridor, with its name before the field where there are several. */
export function differencesOf(
  requested: readonly CorridorInput[],
  held: ReadonlyMap<string, CorridorContent>,
): ApprovalChange[] {
  return requested.flatMap(({ content }) => {
    const name = nameOfCorridor(content);
    const of = requested.length === 1 ? "" : `${name}.`;
    const [before, after] = [valuesOf(held.get(name)), valuesOf(content)];
    return [...new Set([...before.keys(), ...after.keys()])].flatMap((field) =>
      differenceOf(`${of}${field}`, before.get(field), after.get(field), content.sendCurrency),
    );
  });
}

function differenceOf(field: string, before: Value, after: Value, currency: string): ApprovalChange[] {
  return typeof before === "string" || typeof after === "string"
    ? changeOf(field, before?.toString(), after?.toString())
    : amountChangeOf(field, before, after, currency);
}

/** By the API's names; amounts are bigint, minor units of the send currency. */
function valuesOf(content: CorridorContent | undefined): Map<string, Value> {
  if (content === undefined) return new Map();
  const { deliveryMethods, minimumMinor, maximumMinor, enabled, fees, otherFees = [], deliveries = [] } = content;
  const received = (minor: bigint) =>
    `${formatMoney(money(minor, content.receivingCurrency))} ${content.receivingCurrency}`;
  return new Map<string, Value>([
    ["types", deliveryMethods.join(", ")],
    ["minimumAmount", minimumMinor],
    ["maximumAmount", maximumMinor],
    ["enabled", String(enabled)],
    ...fees.flatMap((fee, index) => under(`fees.${index}`, valuesOfFee(fee))),
    ...otherFees.flatMap(({ name, amountMinor, deliveryMethods: types }, index) =>
      under(`otherFees.${index}`, [
        ["name", name],
        ["amount", received(amountMinor)],
        ["types", types.join(", ")],
      ]),
    ),
    ...deliveries.flatMap(({ method, ...delivery }) =>
      under(`deliveries.${method}`, [
        ["partner", delivery.partner],
        ["estimateMinutes", String(delivery.estimateMinutes)],
        ["deliveryDays", delivery.deliveryDays?.toString()],
        ["minimumAmount", delivery.minimumMinor],
        ["maximumAmount", delivery.maximumMinor],
        ["payeeCheck", delivery.payeeCheck],
      ]),
    ),
  ]);
}

function valuesOfFee(fee: CorridorContent["fees"][number]): [string, Value][] {
  return [
    ["name", fee.name],
    ["fixed", fee.fixedMinor],
    ["rateBps", String(fee.rateBps)],
    ["minimum", fee.minimumMinor],
    ["maximum", fee.maximumMinor],
    ["taxBps", String(fee.taxBps)],
    ["types", fee.deliveryMethods.join(", ")],
    ["chargeCategory", fee.category],
    ...(fee.tiers ?? []).flatMap((tier, index) =>
      under(`tiers.${index}`, [
        ["from", tier.fromMinor],
        ["fixed", tier.fixedMinor],
        ["rateBps", String(tier.rateBps)],
      ]),
    ),
  ];
}

function under(path: string, values: readonly [string, Value][]): [string, Value][] {
  return values.map(([field, value]) => [`${path}.${field}`, value]);
}
