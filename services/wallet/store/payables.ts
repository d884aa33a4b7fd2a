import type { RecordCollection } from "../../kernel/mongo/record-collection.js";
import type { OwnPartner } from "../../platform/banks/own-partner.js";
import type { PayableItem, PayableStatus, Sending } from "../domain/payable.js";
import type { Session } from "./collections.js";

export function payableStore(payables: RecordCollection<PayableItem, "payableId">) {
  return {
    insertPayable: (item: PayableItem, session: Session): Promise<void> => payables.insertOne(item, { session }),
    findPayable: (payableId: string, session?: Session): Promise<PayableItem | undefined> =>
      payables.findOne({ _id: payableId }, { session }),
    /** Newest first, those that fit; `before` is the id of the last one of the page before. */
    listPayables(
      fit: { type?: PayableItem["type"]; customerId?: string },
      before: string,
      limit: number,
    ): Promise<PayableItem[]> {
      const { type, customerId } = fit;
      const filter = {
        ...(type === undefined ? {} : { type }),
        ...(before === "" ? {} : { _id: { $lt: before } }),
        ...(customerId === undefined
          ? {}
          : { $or: [{ payerCustomerId: customerId }, { payeeCustomerId: customerId }] }),
      };
      return payables.find(filter as never, { sort: { _id: -1 }, limit });
    },
    /** True when this payment has it now: one document decides who pays. */
    async claimPayable(payableId: string, paymentId: string, session: Session): Promise<boolean> {
      const claim = { $set: { status: "PAYING" as const, paymentId } };
      return (await payables.updateOne({ _id: payableId, status: "OPEN" }, claim, { session })).matchedCount === 1;
    },
    /** The payment that held it has failed: another may pay it. */
    async releasePayable(payableId: string, paymentId: string, session: Session): Promise<void> {
      const held = { _id: payableId, status: "PAYING" as const, paymentId };
      await payables.updateOne(held, { $set: { status: "OPEN" }, $unset: { paymentId: true } as never }, { session });
    },
    /** As it was decided first of a withdrawal that is SENDING, and by which bank: that stands. */
    async decideSending(payableId: string, sending: Sending, partner?: OwnPartner): Promise<PayableItem | undefined> {
      const undecided = { _id: payableId, status: "SENDING" as const, sending: { $exists: false } };
      const decided = { sending, ...(partner !== undefined && { partner }) };
      await payables.updateOne(undecided as never, { $set: decided });
      return payables.findOne({ _id: payableId });
    },
    /** Whether a withdrawal is on its way at that bank. */
    async isSendingAt(installationId: string): Promise<boolean> {
      const filter = { "partner.installationId": installationId, status: "SENDING" as const };
      return (await payables.findOne(filter as never)) !== undefined;
    },
    /** True when this call moved it on from that state. */
    async movePayable(
      payableId: string,
      from: PayableStatus,
      to: PayableStatus,
      session?: Session,
      reason = "",
    ): Promise<boolean> {
      const change = { $set: { status: to, ...(reason === "" ? {} : { reason }) } };
      return (await payables.updateOne({ _id: payableId, status: from }, change, { session })).matchedCount === 1;
    },
  };
}
