import {
  basisPoints,
  divideMoney,
  formatDecimal,
  multiplyMoney,
  type Decimal,
  type Rounding,
} from "../shared/decimal.js";
import { addMoney, formatMoney, money, subtractMoney, type Money } from "../shared/money.js";
import { Refusal } from "../shared/refusal.js";
import type { CorridorContent, DeliveryMethod, FeeRule } from "./corridor.js";

/**
 * Every rounding of a price, by its step (docs/decisions/0005-pricing.md). Exchange never pays out a fraction that was not
 * paid in, and the way back asks for the least that pays out what is wanted, so that the two directions agree.
 */
export const roundings = {
  /** Principal × rate → what the recipient gets. */
  exchange: "down",
  /** What the recipient gets ÷ rate → principal. */
  exchangeBack: "up",
  /** Basis points of the principal → fee. */
  fee: "half-up",
  /** Basis points of one fee → its tax. */
  tax: "half-up",
} as const satisfies Record<string, Rounding>;

/** What a customer asks to be priced. At least one amount; the send amount governs. */
export interface PriceQuestion {
  sendAmount?: Money;
  receiveAmount?: Money;
  /** The fees and their taxes are inside the send amount. */
  inclusive: boolean;
  deliveryMethod: DeliveryMethod;
}

export interface PricedFee {
  name: string;
  amount: Money;
  tax: Money;
}

/** principal + totalFees + totalTaxes = total, always, to the minor unit. */
export interface Price {
  /** What is exchanged. */
  principal: Money;
  /** Fees that are not zero, in the corridor's order. */
  fees: PricedFee[];
  totalFees: Money;
  totalTaxes: Money;
  /** What the sender pays. */
  total: Money;
  /** What the recipient gets. */
  receive: Money;
  /** Units of the receiving currency for one of the send currency, decimal text. */
  rate: string;
  inclusive: boolean;
}

type Corridor = Pick<CorridorContent, "sendCurrency" | "receivingCurrency" | "fees" | "minimumMinor" | "maximumMinor">;

/**
 * Prices a transaction. Refuses AMOUNT_NOT_POSITIVE, AMOUNT_OUT_OF_LIMITS naming the limit, AMOUNT_MISMATCH when the receive
 * amount that is given too differs from the priced one by more than one minor unit, AMOUNT_TOO_LARGE beyond int64.
 */
export function priceTransaction(question: PriceQuestion, corridor: Corridor, rate: Decimal): Price {
  const { sendAmount, receiveAmount, inclusive } = question;
  for (const amount of [sendAmount, receiveAmount]) {
    if (amount !== undefined && amount.minor <= 0n) {
      throw new Refusal("AMOUNT_NOT_POSITIVE", "the amount must be greater than zero");
    }
  }
  const fees = corridor.fees.filter(
    ({ deliveryMethods }) => deliveryMethods.length === 0 || deliveryMethods.includes(question.deliveryMethod),
  );
  const bySend = sendAmount !== undefined;
  const principal = bySend
    ? principalOf(sendAmount, inclusive, fees, corridor)
    : divideMoney(receiveAmount!, rate, corridor.sendCurrency, roundings.exchangeBack);
  assertWithinLimits(principal, corridor);

  const price = assemble(principal, inclusive && bySend ? sendAmount : undefined, fees);
  const exchanged = multiplyMoney(price.principal, rate, corridor.receivingCurrency, roundings.exchange);
  if (bySend && receiveAmount !== undefined) assertAgrees(receiveAmount, exchanged);
  // Where the receive amount governs the recipient gets exactly that; less than one minor unit of the send currency is left over.
  const receive = bySend ? exchanged : receiveAmount!;
  if (receive.minor <= 0n) {
    throw new Refusal("AMOUNT_OUT_OF_LIMITS", "the amount is too small: nothing would be left for the recipient");
  }
  return { ...price, receive, rate: formatDecimal(rate), inclusive };
}

