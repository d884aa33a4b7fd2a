import type {
  Beneficiary as WireBeneficiary,
  Corridor as WireCorridor,
  CreateBeneficiaryRequest,
  PutCorridorRequest,
  PutRateRequest,
} from "../../../proto/gen/remittance/v1/remittance.js";
import { isCountry, toAlpha3 } from "../../shared/countries.js";
import { assertCurrency } from "../../shared/currencies.js";
import { formatDecimal, parseDecimal } from "../../shared/decimal.js";
import type { WirePartial } from "../../shared/grpc/definition.js";
import { invalidInput } from "../../shared/refusal.js";
import { hasHiddenCharacters } from "../../shared/visible-text.js";
import { accountOf, nameOf, type Beneficiary } from "../domain/beneficiary.js";
import { checkCorridor, type Corridor, type CorridorContent } from "../domain/corridor.js";
import { checkAccount } from "../domain/account-checks.js";
import { checkCreditParty, type KeyValue } from "../domain/credit-party.js";
import { maskedParty, unmaskedParty } from "../store/sealed-party.js";
import { idFromWire, methodFromWire, methodToWire, methodsFromWire, pairsFromWire, textFromWire } from "./names.js";
import type { Rate } from "../store/index.js";

const maxRateDigits = 12;

/** Refuses INVALID_INPUT naming every fault. */
export function corridorFromWire({ corridor }: PutCorridorRequest): CorridorContent {
  if (corridor === undefined) throw invalidInput("corridor", "is required");
  const { version: _version, deliveries, ...content } = corridor;
  const checked = checkCorridor({
    ...content,
    deliveryMethods: methodsFromWire(corridor.deliveryMethods, "corridor.deliveryMethods"),
    fees: corridor.fees.map(({ tiers, category, ...fee }, index) => ({
      ...withoutUndefined(fee),
      ...(tiers.length > 0 && { tiers }),
      ...(category !== "" && { category }),
      deliveryMethods: methodsFromWire(fee.deliveryMethods, `corridor.fees[${index}].deliveryMethods`),
    })),
    ...(deliveries.length > 0 && {
      deliveries: deliveries.map((delivery, index) => ({
        ...withoutUndefined(delivery),
        method: methodFromWire(delivery.method, `corridor.deliveries[${index}].method`),
      })),
    }),
  });
  const country = (text: string) => (isCountry(text) ? toAlpha3(text, "corridor") : text);
  return {
    ...checked,
    originCountry: country(checked.originCountry),
    receivingCountry: country(checked.receivingCountry),
  };
}

type Limited = { minimumMinor?: bigint | undefined; maximumMinor?: bigint | undefined };

/** Optional limits of a message as absent members. */
function withoutUndefined<T extends Limited>({ minimumMinor, maximumMinor, ...rest }: T) {
  return {
    ...rest,
    ...(minimumMinor !== undefined && { minimumMinor }),
    ...(maximumMinor !== undefined && { maximumMinor }),
  };
}

export function corridorToWire(corridor: Corridor): WirePartial<WireCorridor> {
  return {
    ...corridor,
    deliveries: (corridor.deliveries ?? []).map((delivery) => ({ ...delivery, method: methodToWire(delivery.method) })),
    deliveryMethods: corridor.deliveryMethods.map(methodToWire),
    fees: corridor.fees.map((fee) => ({ ...fee, deliveryMethods: fee.deliveryMethods.map(methodToWire) })),
  };
}

/** A rate before it has its place among those of its pair. */
export type NewRate = Omit<Rate, "rateId" | "sequence" | "createdAt" | "createdBy">;

// Clocks of those who put rates are not ours.
const mayLagMs = 60_000;

/** Refuses INVALID_INPUT, also for a rate that would hold from before now: prices of the past are told. */
export function rateFromWire(request: PutRateRequest, now: Date): NewRate {
  const rate = parseDecimal(request.rate, "rate");
  if (rate.digits === 0n) throw invalidInput("rate", "must be greater than zero");
  if (rate.digits.toString().replace(/0+$/, "").length > maxRateDigits) {
    throw invalidInput("rate", `must have at most ${maxRateDigits} significant digits`);
  }
  const { validFrom = now, validUntil } = request;
  if (validFrom.getTime() < now.getTime() - mayLagMs) throw invalidInput("validFrom", "must not be in the past");
  if (validUntil !== undefined && validUntil <= validFrom) throw invalidInput("validUntil", "must be after validFrom");
  return {
    validFrom,
    ...(validUntil !== undefined && { validUntil }),
    sendCurrency: assertCurrency(request.sendCurrency, "sendCurrency"),
    receivingCurrency: assertCurrency(request.receivingCurrency, "receivingCurrency"),
    rate: formatDecimal(rate),
    source: textFromWire(request.source, "source", 100, true),
  };
}

const codeForm = /^[A-Za-z0-9][A-Za-z0-9._-]{0,39}$/;

export type NewBeneficiary = BeneficiaryContent & Pick<Beneficiary, "code" | "customerId">;

/** With an empty code where none is chosen. Refuses INVALID_INPUT, CREDIT_PARTY_INVALID. */
export function beneficiaryFromWire(request: CreateBeneficiaryRequest): NewBeneficiary {
  if (request.code !== "" && !codeForm.test(request.code)) {
    throw invalidInput("code", 'must be 1 to 40 letters, digits, ".", "_" or "-"');
  }
  const customerId = idFromWire(request.customerId, "customerId");
  return { code: request.code, customerId, ...beneficiaryContentFromWire(request) };
}

/** What may be changed of a recipient. */
export type BeneficiaryContent = Pick<
  Beneficiary,
  "firstName" | "lastName" | "country" | "currency" | "deliveryMethods" | "creditParty" | "relationship"
>;

/** `stored` are the details on file, which a change may repeat as they were shown. Refuses INVALID_INPUT, CREDIT_PARTY_INVALID. */
export function beneficiaryContentFromWire(
  request: Omit<CreateBeneficiaryRequest, "idempotencyKey" | "customerId" | "code">,
  stored: readonly KeyValue[] = [],
): BeneficiaryContent {
  const methods = methodsFromWire(request.deliveryMethods, "deliveryMethods");
  if (methods.length === 0) throw invalidInput("deliveryMethods", "must name at least one");
  const firstName = textFromWire(request.firstName, "firstName", 100, true);
  const lastName = textFromWire(request.lastName, "lastName", 100, true);
  for (const [path, name] of Object.entries({ firstName, lastName })) {
    if (hasHiddenCharacters(name)) throw invalidInput(path, "must not have characters that nobody sees");
  }
  if (firstName === "" && lastName === "") throw invalidInput("lastName", "a first or a last name is required");
  const country = toAlpha3(request.country, "country");
  const currency = assertCurrency(request.currency, "currency");
  const creditParty = checkCreditParty(unmaskedParty(pairsFromWire(request.creditParty), stored), methods);
  checkAccount(creditParty, methods, country);
  return {
    firstName,
    lastName,
    country,
    currency,
    deliveryMethods: methods,
    creditParty,
    relationship: textFromWire(request.relationship, "relationship", 100, true),
  };
}

export function beneficiaryToWire(beneficiary: Beneficiary): WirePartial<WireBeneficiary> {
  const { createdBy: _by, changedAt: _at, changedBy: _changedBy, removedAt: _removedAt, ...shown } = beneficiary;
  return {
    ...shown,
    creditParty: maskedParty(beneficiary.creditParty),
    ...accountOf(beneficiary),
    name: nameOf(beneficiary),
    deliveryMethods: beneficiary.deliveryMethods.map(methodToWire),
  };
}
