import type { Repayment } from "../domain/repayment.js";
import { replaceIf, under, type Entities, type Session } from "./rows.js";

export function createRepaymentStore(repayments: Entities<Repayment>) {
  return {
    insertRepayment: (repayment: Repayment, session: Session) =>
      repayments.insertOne(under(repayment.repaymentId, repayment), { session }),
    findRepayment: (id: string, session?: Session) => repayments.findOne({ _id: id }, { session }),
    /** True when it was in this status and is not any more. */
    moveRepayment: (repayment: Repayment, from: Repayment["status"], session: Session) =>
      replaceIf(repayments, { _id: repayment.repaymentId, status: from }, repayment, session),
    /** The oldest that waits for such a credit. */
    async findMatch(reference: string, amountMinor: bigint, currency: string, session?: Session) {
      const waiting = { status: "PENDING_VERIFICATION" as const, isMatchable: true, matchReference: reference };
      const [oldest] = await repayments.find(
        { ...waiting, amountMinor, currency },
        { sort: { _id: 1 }, limit: 1, session },
      );
      return oldest;
    },
    listPendingOf: (accountId: string, session?: Session) =>
      repayments.find({ accountId, status: "PENDING_VERIFICATION" }, { sort: { _id: 1 }, session }),
    listPending: (after: string, limit: number) =>
      repayments.find({ status: "PENDING_VERIFICATION", _id: { $gt: after } }, { sort: { _id: 1 }, limit }),
    /** VERIFIED and PAID, the newest first. */
    listDoneOf: (customerId: string) =>
      repayments.find({ customerId, status: { $in: ["VERIFIED", "PAID"] } }, { sort: { _id: -1 } }),
  };
}
