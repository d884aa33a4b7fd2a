import { divideMoney, formatDecimal, multiplyMoney, type Decimal } from "../../kernel/decimal.js";
import { addMoney, formatMoney, maxInt64, money, type Money } from "../../kernel/money.js";
import { Refusal } from "../../kernel/refusal.js";
import { deliveryOf, type CorridorContent, type DeliveryMethod } from "./corridor.js";
import { chargesOn, rulesFor, segmentsOf, type FeeSchedule, type PricedFee, type Segment } from "./fees.js";
import { roundings } from "./roundings.js";

export type { PricedFee } from "./fees.js";
export { roundings } from "./roundings.js";

/** What a customer asks to be priced. At least one amount; the send amount governs. */
export interface PriceQuestion {
  sendAmount?: Money;
  receiveAmount?: Money;
  /** The fees and their taxes are inside the send amount. */
  inclusive: boolean;
  deliveryMethod: DeliveryMethod;
  /** The charge category whose fees are taken; the standard one where absent. */
  category?: string;
  /** What a promotion takes off every fee. */
  feeDiscountBps?: number;
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

export type PricedCorridor = Pick<
  CorridorContent,
  "sendCurrency" | "receivingCurrency" | "fees" | "minimumMinor" | "maximumMinor" | "deliveries"
>;

/** A principal and the one that its fees are those of: at most a few minor units below it. */
interface Basis {
  principal: Money;
  chargedOn: Money;
}

/**
 * Prices a transaction. Refuses AMOUNT_NOT_POSITIVE, AMOUNT_OUT_OF_LIMITS naming the limit,
 * AMOUNT_MISMATCH when the receive amount that is given too differs from the priced one by more
 * than one minor unit, AMOUNT_TOO_LARGE beyond int64.
 */
export function priceTransaction(question: PriceQuestion, corridor: PricedCorridor, rate: Decimal): Price {
  const { sendAmount, receiveAmount, inclusive, deliveryMethod, category } = question;
  for (const amount of [sendAmount, receiveAmount]) {
    if (amount !== undefined && amount.minor <= 0n) {
      throw new Refusal("AMOUNT_NOT_POSITIVE", "the amount must be greater than zero");
    }
  }
  const schedule = {
    rules: rulesFor(corridor.fees, deliveryMethod, category),
    discountBps: BigInt(question.feeDiscountBps ?? 0),
  };
  const limits = limitsOf(corridor, deliveryMethod);
  const bySend = sendAmount !== undefined;
  const basis = bySend
    ? basisOfSend(sendAmount, inclusive, schedule, limits)
    : basisOfReceive(principalsFor(receiveAmount!, rate, corridor.sendCurrency), schedule, limits);
  assertWithinLimits(basis.principal, limits);

  const price = assemble(basis, schedule);
  const exchanged = multiplyMoney(price.principal, rate, corridor.receivingCurrency, roundings.exchange);
  if (bySend && receiveAmount !== undefined) assertAgrees(receiveAmount, exchanged);
  // Where the receive amount governs the recipient gets exactly that; less than one minor unit of
  // the send currency is left over.
  const receive = bySend ? exchanged : receiveAmount!;
  if (receive.minor <= 0n) {
    throw new Refusal("AMOUNT_OUT_OF_LIMITS", "the amount is too small: nothing would be left for the recipient");
  }
  return { ...price, receive, rate: formatDecimal(rate), inclusive };
}

function basisOfSend(sendAmount: Money, inclusive: boolean, schedule: FeeSchedule, limits: Limits): Basis {
  if (!inclusive) return { principal: sendAmount, chargedOn: sendAmount };
  const found = largestWithin(sendAmount, schedule);
  if (found !== undefined && found.chargedOn.minor > 0n) return found;
  throw outOfLimits(limits, `the fees leave nothing of ${formatMoney(sendAmount)} ${sendAmount.currency}`);
}

/**
 * The largest principal whose cost, fees and taxes included, is within the total. Where a little is
 * left over (a larger principal would cost too much, this one costs less), it goes to the
 * principal: the customer's side. At the end of a fee's tier the principal stops, and the total
 * asked for is less than the one given.
 */
function largestWithin({ minor: total, currency }: Money, schedule: FeeSchedule): Basis | undefined {
  const costOf = (minor: bigint) => minor + chargesOn({ minor, currency }, schedule).minor;
  for (const { from, to } of segmentsOf(schedule.rules).toReversed()) {
    if (from > total || costOf(from) > total) continue;
    let low = from;
    let high = to < total ? to : total;
    // Within a segment the cost rises strictly with the principal.
    while (low < high) {
      const middle = (low + high + 1n) / 2n;
      if (costOf(middle) <= total) low = middle;
      else high = middle - 1n;
    }
    const filled = low + (total - costOf(low));
    const principal = filled < to ? filled : to;
    return { principal: { minor: principal, currency }, chargedOn: { minor: low, currency } };
  }
  return undefined;
}

/** The least principal that pays out an amount, and the largest that pays out no more than it. */
function principalsFor(
  receive: Money,
  rate: Decimal,
  currency: string,
): { least: bigint; most: bigint; currency: string } {
  const reaching = (minor: bigint) =>
    divideMoney({ minor, currency: receive.currency }, rate, currency, roundings.exchangeBack).minor;
  const least = reaching(receive.minor);
  const most = reaching(receive.minor + 1n) - 1n;
  return { least, most: most > least ? most : least, currency };
}

/**
 * The least total that, given with fees inside, would pay out this: the way back from every send
 * amount, whether its fees were on top or inside. In each segment of tiers that is the least
 * principal itself, or one a few minor units below whose remainder reaches it.
 */
function basisOfReceive(
  { least, most, currency }: ReturnType<typeof principalsFor>,
  schedule: FeeSchedule,
  limits: Limits,
): Basis {
  const offers = segmentsOf(schedule.rules)
    .filter(({ from, to }) => to >= least && from <= most)
    .map((segment) => cheapestIn(segment, least > segment.from ? least : segment.from, currency, schedule));
  const allowed = offers.filter(({ principal: { minor } }) => minor >= limits.minimum && minor <= limits.maximum);
  const [first, ...others] = allowed.length > 0 ? allowed : offers;
  return others.reduce((a, b) => (totalOf(b, schedule) < totalOf(a, schedule) ? b : a), first!);
}

function cheapestIn({ from, to }: Segment, minor: bigint, currency: string, schedule: FeeSchedule): Basis {
  const chargesAt = (at: bigint) => chargesOn({ minor: at, currency }, schedule).minor;
  let chargedOn = minor;
  // One minor unit more of principal adds at most one to each fee and one to its tax.
  const farthest = BigInt(2 * schedule.rules.length);
  for (let below = 1n; below <= farthest && minor - below >= from && minor - below > 0n && minor <= to; below += 1n) {
    const at = minor - below;
    if (chargesAt(at + 1n) - chargesAt(at) >= below) chargedOn = at;
  }
  return { principal: money(minor, currency), chargedOn: money(chargedOn, currency) };
}

function totalOf({ principal, chargedOn }: Basis, schedule: FeeSchedule): bigint {
  return principal.minor + chargesOn(chargedOn, schedule).minor;
}

function assemble(
  { principal, chargedOn }: Basis,
  schedule: FeeSchedule,
): Omit<Price, "receive" | "rate" | "inclusive"> {
  const { fees } = chargesOn(chargedOn, schedule);
  const zero = money(0n, principal.currency);
  const totalFees = fees.reduce((sum, { amount }) => addMoney(sum, amount), zero);
  const totalTaxes = fees.reduce((sum, { tax }) => addMoney(sum, tax), zero);
  return { principal, fees, totalFees, totalTaxes, total: addMoney(addMoney(principal, totalFees), totalTaxes) };
}

/** Of the principal, in minor units of the send currency. */
interface Limits {
  minimum: bigint;
  maximum: bigint;
  currency: string;
}

/** Limits of the corridor, narrowed by those of the delivery method. */
function limitsOf(corridor: PricedCorridor, method: DeliveryMethod): Limits {
  const { minimumMinor = 0n, maximumMinor = maxInt64 } = deliveryOf(corridor, method);
  return {
    minimum: minimumMinor > corridor.minimumMinor ? minimumMinor : corridor.minimumMinor,
    maximum: maximumMinor < corridor.maximumMinor ? maximumMinor : corridor.maximumMinor,
    currency: corridor.sendCurrency,
  };
}

function assertWithinLimits(principal: Money, limits: Limits): void {
  if (principal.minor < limits.minimum || principal.minor > limits.maximum) {
    throw outOfLimits(limits, `${formatMoney(principal)} ${principal.currency} would be exchanged`);
  }
}

function outOfLimits(limits: Limits, what: string): Refusal {
  const { currency } = limits;
  const minimum = formatMoney(money(limits.minimum, currency));
  const maximum = formatMoney(money(limits.maximum, currency));
  const message = `${what}, and the limits are ${minimum} to ${maximum} ${currency}`;
  return new Refusal("AMOUNT_OUT_OF_LIMITS", message, { figures: { minimum, maximum, currency } });
}

function assertAgrees(given: Money, priced: Money): void {
  const difference = given.minor - priced.minor;
  if (difference >= -1n && difference <= 1n) return;
  const text = formatMoney(priced);
  const message = `the send amount prices to ${text} ${priced.currency}, not ${formatMoney(given)}`;
  throw new Refusal("AMOUNT_MISMATCH", message, { figures: { amount: text, currency: priced.currency } });
}
