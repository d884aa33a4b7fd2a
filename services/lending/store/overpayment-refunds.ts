import type { TenantCollection } from "../../kernel/mongo/tenant-collection.js";
import type { OverpaymentRefund } from "../domain/overpayment-refund.js";
import { entities, type EntityRow, type Session } from "./rows.js";

export type OverpaymentRefundRow = EntityRow<OverpaymentRefund>;

export function createOverpaymentRefundStore(overpaymentRefunds: TenantCollection<OverpaymentRefundRow>) {
  const { insert, one, list, replaceIf } = entities<OverpaymentRefund>(overpaymentRefunds);
  return {
    insertOverpaymentRefund: (refund: OverpaymentRefund, session: Session) => insert(refund.refundId, refund, session),
    findOverpaymentRefund: (refundId: string, session?: Session) => one({ _id: refundId }, session),
    /** True when it was PAYING. */
    endOverpaymentRefund: (refund: OverpaymentRefund, session: Session) =>
      replaceIf({ _id: refund.refundId, status: "PAYING" }, refund, session),
    /** Whether one is on its way at that bank. */
    async isRefundingAt(installationId: string): Promise<boolean> {
      const filter = { "partner.installationId": installationId, status: "PAYING" as const };
      return (await overpaymentRefunds.findOne(filter as never)) !== null;
    },
    /** Of one loan, the newest first. */
    listOverpaymentRefundsOf: (accountId: string) => list({ accountId }, { sort: { _id: -1 }, limit: 100 }),
  };
}
