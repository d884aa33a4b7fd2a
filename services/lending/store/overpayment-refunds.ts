import type { OverpaymentRefund } from "../domain/overpayment-refund.js";
import { replaceIf, under, type Entities, type Session } from "./rows.js";

export function createOverpaymentRefundStore(overpaymentRefunds: Entities<OverpaymentRefund>) {
  return {
    insertOverpaymentRefund: (refund: OverpaymentRefund, session: Session) =>
      overpaymentRefunds.insertOne(under(refund.refundId, refund), { session }),
    findOverpaymentRefund: (refundId: string, session?: Session) =>
      overpaymentRefunds.findOne({ _id: refundId }, { session }),
    /** True when it was PAYING. */
    endOverpaymentRefund: (refund: OverpaymentRefund, session: Session) =>
      replaceIf(overpaymentRefunds, { _id: refund.refundId, status: "PAYING" }, refund, session),
    /** Whether one is on its way at that bank. */
    async isRefundingAt(installationId: string): Promise<boolean> {
      const filter = { "partner.installationId": installationId, status: "PAYING" as const };
      return (await overpaymentRefunds.findOne(filter as never)) !== undefined;
    },
    /** Of one loan, the newest first. */
    listOverpaymentRefundsOf: (accountId: string) =>
      overpaymentRefunds.find({ accountId }, { sort: { _id: -1 }, limit: 100 }),
  };
}