/** One fee and its tax on a principal. */
export function priceFee(fee: FeeRule, principal: Money): PricedFee {
  const { minor } = basisPoints(principal, BigInt(fee.rateBps), roundings.fee);
  const asked = fee.fixedMinor + minor;
  const atLeast = fee.minimumMinor !== undefined && asked < fee.minimumMinor ? fee.minimumMinor : asked;
  const atMost = fee.maximumMinor !== undefined && atLeast > fee.maximumMinor ? fee.maximumMinor : atLeast;
  const amount = money(atMost, principal.currency);
  return { name: fee.name, amount, tax: basisPoints(amount, BigInt(fee.taxBps), roundings.tax) };
}

function principalOf(sendAmount: Money, inclusive: boolean, fees: FeeRule[], corridor: Corridor): Money {
  if (!inclusive) return sendAmount;
  const principal = largestPrincipalWithin(sendAmount, fees);
  if (principal !== undefined && principal.minor > 0n) return principal;
  throw outOfLimits(corridor, `the fees leave nothing of ${formatMoney(sendAmount)} ${sendAmount.currency}`);
}

/**
 * The largest principal whose cost, fees and taxes included, is within the total. The cost rises with the principal,
 * strictly, so a binary search finds it; undefined where the fees alone cost more.
 */
function largestPrincipalWithin(total: Money, fees: FeeRule[]): Money | undefined {
  const fits = (minor: bigint) => costMinor({ minor, currency: total.currency }, fees) <= total.minor;
  if (!fits(0n)) return undefined;
  let low = 0n;
  let high = total.minor;
  while (low < high) {
    const middle = (low + high + 1n) / 2n;
    if (fits(middle)) low = middle;
    else high = middle - 1n;
  }
  return { minor: low, currency: total.currency };
}

function costMinor(principal: Money, fees: FeeRule[]): bigint {
  return fees.reduce((sum, fee) => {
    const { amount, tax } = priceFee(fee, principal);
    return sum + amount.minor + tax.minor;
  }, principal.minor);
}

/**
 * Adds the parts up. With a total to stay within, the few minor units by which fees and taxes round past it
 * (a larger principal would cost too much, this one costs less) go to the principal: the customer's side.
 */
function assemble(
  principal: Money,
  within: Money | undefined,
  rules: FeeRule[],
): Omit<Price, "receive" | "rate" | "inclusive"> {
  const fees = rules.map((rule) => priceFee(rule, principal)).filter(({ amount }) => amount.minor > 0n);
  const zero = money(0n, principal.currency);
  const totalFees = fees.reduce((sum, { amount }) => addMoney(sum, amount), zero);
  const totalTaxes = fees.reduce((sum, { tax }) => addMoney(sum, tax), zero);
  const charges = addMoney(totalFees, totalTaxes);
  if (within === undefined) return { principal, fees, totalFees, totalTaxes, total: addMoney(principal, charges) };
  return { principal: subtractMoney(within, charges), fees, totalFees, totalTaxes, total: within };
}

function assertWithinLimits(principal: Money, corridor: Corridor): void {
  if (principal.minor < corridor.minimumMinor || principal.minor > corridor.maximumMinor) {
    throw outOfLimits(corridor, `${formatMoney(principal)} ${principal.currency} would be exchanged`);
  }
}

function outOfLimits(corridor: Corridor, what: string): Refusal {
  const { sendCurrency } = corridor;
  const minimum = formatMoney(money(corridor.minimumMinor, sendCurrency));
  const maximum = formatMoney(money(corridor.maximumMinor, sendCurrency));
  const message = `${what}, and the limits are ${minimum} to ${maximum} ${sendCurrency}`;
  return new Refusal("AMOUNT_OUT_OF_LIMITS", message, { figures: { minimum, maximum, currency: sendCurrency } });
}

function assertAgrees(given: Money, priced: Money): void {
  const difference = given.minor - priced.minor;
  if (difference >= -1n && difference <= 1n) return;
  const text = formatMoney(priced);
  const message = `the send amount prices to ${text} ${priced.currency}, not ${formatMoney(given)}`;
  throw new Refusal("AMOUNT_MISMATCH", message, { figures: { amount: text, currency: priced.currency } });
}
