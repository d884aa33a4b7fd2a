import type { Application } from "./application.js";
import type { Dividend, DividendShare } from "./dividend.js";
import type { Holding } from "./holding.js";
import type { ReturnEvent } from "./returns.js";
import { paidMinor, type Settlement, type SettlementKind } from "./settlement.js";

/** One line of a holding's statement, minor units of its currency. */
export interface Movement {
  readonly movementId: string;
  readonly holdingId: string;
  readonly customerId: string;
  readonly kind: "PURCHASE" | "DIVIDEND" | SettlementKind;
  readonly date: Temporal.PlainDate;
  readonly units: bigint;
  readonly principalMinor: bigint;
  /** Interest or dividend, before penalty and tax. */
  readonly incomeMinor: bigint;
  readonly penaltyMinor: bigint;
  readonly taxMinor: bigint;
  readonly reinvestedMinor: bigint;
  /** To the wallet; a purchase is negative. */
  readonly paidMinor: bigint;
  readonly unitsAfter: bigint;
  readonly principalAfterMinor: bigint;
  readonly bookedAt: Date;
}

/** The first line of every statement. */
export function purchaseOf(application: Application, holding: Holding, bookedAt: Date): Movement {
  const { applicationId, customerId, total, units, appliedOn } = application;
  return {
    movementId: applicationId,
    holdingId: holding.holdingId,
    customerId,
    kind: "PURCHASE",
    date: appliedOn,
    units,
    principalMinor: total.minor,
    incomeMinor: 0n,
    penaltyMinor: 0n,
    taxMinor: 0n,
    reinvestedMinor: 0n,
    paidMinor: -total.minor,
    unitsAfter: units,
    principalAfterMinor: total.minor,
    bookedAt,
  };
}

/** What a settlement leaves on the statement. */
export function movementOf(settlement: Settlement, bookedAt: Date): Movement {
  const { settlementId, holdingId, customerId, figures, after } = settlement;
  return {
    movementId: settlementId,
    holdingId,
    customerId,
    kind: figures.kind,
    date: figures.date,
    units: figures.units,
    principalMinor: figures.principalMinor,
    incomeMinor: figures.interestMinor,
    penaltyMinor: figures.principalPenaltyMinor + figures.interestPenaltyMinor,
    taxMinor: figures.taxMinor,
    reinvestedMinor: figures.reinvestedMinor,
    paidMinor: paidMinor(figures),
    unitsAfter: after.units,
    principalAfterMinor: after.principalMinor,
    bookedAt,
  };
}

/**
 * What a share of a dividend leaves on the statement; `standing` is what its holding has when it is
 * booked.
 */
export function dividendMovement(
  dividend: Dividend,
  { shareId, holdingId, customerId, amount, taxMinor }: DividendShare,
  bookedAt: Date,
  position: { units: bigint; principalMinor: bigint } | undefined,
): Movement {
  return {
    movementId: shareId,
    holdingId,
    customerId,
    kind: "DIVIDEND",
    date: dividend.to,
    units: 0n,
    principalMinor: 0n,
    incomeMinor: amount.minor,
    penaltyMinor: 0n,
    taxMinor,
    reinvestedMinor: 0n,
    paidMinor: amount.minor - taxMinor,
    unitsAfter: position?.units ?? 0n,
    principalAfterMinor: position?.principalMinor ?? 0n,
    bookedAt,
  };
}

/** A statement's line as what it means for returns. */
export function returnEventOf(movement: Movement): ReturnEvent {
  const { kind, date, units, principalMinor, incomeMinor, penaltyMinor, taxMinor, reinvestedMinor } = movement;
  const costMinor = penaltyMinor + taxMinor;
  switch (kind) {
    case "PURCHASE":
      return { date, kind: "BUY", units, grossMinor: principalMinor, costMinor };
    case "REDEMPTION":
    case "MATURITY":
      return { date, kind: "SELL", units, grossMinor: principalMinor + incomeMinor, costMinor };
    case "ROLLOVER":
      if (reinvestedMinor > 0n) return { date, kind: "REINVEST", units: 0n, grossMinor: reinvestedMinor, costMinor };
      return { date, kind: "INCOME", units: 0n, grossMinor: incomeMinor, costMinor };
    case "PAYOUT":
    case "DIVIDEND":
      return { date, kind: "INCOME", units: 0n, grossMinor: incomeMinor, costMinor };
  }
}
