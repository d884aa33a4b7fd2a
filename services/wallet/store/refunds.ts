import type { RecordCollection } from "../../kernel/mongo/record-collection.js";
import type { Refund } from "../domain/refund.js";
import type { Session } from "./collections.js";

export function refundStore(refunds: RecordCollection<Refund, "refundId">) {
  return {
    insertRefund: (refund: Refund, session: Session): Promise<void> => refunds.insertOne(refund, { session }),
    findRefund: (refundId: string, session?: Session): Promise<Refund | undefined> =>
      refunds.findOne({ _id: refundId }, { session }),
    /** True when this call moved it on from that state. */
    async moveRefund(
      refundId: string,
      from: Refund["status"],
      change: Partial<Refund>,
      session?: Session,
    ): Promise<boolean> {
      return (
        (await refunds.updateOne({ _id: refundId, status: from }, { $set: change }, { session })).matchedCount === 1
      );
    },
  };
}
