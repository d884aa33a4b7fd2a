import { summaryOf as summaryNaming } from "../../platform/approvals/approval-changes.js";
import { formatMoney, money } from "../../kernel/money.js";
import type { AskedChange } from "./asked-change.js";
import { deliveryOf, type CorridorContent, type CorridorKey } from "./corridor.js";

/** What needs a second person. */
export type ChangeKind = "LIMIT_CHANGE" | "PARTNER_CHANGE" | "CORRIDOR_CHANGE";

/**
 * What one person asks to hold, and the version that it is to follow: 0 for a corridor that is new.
 */
export interface CorridorInput {
  content: CorridorContent;
  basedOn: number;
}

/** Changes of corridors that wait for a second person. */
export interface CorridorChange extends AskedChange {
  corridors: CorridorInput[];
}

/**
 * Whether a change of a corridor needs a second person, and as what; undefined where one is enough.
 * A new corridor always does: it sets limits. An agent manages corridors with a manager, whatever
 * changes; for others it is limits, partners and whether payees are checked.
 */
export function kindOfChange(
  held: CorridorContent | undefined,
  requested: CorridorContent,
  isAgent: boolean,
): ChangeKind | undefined {
  if (isAgent || held === undefined) return "CORRIDOR_CHANGE";
  const methods = requested.deliveryMethods.map(
    (method) => [deliveryOf(held, method), deliveryOf(requested, method)] as const,
  );
  const limits = [[held, requested] as const, ...methods];
  const hasOtherLimits = limits.some(
    ([before, after]) => before.minimumMinor !== after.minimumMinor || before.maximumMinor !== after.maximumMinor,
  );
  if (hasOtherLimits) return "LIMIT_CHANGE";
  if (methods.some(([before, after]) => before.partner !== after.partner)) return "PARTNER_CHANGE";
  return methods.some(([before, after]) => before.payeeCheck !== after.payeeCheck) ? "CORRIDOR_CHANGE" : undefined;
}

export function nameOfCorridor(key: CorridorKey): string {
  const { originCountry, sendCurrency, receivingCountry, receivingCurrency } = key;
  return `${originCountry}-${sendCurrency}-${receivingCountry}-${receivingCurrency}`;
}

/** One line for whoever decides about it. */
export function summaryOf(corridors: readonly CorridorInput[]): string {
  const [{ content }, ...others] = corridors as [CorridorInput, ...CorridorInput[]];
  const { sendCurrency, minimumMinor, maximumMinor, deliveryMethods } = content;
  const range = (minimum: bigint, maximum: bigint) =>
    `${formatMoney(money(minimum, sendCurrency))} to ${formatMoney(money(maximum, sendCurrency))} ${sendCurrency}`;
  const own = deliveryMethods.flatMap((method) => {
    const { partner, minimumMinor: least, maximumMinor: most } = deliveryOf(content, method);
    const limits =
      least === undefined && most === undefined ? [] : [range(least ?? minimumMinor, most ?? maximumMinor)];
    const terms = [...(partner === "" ? [] : [`by ${partner}`]), ...limits];
    return terms.length === 0 ? [] : [`${method} ${terms.join(" ")}`];
  });
  const end = others.length === 0 ? "" : `; and ${others.length} more corridors`;
  return summaryNaming(`${nameOfCorridor(content)}:`, [range(minimumMinor, maximumMinor), ...own], end);
}
