import type { Refund } from "../domain/refund.js";
import type { Collection, Session } from "./collections.js";

export type RefundRow = Omit<Refund, "refundId"> & { _id: string; tenantId: string };

export function refundStore(refunds: Collection<RefundRow>) {
  return {
    async insertRefund({ refundId, ...rest }: Refund, session: Session): Promise<void> {
      await refunds.insertOne({ _id: refundId, ...rest }, { session });
    },
    async findRefund(refundId: string, session?: Session): Promise<Refund | undefined> {
      const row = await refunds.findOne({ _id: refundId }, session === undefined ? {} : { session });
      if (row === null) return undefined;
      const { _id, tenantId: _tenantId, ...rest } = row;
      return { refundId: _id, ...rest };
    },
    /** True when this call moved it on from that state. */
    async moveRefund(
      refundId: string,
      from: Refund["status"],
      change: Partial<Refund>,
      session?: Session,
    ): Promise<boolean> {
      const options = session === undefined ? {} : { session };
      return (await refunds.updateOne({ _id: refundId, status: from }, { $set: change }, options)).matchedCount === 1;
    },
  };
}
