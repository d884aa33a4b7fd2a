import { formatDecimal, parseDecimal, type Decimal } from "../../kernel/decimal.js";
import { addMoney, formatMoney, money, parseMoney, type Money } from "../../kernel/money.js";
import { invalidInput, Refusal } from "../../kernel/refusal.js";
import {
  deliveryDaysOf,
  deliveryOf,
  standardCategory,
  type Corridor,
  type CorridorContent,
  type DeliveryMethod,
  type PayeeCheckTime,
} from "./corridor.js";
import { customerRate, markupFees, markupParts, type MarkupContent, type MarkupParts } from "./markup.js";
import { priceTransaction, type Price } from "./pricing.js";
import { assertEnough, type Promotion } from "./promotion.js";
import type { CurrencyPair, Rate } from "./rate.js";

/** Which corridor a transfer goes through. */
export interface Way {
  /** Alpha-3. */
  originCountry: string;
  receivingCountry: string;
  /** Empty where the countries leave only one. */
  sendCurrency: string;
  receivingCurrency: string;
}

/** What is asked to be priced; amounts are decimal text, empty where the other one is given. */
export interface OfferQuestion extends Way {
  deliveryMethod: DeliveryMethod;
  sendAmount: string;
  amount: string;
  inclusive: boolean;
  category?: string;
  promoCode?: string;
}

/** For whom: their agent's markup and their use of promotions count. */
export interface OfferCustomer {
  customerId: string;
  agentId: string;
}

/** What is taken off on the way by others, in the receiving currency. */
export interface OtherFee {
  name: string;
  amount: Money;
}

/** What is promised of the way to the recipient, kept with the price. */
export interface DeliveryTerms {
  /** Business days of the receiving country. */
  days: number;
  otherFees: OtherFee[];
}

/** How a price came about, kept with it. */
export interface OfferTerms {
  middleRate: string;
  markup: MarkupParts;
  category?: string;
  promoCode?: string;
  delivery: DeliveryTerms;
}

export interface Offer {
  corridor: Corridor;
  price: Price;
  rateId: string;
  terms: OfferTerms;
  deliveryMinutes: number;
  /** OFF where absent. */
  payeeCheck?: PayeeCheckTime;
}

/** What all prices of one corridor, customer and moment are made from. */
export interface PriceBasis {
  corridor: Corridor;
  middle: Decimal;
  rateId: string;
  markups: MarkupContent[];
  promotion?: Promotion;
}

export const nobody: OfferCustomer = { customerId: "", agentId: "" };

/** One price. Refuses PROMO_CODE_INVALID, INVALID_INPUT and what pricing refuses. */
export function priceOn(
  { corridor, middle, rateId, markups, promotion }: PriceBasis,
  question: Omit<OfferQuestion, keyof Way>,
  { agentId }: OfferCustomer,
): Offer {
  const { deliveryMethod, amount, sendAmount, inclusive, category } = question;
  if (category !== undefined) assertCategory(category, corridor);
  const markup = markupParts(markups, corridor, agentId, promotion?.rateBonusBps);
  const price = priceTransaction(
    {
      ...(sendAmount !== "" && { sendAmount: parseMoney(sendAmount, corridor.sendCurrency, "sendAmount") }),
      ...(amount !== "" && { receiveAmount: parseMoney(amount, corridor.receivingCurrency, "amount") }),
      inclusive,
      deliveryMethod,
      ...(category !== undefined && { category }),
      ...(promotion !== undefined && { feeDiscountBps: promotion.feeDiscountBps }),
    },
    { ...corridor, fees: [...corridor.fees, ...markupFees(markup)] },
    customerRate(middle, markup),
  );
  if (promotion !== undefined) assertEnough(promotion, price.principal);
  const way = deliveryOf(corridor, deliveryMethod);
  return {
    corridor,
    price,
    rateId,
    terms: {
      middleRate: formatDecimal(middle),
      markup,
      ...(category !== undefined && { category }),
      ...(promotion !== undefined && { promoCode: promotion.code }),
      delivery: { days: deliveryDaysOf(way), otherFees: otherFeesOf(corridor, deliveryMethod, price) },
    },
    deliveryMinutes: way.estimateMinutes,
    ...(way.payeeCheck !== undefined && { payeeCheck: way.payeeCheck }),
  };
}

