import type { TenantCollection } from "../../kernel/mongo/tenant-collection.js";
import type { Repayment } from "../domain/repayment.js";
import { entities, type EntityRow, type Session } from "./rows.js";

export function createRepaymentStore(repayments: TenantCollection<EntityRow<Repayment>>) {
  const { insert, one, list, replaceIf } = entities(repayments);
  return {
    insertRepayment: (repayment: Repayment, session: Session) => insert(repayment.repaymentId, repayment, session),
    findRepayment: (id: string, session?: Session) => one({ _id: id }, session),
    /** True when it was in this status and is not any more. */
    moveRepayment: (repayment: Repayment, from: Repayment["status"], session: Session) =>
      replaceIf({ _id: repayment.repaymentId, status: from }, repayment, session),
    /** The oldest that waits for such a credit. */
    async findMatch(reference: string, amountMinor: bigint, currency: string, session?: Session) {
      const waiting = { status: "PENDING_VERIFICATION" as const, isMatchable: true, matchReference: reference };
      const [oldest] = await list({ ...waiting, amountMinor, currency }, { sort: { _id: 1 }, limit: 1, session });
      return oldest;
    },
    listPendingOf: (accountId: string, session?: Session) =>
      list({ accountId, status: "PENDING_VERIFICATION" }, { sort: { _id: 1 }, session }),
    listPending: (after: string, limit: number) =>
      list({ status: "PENDING_VERIFICATION", _id: { $gt: after } }, { sort: { _id: 1 }, limit }),
    /** VERIFIED and PAID, the newest first. */
    listDoneOf: (customerId: string) =>
      list({ customerId, status: { $in: ["VERIFIED", "PAID"] } }, { sort: { _id: -1 } }),
  };
}
