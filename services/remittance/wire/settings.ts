import type {
  Branch as WireBranch,
  Markup as WireMarkup,
  PayoutPoint as WirePoint,
  Promotion as WirePromotion,
} from "../../../proto/gen/remittance/v1/remittance.js";
import { PayoutPointType } from "../../../proto/gen/remittance/v1/remittance.js";
import { toAlpha3 } from "../../shared/countries.js";
import { assertCurrency } from "../../shared/currencies.js";
import type { WirePartial } from "../../shared/grpc/definition.js";
import { moneyFromWire, moneyToWire } from "../../shared/money.js";
import { invalidInput } from "../../shared/refusal.js";
import { maxMarkupBps, type Markup, type MarkupContent } from "../domain/markup.js";
import { promoCodeFromWire, textFromWire } from "./names.js";
import {
  operatorKeyOf,
  pointTypes,
  type Branch,
  type BranchContent,
  type PayoutPoint,
} from "../domain/payout-point.js";
import type { PayoutPointContent, PointType } from "../domain/payout-point.js";
import type { Promotion, PromotionContent } from "../domain/promotion.js";

const codeForm = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
const ownerForm = /^[\w.:-]{1,128}$/;
const whole = 10_000;

/** Refuses INVALID_INPUT. The owner may be empty. */
export function markupFromWire(markup: WireMarkup | undefined): MarkupContent {
  if (markup === undefined) throw invalidInput("markup", "is required");
  const { owner, sendCurrency, receivingCurrency, rateBps, feeBps } = markup;
  if (owner !== "" && !ownerForm.test(owner)) throw invalidInput("markup.owner", "is not an id");
  if ((sendCurrency === "") !== (receivingCurrency === "")) {
    throw invalidInput("markup.receivingCurrency", "is given with sendCurrency or not at all");
  }
  if (sendCurrency !== "") assertCurrency(sendCurrency, "markup.sendCurrency");
  if (receivingCurrency !== "") assertCurrency(receivingCurrency, "markup.receivingCurrency");
  bpsWithin(rateBps, maxMarkupBps, "markup.rateBps");
  bpsWithin(feeBps, maxMarkupBps, "markup.feeBps");
  return { owner, sendCurrency, receivingCurrency, rateBps, feeBps };
}

export const markupToWire = (markup: Markup): WirePartial<WireMarkup> => markup;

/** Refuses INVALID_INPUT. */
export function promotionFromWire(promotion: WirePromotion | undefined): PromotionContent {
  if (promotion === undefined) throw invalidInput("promotion", "is required");
  const { validFrom, validUntil, maxUses, maxUsesPerCustomer, minimum, feeDiscountBps, rateBonusBps } = promotion;
  const { promoCode } = promoCodeFromWire(promotion.code, "promotion.code");
  if (promoCode === undefined) throw invalidInput("promotion.code", "is required");
  bpsWithin(feeDiscountBps, whole, "promotion.feeDiscountBps");
  bpsWithin(rateBonusBps, maxMarkupBps, "promotion.rateBonusBps");
  if (feeDiscountBps + rateBonusBps === 0) throw invalidInput("promotion.feeDiscountBps", "gives nothing");
  if (validFrom === undefined) throw invalidInput("promotion.validFrom", "is required");
  if (validUntil === undefined) throw invalidInput("promotion.validUntil", "is required");
  if (validUntil <= validFrom) throw invalidInput("promotion.validUntil", "must be after validFrom");
  for (const [name, count] of Object.entries({ maxUses, maxUsesPerCustomer })) {
    if (count < 0) throw invalidInput(`promotion.${name}`, "must not be negative");
  }
  return {
    code: promoCode,
    feeDiscountBps,
    rateBonusBps,
    validFrom,
    validUntil,
    ...(maxUses > 0 && { maxUses }),
    ...(maxUsesPerCustomer > 0 && { maxUsesPerCustomer }),
    ...(minimum !== undefined && { minimum: moneyFromWire(minimum, "promotion.minimum") }),
    receivingCountries: promotion.receivingCountries.map((country, index) =>
      toAlpha3(country, `promotion.receivingCountries[${index}]`),
    ),
    enabled: promotion.enabled,
  };
}

