import {
  DeliveryMethod as WireMethod,
  PayoutPointType,
  type ListPayoutPointsRequest,
  type PayoutPoint as WirePoint,
  type PointPricing,
} from "../../../proto/gen/remittance/v1/remittance.js";
import { toAlpha3 } from "../../kernel/codes/countries.js";
import { assertCurrency } from "../../kernel/codes/currencies.js";
import type { WirePartial } from "../../kernel/grpc/definition.js";
import { moneyToWire } from "../../kernel/money.js";
import { invalidInput } from "../../kernel/refusal.js";
import {
  operatorKeyOf,
  pointTypeOf,
  pointTypes,
  type PayoutPoint,
  type PayoutPointContent,
  type PointOffer,
  type PointType,
} from "../domain/payout-point.js";
import { trimmedFromWire } from "../../kernel/text/wire-text.js";
import {
  allocationFromWire,
  categoryFromWire,
  codeFromWire,
  methodFromWire,
  pageSizeFromWire,
  promoCodeFromWire,
} from "./fields.js";
import { amountsFromWire, feeToWire } from "./transactions.js";

/** The content without its id, which its first version gives. Refuses INVALID_INPUT. */
export function pointFromWire(point: WirePoint | undefined): Omit<PayoutPointContent, "pointId"> {
  if (point === undefined) throw invalidInput("point", "is required");
  const at = (name: string) => `point.${name}`;
  const type = pointTypeFromWire(point.type, at("type"));
  const mobileOperator = trimmedFromWire(point.mobileOperator, at("mobileOperator"), 100, true);
  if (type === "MOBILE_MONEY" && mobileOperator === "") throw invalidInput(at("mobileOperator"), "is required");
  const { minimumMinor, maximumMinor } = point;
  if (minimumMinor < 0n) throw invalidInput(at("minimumMinor"), "must not be negative");
  if (maximumMinor <= 0n) throw invalidInput(at("maximumMinor"), "must be positive");
  if (maximumMinor < minimumMinor) throw invalidInput(at("maximumMinor"), "must not be below minimumMinor");
  return {
    code: codeFromWire(point.code, at("code")),
    name: trimmedFromWire(point.name, at("name"), 200),
    type,
    country: toAlpha3(point.country, at("country")),
    currency: assertCurrency(point.currency, at("currency")),
    address: trimmedFromWire(point.address, at("address"), 300, true),
    city: trimmedFromWire(point.city, at("city"), 100, true),
    openingHours: trimmedFromWire(point.openingHours, at("openingHours"), 300, true),
    mobileOperator,
    operatorKey: operatorKeyOf(mobileOperator),
    minimumMinor,
    maximumMinor,
    allocatedTo: allocationFromWire(point.allocatedTo, at("allocatedTo")),
    partner: trimmedFromWire(point.partner, at("partner"), 100, true),
    enabled: point.enabled,
  };
}

export function pointToWire({ operatorKey: _key, type, ...rest }: PayoutPoint): WirePartial<WirePoint> {
  return { ...rest, type: PayoutPointType[`PAYOUT_POINT_TYPE_${type}`] };
}

/** What a list of payout points is asked for. */
export interface PointQuery {
  type?: PointType;
  originCountry: string;
  receivingCountry: string;
  sendCurrency: string;
  receivingCurrency: string;
  /** Empty both where no prices are asked for. */
  sendAmount: string;
  amount: string;
  withoutConversion: boolean;
  category?: string;
  promoCode?: string;
  operator: string;
  size: number;
  after: string;
}

/** `ownCountry` is where a customer sends from who names no origin. Refuses INVALID_INPUT. */
export function pointQueryFromWire(request: ListPayoutPointsRequest, ownCountry: string): PointQuery {
  const { principalCurrency, deriveCurrency, inverse, withoutConversion, originCountry } = request;
  const hasPrincipal = request.principalAmount !== "";
  const hasDerived = request.deriveAmount !== "";
  if (inverse && !hasDerived) throw invalidInput("deriveAmount", "is required with inverseCalculation");
  if (withoutConversion && principalCurrency !== "" && deriveCurrency !== "" && principalCurrency !== deriveCurrency) {
    throw invalidInput("deriveCurrency", "must be principalAmountCurrency where nothing is converted");
  }
  const byPrincipal = hasPrincipal && !inverse;
  for (const currency of [principalCurrency, deriveCurrency]) if (currency !== "") assertCurrency(currency, "currency");
  const amounts = {
    sendAmount: byPrincipal ? request.principalAmount : "",
    amount: hasDerived && !byPrincipal ? request.deriveAmount : "",
  };
  if (amounts.sendAmount !== "" || amounts.amount !== "") {
    amountsFromWire({ ...amounts, sendCurrency: principalCurrency, receivingCurrency: deriveCurrency });
  }
  if (originCountry === "" && ownCountry === "") throw invalidInput("originCountry", "is required");
  return {
    ...(request.type !== WireMethod.DELIVERY_METHOD_UNSPECIFIED && {
      type: pointTypeOf(methodFromWire(request.type, "type")),
    }),
    originCountry: originCountry === "" ? ownCountry : toAlpha3(originCountry, "originCountry"),
    receivingCountry: toAlpha3(request.receivingCountry, "receivingCountry"),
    sendCurrency: principalCurrency,
    receivingCurrency: deriveCurrency,
    ...amounts,
    withoutConversion,
    ...categoryFromWire(request.chargeCategory),
    ...promoCodeFromWire(request.promoCode),
    operator: operatorKeyOf(trimmedFromWire(request.mobileOperator, "mobileOperator", 100, true)),
    size: pageSizeFromWire(request.pageSize),
    after: trimmedFromWire(request.cursor, "cursor", 64, true),
  };
}

export function pricingToWire({ price, deliveryMinutes }: PointOffer): WirePartial<PointPricing> {
  const { principal, receive, rate, fees, total } = price!;
  return {
    principal: moneyToWire(principal),
    derive: moneyToWire(receive),
    exchangeRate: rate,
    fees: fees.map(feeToWire),
    totalAmount: moneyToWire(total),
    deliveryMinutes,
  };
}

function pointTypeFromWire(type: PayoutPointType, path: string): PointType {
  const found = pointTypes.find((name) => type === `PAYOUT_POINT_TYPE_${name}`);
  if (found === undefined) throw invalidInput(path, `must be one of ${pointTypes.join(", ")}`);
  return found;
}
