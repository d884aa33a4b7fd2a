import { formatDecimal, parseDecimal } from "../../kernel/decimal.js";
import type { RecordForm } from "../../kernel/mongo/record-collection.js";
import type { Holding } from "../domain/holding.js";
import type { InterestState } from "../domain/interest.js";
import type { Movement } from "../domain/movement.js";
import type { HoldingChange, Settlement } from "../domain/settlement.js";
import {
  day,
  type HoldingRow,
  type StoredHoldingChange,
  type StoredInterest,
  type StoredMovement,
  type StoredSettlement,
} from "./collections.js";

function interestToDocument({ anchor, periods, capitalised, running }: InterestState): StoredInterest {
  return {
    anchor: anchor.toString(),
    periods,
    capitalised: capitalised.toString(),
    running: running.toString(),
  };
}

function interestFromDocument(row: StoredInterest, through: string): InterestState {
  return {
    anchor: day(row.anchor),
    through: day(through),
    periods: row.periods,
    capitalised: BigInt(row.capitalised),
    running: BigInt(row.running),
  };
}

/** The fields that accrual writes. */
export function accrualToDocument(interest: InterestState): Pick<HoldingRow, "interest" | "through"> {
  return { interest: interestToDocument(interest), through: interest.through.toString() };
}

export function changeToDocument(change: HoldingChange): StoredHoldingChange {
  const { status, units, principalMinor, accruedMinor, termStart, maturity, dueOn, history, interest } = change;
  return {
    status,
    units,
    principalMinor,
    accruedMinor,
    termStart: termStart.toString(),
    ...(maturity !== undefined && { maturity: maturity.toString() }),
    ...(dueOn !== undefined && { dueOn: dueOn.toString() }),
    history: history.map(({ from, units: held }) => ({ from: from.toString(), units: held })),
    ...accrualToDocument(interest),
  };
}

function changeFromDocument(row: StoredHoldingChange): HoldingChange {
  const { status, units, principalMinor, accruedMinor, through, interest, termStart, maturity, dueOn, history } = row;
  return {
    status,
    units,
    principalMinor,
    accruedMinor,
    termStart: day(termStart),
    ...(maturity !== undefined && { maturity: day(maturity) }),
    ...(dueOn !== undefined && { dueOn: day(dueOn) }),
    history: history.map(({ from, units: held }) => ({ from: day(from), units: held })),
    interest: interestFromDocument(interest, through),
  };
}

export function holdingToDocument(holding: Holding, slice: number, createdAt: Date): Omit<HoldingRow, "tenantId"> {
  const { holdingId, ratePercent, purchasedOn, lockedUntil, settlementId, unpaid: _unpaid, ...rest } = holding;
  return {
    ...rest,
    ...changeToDocument(holding),
    _id: holdingId,
    ratePercent: formatDecimal(ratePercent),
    purchasedOn: purchasedOn.toString(),
    lockedUntil: lockedUntil.toString(),
    settlementId: settlementId ?? null,
    slice,
    createdAt,
  } as Omit<HoldingRow, "tenantId">;
}

/** Field by field: it is read a hundred thousand times a day. */
export function holdingFromDocument(row: HoldingRow): Holding {
  const { maturity, dueOn, settlementId, unpaid } = row;
  return {
    holdingId: row._id,
    applicationId: row.applicationId,
    productId: row.productId,
    productVersion: row.productVersion,
    productName: row.productName,
    customerId: row.customerId,
    walletAccountId: row.walletAccountId,
    currency: row.currency,
    status: row.status,
    units: row.units,
    unitPriceMinor: row.unitPriceMinor,
    principalMinor: row.principalMinor,
    ratePercent: parseDecimal(row.ratePercent),
    purchasedOn: day(row.purchasedOn),
    termStart: day(row.termStart),
    ...(maturity !== undefined && { maturity: day(maturity) }),
    lockedUntil: day(row.lockedUntil),
    ...(dueOn !== undefined && { dueOn: day(dueOn) }),
    interest: interestFromDocument(row.interest, row.through),
    accruedMinor: row.accruedMinor,
    history: row.history.map(({ from, units }) => ({ from: day(from), units })),
    ...(settlementId !== null && { settlementId }),
    ...(unpaid !== undefined && {
      unpaid: { since: day(unpaid.since), triedOn: day(unpaid.triedOn), code: unpaid.code },
    }),
    version: row.version,
  };
}

export const settlementForm: RecordForm<Settlement, StoredSettlement> = {
  toDocument: ({ figures, after, ending: _ending, ...rest }) => ({
    ...rest,
    figures: { ...figures, date: figures.date.toString() },
    after: changeToDocument(after),
    status: "PENDING",
  }),
  fromDocument: ({ status: _status, figures, after, ...rest }) => ({
    ...rest,
    figures: { ...figures, date: day(figures.date) },
    after: changeFromDocument(after),
  }),
};

export const movementForm: RecordForm<Movement, StoredMovement> = {
  toDocument: ({ date, ...rest }) => ({ ...rest, date: date.toString() }),
  fromDocument: ({ date, ...rest }) => ({ ...rest, date: day(date) }),
};
