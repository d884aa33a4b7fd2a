import type { Refund } from "../domain/refund.js";
import type { TopUp, TopUpEnding } from "../domain/top-up.js";
import type { Collection, Session } from "./index.js";

export type TopUpRow = Omit<TopUp, "topUpId"> & {
  _id: string;
  tenantId: string;
  status: "PENDING" | "DONE" | "FAILED";
};
export type RefundRow = Omit<Refund, "refundId"> & { _id: string; tenantId: string };

export function topUpStore(topUps: Collection<TopUpRow>) {
  return {
    async insertTopUp({ topUpId, ...rest }: TopUp, session: Session): Promise<void> {
      await topUps.insertOne({ _id: topUpId, ...rest, status: "PENDING" }, { session });
    },
    async findTopUp(topUpId: string): Promise<TopUp | undefined> {
      const row = await topUps.findOne({ _id: topUpId });
      if (row === null) return undefined;
      const { _id, tenantId: _tenantId, status: _status, ...rest } = row;
      return { topUpId: _id, ...rest };
    },
    /** True when this call ended it. The card's token is forgotten with it. */
    async endTopUp(topUpId: string, ending: TopUpEnding, session: Session): Promise<boolean> {
      const change = { $set: { status: ending.status, ending, cardToken: "" } };
      const pending = { _id: topUpId, status: "PENDING" as const };
      return (await topUps.updateOne(pending, change, { session })).matchedCount === 1;
    },
  };
}

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
