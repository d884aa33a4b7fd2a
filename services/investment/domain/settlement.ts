import { basisPoints, divideRounded, type Decimal } from "../../kernel/decimal.js";
import type { StoredRefusal } from "../../kernel/refusal.js";
import { isBefore } from "./dates.js";
import { accrue, termFrom, type Holding } from "./holding.js";
import { interestOfTerm, payInterest, splitInterest } from "./interest.js";
import type { SagaOrigin } from "../../kernel/sagas/saga-origin.js";
import { interestTerms, type Penalty, type ProductContent } from "./product.js";
import { nextDue } from "./schedule.js";

export const settlementKinds = ["REDEMPTION", "PAYOUT", "MATURITY", "ROLLOVER"] as const;
export type SettlementKind = (typeof settlementKinds)[number];

/** What one settlement moves, minor units of the holding's currency. Each part is zero or above. */
export interface SettlementFigures {
  readonly kind: SettlementKind;
  readonly date: Temporal.PlainDate;
  readonly units: bigint;
  /** Interest counted since the last posting: posted with the settlement. */
  readonly addedMinor: bigint;
  /** Principal that leaves the investment. */
  readonly principalMinor: bigint;
  /** Interest that is settled, before penalty and tax. */
  readonly interestMinor: bigint;
  readonly principalPenaltyMinor: bigint;
  readonly interestPenaltyMinor: bigint;
  readonly taxMinor: bigint;
  /** Interest after tax that joins the principal. */
  readonly reinvestedMinor: bigint;
}

/** One payment of a holding, decided whole before anything moves. */
export interface Settlement extends SagaOrigin {
  readonly settlementId: string;
  readonly holdingId: string;
  readonly customerId: string;
  readonly productId: string;
  readonly walletAccountId: string;
  readonly currency: string;
  readonly figures: SettlementFigures;
  /** The holding as it is when the settlement is done. */
  readonly after: HoldingChange;
  readonly createdAt: Date;
  readonly ending?: SettlementEnding;
}

export type SettlementEnding =
  { readonly status: "DONE"; readonly postedAt: Date } | { readonly status: "FAILED"; readonly refusal: StoredRefusal };
export type HoldingChange = Pick<
  Holding,
  "status" | "units" | "principalMinor" | "termStart" | "maturity" | "dueOn" | "interest" | "accruedMinor" | "history"
>;

/** What reaches the wallet. */
export function paidMinor(figures: SettlementFigures): bigint {
  const { principalMinor, principalPenaltyMinor, interestMinor, interestPenaltyMinor, taxMinor, reinvestedMinor } =
    figures;
  return principalMinor - principalPenaltyMinor + interestMinor - interestPenaltyMinor - taxMinor - reinvestedMinor;
}

/** Units that leave before or after maturity, with their part of principal and interest. */
export function planRedemption(
  holding: Holding,
  product: ProductContent,
  units: bigint,
  today: Temporal.PlainDate,
): { figures: SettlementFigures; after: HoldingChange } {
  const { interest, accruedMinor, addedMinor } = accrue(holding, product, today);
  const isWhole = units === holding.units;
  // The parts that stay are the rest, so that parts always add up to the whole.
  const principalMinor = isWhole ? holding.principalMinor : (holding.principalMinor * units) / holding.units;
  const interestMinor = isWhole ? accruedMinor : divideRounded(accruedMinor * units, holding.units, "half-even");
  const penalty = earlyPenalty(holding, product, { principalMinor, interestMinor }, today);
  const taxMinor = withheld(interestMinor - penalty.interestPenaltyMinor, product, holding.currency);
  const figures: SettlementFigures = {
    kind: "REDEMPTION",
    date: today,
    units,
    addedMinor,
    principalMinor,
    interestMinor,
    ...penalty,
    taxMinor,
    reinvestedMinor: 0n,
  };
  const left = holding.units - units;
  const rest = {
    units: left,
    principalMinor: holding.principalMinor - principalMinor,
    accruedMinor: accruedMinor - interestMinor,
    interest: isWhole
      ? payInterest(interest, interestMinor)
      : splitInterest(interest, interestMinor, left, holding.units),
    history: [...holding.history, { from: today, units: left }],
  };
  return { figures, after: { ...datesOf(holding), ...rest, status: isWhole ? "REDEEMED" : "ACTIVE" } };
}

/**
 * What is due on `holding.dueOn`: interest alone, or the end of the term with whatever begins anew.
 */