export function promotionToWire({ minimum, ...rest }: Promotion, uses = 0): WirePartial<WirePromotion> {
  return { ...rest, uses, ...(minimum !== undefined && { minimum: moneyToWire(minimum) }) };
}

/** The content without its id, which its first version gives. Refuses INVALID_INPUT. */
export function pointFromWire(point: WirePoint | undefined): Omit<PayoutPointContent, "pointId"> {
  if (point === undefined) throw invalidInput("point", "is required");
  const at = (name: string) => `point.${name}`;
  const type = pointTypeFromWire(point.type, at("type"));
  const mobileOperator = textFromWire(point.mobileOperator, at("mobileOperator"), 100, true);
  if (type === "MOBILE_MONEY" && mobileOperator === "") throw invalidInput(at("mobileOperator"), "is required");
  const { minimumMinor, maximumMinor } = point;
  if (minimumMinor < 0n) throw invalidInput(at("minimumMinor"), "must not be negative");
  if (maximumMinor <= 0n) throw invalidInput(at("maximumMinor"), "must be positive");
  if (maximumMinor < minimumMinor) throw invalidInput(at("maximumMinor"), "must not be below minimumMinor");
  return {
    code: codeFromWire(point.code, at("code")),
    name: textFromWire(point.name, at("name"), 200),
    type,
    country: toAlpha3(point.country, at("country")),
    currency: assertCurrency(point.currency, at("currency")),
    address: textFromWire(point.address, at("address"), 300, true),
    city: textFromWire(point.city, at("city"), 100, true),
    openingHours: textFromWire(point.openingHours, at("openingHours"), 300, true),
    mobileOperator,
    operatorKey: operatorKeyOf(mobileOperator),
    minimumMinor,
    maximumMinor,
    allocatedTo: allocationFromWire(point.allocatedTo, at("allocatedTo")),
    partner: textFromWire(point.partner, at("partner"), 100, true),
    enabled: point.enabled,
  };
}

export function pointToWire({ operatorKey: _key, type, ...rest }: PayoutPoint): WirePartial<WirePoint> {
  return { ...rest, type: PayoutPointType[`PAYOUT_POINT_TYPE_${type}`] };
}

/** Refuses INVALID_INPUT. */
export function branchFromWire(branch: WireBranch | undefined): BranchContent {
  if (branch === undefined) throw invalidInput("branch", "is required");
  const at = (name: string) => `branch.${name}`;
  return {
    code: codeFromWire(branch.code, at("code")),
    name: textFromWire(branch.name, at("name"), 200),
    country: toAlpha3(branch.country, at("country")),
    city: textFromWire(branch.city, at("city"), 100, true),
    address: textFromWire(branch.address, at("address"), 300, true),
    phoneNumber: textFromWire(branch.phoneNumber, at("phoneNumber"), 30, true),
    openingHours: textFromWire(branch.openingHours, at("openingHours"), 300, true),
    allocatedTo: allocationFromWire(branch.allocatedTo, at("allocatedTo")),
    enabled: branch.enabled,
  };
}

export const branchToWire = (branch: Branch): WirePartial<WireBranch> => branch;

/** 1 to 100, 20 where nothing is said. Refuses INVALID_INPUT. */
export function pageSizeFromWire(size: number, path = "pageSize"): number {
  if (size === 0) return 20;
  if (size < 0 || size > 100) throw invalidInput(path, "must be 1 to 100");
  return size;
}

function pointTypeFromWire(type: PayoutPointType, path: string): PointType {
  const found = pointTypes.find((name) => type === `PAYOUT_POINT_TYPE_${name}`);
  if (found === undefined) throw invalidInput(path, `must be one of ${pointTypes.join(", ")}`);
  return found;
}

function codeFromWire(code: string, path: string): string {
  if (codeForm.test(code)) return code;
  throw invalidInput(path, 'must be 1 to 64 letters, digits, ".", "_" or "-"');
}

/** TENANT where nothing is said. */
function allocationFromWire(owner: string, path: string): string {
  if (owner === "") return "TENANT";
  if (!ownerForm.test(owner)) throw invalidInput(path, "must be TENANT or an agent's user id");
  return owner;
}

function bpsWithin(bps: number, maximum: number, path: string): void {
  if (bps < 0 || bps > maximum) throw invalidInput(path, `must be 0 to ${maximum}`);
}