/** Refuses AMOUNT_OUT_OF_LIMITS where they would leave nothing. */
function otherFeesOf({ otherFees = [] }: CorridorContent, method: DeliveryMethod, { receive }: Price): OtherFee[] {
  const { currency } = receive;
  const fees = otherFees
    .filter(({ deliveryMethods }) => deliveryMethods.length === 0 || deliveryMethods.includes(method))
    .map(({ name, amountMinor }) => ({ name, amount: money(amountMinor, currency) }));
  const total = fees.reduce((sum, { amount }) => addMoney(sum, amount), money(0n, currency));
  if (total.minor < receive.minor || total.minor === 0n) return fees;
  const taken = `${formatMoney(total)} ${total.currency}`;
  throw new Refusal("AMOUNT_OUT_OF_LIMITS", `the amount is too small: others on the way take ${taken}`);
}

/**
 * The corridors that a way names and that are switched on, at least one. `between` are all that
 * join its two countries. Refuses CORRIDOR_NOT_FOUND, CORRIDOR_DISABLED.
 */
export function openCorridors(way: Way, between: readonly Corridor[]): [Corridor, ...Corridor[]] {
  const { originCountry, receivingCountry, sendCurrency, receivingCurrency } = way;
  const found = between.filter(
    (one) =>
      (sendCurrency === "" || one.sendCurrency === sendCurrency) &&
      (receivingCurrency === "" || one.receivingCurrency === receivingCurrency),
  );
  const named = [originCountry, sendCurrency, "to", receivingCountry, receivingCurrency].filter(Boolean).join(" ");
  if (found.length === 0) throw new Refusal("CORRIDOR_NOT_FOUND", `there is no corridor from ${named}`);
  const [first, ...others] = found.filter(({ enabled }) => enabled);
  if (first === undefined) throw new Refusal("CORRIDOR_DISABLED", `the corridor from ${named} is switched off`);
  return [first, ...others];
}

/**
 * The one open corridor of a way. Refuses INVALID_INPUT where there are more, and as openCorridors.
 */
export function soleCorridor(way: Way, between: readonly Corridor[]): Corridor {
  const [corridor, ...others] = openCorridors(way, between);
  if (others.length > 0) {
    const path = way.sendCurrency === "" ? "sendCurrency" : "receivingCurrency";
    throw invalidInput(path, "is required: more than one corridor joins these countries");
  }
  return corridor;
}

/** Refuses CORRIDOR_DISABLED. */
export function assertDelivers(corridor: CorridorContent, method: DeliveryMethod): void {
  if (corridor.deliveryMethods.includes(method)) return;
  const { originCountry, sendCurrency, receivingCountry, receivingCurrency } = corridor;
  const named = `${originCountry} ${sendCurrency} to ${receivingCountry} ${receivingCurrency}`;
  throw new Refusal("CORRIDOR_DISABLED", `the corridor from ${named} does not deliver by ${method}`);
}

function assertCategory(category: string, { fees }: Corridor): void {
  const known = new Set([standardCategory, ...fees.flatMap((fee) => fee.category ?? [])]);
  if (!known.has(category)) throw invalidInput("chargeCategory", `must be one of ${[...known].join(", ")}`);
}

/** The middle rate that holds. Refuses RATE_NOT_AVAILABLE. A currency with itself needs no rate. */
export function middleRateOf(
  { sendCurrency, receivingCurrency }: CurrencyPair,
  found: Pick<Rate, "rate" | "rateId"> | undefined,
): { middle: Decimal; rateId: string } {
  if (found !== undefined) return { middle: parseDecimal(found.rate), rateId: found.rateId };
  if (sendCurrency === receivingCurrency) return { middle: parseDecimal("1"), rateId: "" };
  throw new Refusal("RATE_NOT_AVAILABLE", `there is no rate from ${sendCurrency} to ${receivingCurrency}`);
}