export function planDue(
  holding: Holding,
  product: ProductContent,
): { figures: SettlementFigures; after: HoldingChange } {
  const { dueOn, maturity } = holding;
  if (dueOn === undefined) throw new Error(`nothing is due of holding ${holding.holdingId}`);
  const { interest, accruedMinor, addedMinor } = accrue(holding, product, dueOn);
  const taxMinor = withheld(accruedMinor, product, holding.currency);
  const interestLeft = payInterest(interest, accruedMinor);
  const isEnd = maturity?.equals(dueOn) === true;
  const { reinvestment } = product;
  const ends = isEnd && reinvestment === "NONE";
  const reinvestedMinor = isEnd && reinvestment === "ALL" ? accruedMinor - taxMinor : 0n;
  const figures: SettlementFigures = {
    kind: !isEnd ? "PAYOUT" : ends ? "MATURITY" : "ROLLOVER",
    date: dueOn,
    units: ends ? holding.units : 0n,
    addedMinor,
    principalMinor: ends ? holding.principalMinor : 0n,
    interestMinor: accruedMinor,
    principalPenaltyMinor: 0n,
    interestPenaltyMinor: 0n,
    taxMinor,
    reinvestedMinor,
  };
  const same = { units: holding.units, history: holding.history, accruedMinor: 0n, status: "ACTIVE" as const };
  if (ends) {
    const gone = { units: 0n, principalMinor: 0n, history: [...holding.history, { from: dueOn, units: 0n }] };
    return { figures, after: { ...datesOf(holding), ...same, ...gone, interest: interestLeft, status: "MATURED" } };
  }
  if (isEnd) {
    const term = termFrom(product, dueOn);
    const interestOfTerm = { ...term.interest, running: interestLeft.running };
    const principalMinor = holding.principalMinor + reinvestedMinor;
    return { figures, after: { ...term, ...same, principalMinor, interest: interestOfTerm } };
  }
  const next = nextDue(holding.termStart, maturity, product.payout, dueOn);
  const { dueOn: _dueOn, ...dates } = datesOf(holding);
  const after = { ...dates, ...(next !== undefined && { dueOn: next }), ...same, interest: interestLeft };
  return { figures, after: { ...after, principalMinor: holding.principalMinor } };
}

function datesOf({ termStart, maturity, dueOn }: Holding): Pick<Holding, "termStart" | "maturity" | "dueOn"> {
  return { termStart, ...(maturity !== undefined && { maturity }), ...(dueOn !== undefined && { dueOn }) };
}

/** Withheld from interest or a dividend, half-up to the minor unit. */
export function withheld(amountMinor: bigint, { withholdingTaxBps }: ProductContent, currency: string): bigint {
  return basisPoints({ minor: amountMinor, currency }, BigInt(withholdingTaxBps), "half-up").minor;
}

interface Share {
  readonly principalMinor: bigint;
  readonly interestMinor: bigint;
}

/**
 * What is lost before maturity; a penalty on interest never takes more than the interest, half-up
 * to the minor unit.
 */
export function earlyPenalty(
  holding: Holding,
  product: ProductContent,
  share: Share,
  today: Temporal.PlainDate,
): Pick<SettlementFigures, "principalPenaltyMinor" | "interestPenaltyMinor"> {
  const none = { principalPenaltyMinor: 0n, interestPenaltyMinor: 0n };
  const { maturity, currency } = holding;
  if (maturity === undefined || !isBefore(today, maturity)) return none;
  const part = (minor: bigint, bps: number) => basisPoints({ minor, currency }, BigInt(bps), "half-up").minor;
  const penalty: Penalty = product.penalty;
  switch (penalty.kind) {
    case "NONE":
      return none;
    case "PRINCIPAL_SHARE":
      return { ...none, principalPenaltyMinor: part(share.principalMinor, penalty.bps) };
    case "INTEREST_SHARE":
      return { ...none, interestPenaltyMinor: part(share.interestMinor, penalty.bps) };
    case "RATE_REDUCTION": {
      const terms = interestTerms(product, lowerRate(holding.ratePercent, penalty.percent));
      const earned = interestOfTerm(share.principalMinor, terms, holding.termStart, today);
      const lost = share.interestMinor - earned;
      return { ...none, interestPenaltyMinor: lost > 0n ? lost : 0n };
    }
  }
}

/** rate - reduction, and never below zero. */
export function lowerRate(rate: Decimal, reduction: Decimal): Decimal {
  const scale = Math.max(rate.scale, reduction.scale);
  const at = ({ digits, scale: own }: Decimal) => digits * 10n ** BigInt(scale - own);
  const digits = at(rate) - at(reduction);
  return digits > 0n ? { digits, scale } : { digits: 0n, scale: 0 };
}
