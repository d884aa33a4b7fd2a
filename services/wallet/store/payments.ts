import { createBatchRead } from "../../kernel/mongo/batch-read.js";
import type { RecordCollection, Records } from "../../kernel/mongo/record-collection.js";
import { mostRefunds, tooManyRefunds } from "../../kernel/limits/refund-limit.js";
import type { MovementDecision } from "../domain/movement.js";
import type { Payment, PaymentEnding, PaymentRefund } from "../domain/payment.js";
import type { CommissionStep } from "../domain/sale-commission.js";
import type { Session } from "./collections.js";

export type StoredPayment = Omit<Payment, "total" | "ending"> & {
  totalMinor: bigint;
  currency: string;
  status: "PENDING" | "SUCCESS" | "FAILED" | "REFUNDED" | "PARTIALLY_REFUNDED";
  ending?: PaymentEnding;
  /** While one of its refunds is being booked. */
  refundPosting?: true;
  /** Absent once a payment was withdrawn: its reference is free again. */
  referenceHeld?: true;
};

type Reference = Pick<Payment, "customerId" | "paymentGatewayRef">;

function nameOfReference({ customerId, paymentGatewayRef }: Reference): string {
  return JSON.stringify([customerId, paymentGatewayRef]);
}

/**
 * Reads of payments by what their payer calls them, together with others that are asked for at the
 * same time.
 */
export function paymentReads(payments: Records<StoredPayment, "paymentId">) {
  const paymentByReference = createBatchRead<Reference, StoredPayment>({
    nameOf: nameOfReference,
    readOne: (tenantId, reference) => payments.forTenant(tenantId).findOne({ ...reference, referenceHeld: true }),
    async readMany(tenantId, references) {
      const found = await payments
        .forTenant(tenantId)
        .find({ referenceHeld: true, $or: references.map((reference) => ({ ...reference })) });
      return new Map(found.map((row) => [nameOfReference(row), row]));
    },
  });

  return async (tenantId: string, customerId: string, paymentGatewayRef: string): Promise<Payment | undefined> => {
    const found = await paymentByReference(tenantId, { customerId, paymentGatewayRef });
    return found && paymentFromDocument(found);
  };
}

export function paymentStore(payments: RecordCollection<StoredPayment, "paymentId">) {
  return {
    insertPayment({ total, ...rest }: Payment, session: Session): Promise<void> {
      const { minor: totalMinor, currency } = total;
      const document = { ...rest, totalMinor, currency, status: "PENDING", referenceHeld: true } as StoredPayment;
      return payments.insertOne(document, { session });
    },
    async findPayment(paymentId: string): Promise<Payment | undefined> {
      const found = await payments.findOne({ _id: paymentId });
      return found && paymentFromDocument(found);
    },
    /** Counter sales that succeeded, of the business day of their lines. */
    streamSales: (day: string): AsyncIterable<Pick<StoredPayment, "sale" | "totalMinor" | "currency">> =>
      payments.stream(
        {
          "sale.tillId": { $exists: true },
          "ending.day": day,
          status: { $in: ["SUCCESS", "REFUNDED", "PARTIALLY_REFUNDED"] },
        } as never,
        { hint: "sold_by_day", projection: { sale: 1, totalMinor: 1, currency: 1 } },
      ),
    /** What was decided first, and stands. */
    async decidePayment(paymentId: string, decision: MovementDecision): Promise<MovementDecision | undefined> {
      const undecided = { _id: paymentId, status: "PENDING" as const, decision: { $exists: false } };
      const first = await payments.findOneAndUpdate(undecided as never, { $set: { decision } });
      return first === undefined ? (await payments.findOne({ _id: paymentId }))?.decision : decision;
    },
    /** True when this call ended it. `release` frees its reference for another payment. */
    async endPayment(paymentId: string, ending: PaymentEnding, release: boolean, session: Session): Promise<boolean> {
      const change = {
        $set: { status: ending.status, ending },
        ...(release ? { $unset: { referenceHeld: true as const } } : {}),
      };
      const ended = await payments.updateOne({ _id: paymentId, status: "PENDING" }, change, { session });
      return ended.matchedCount === 1;
    },
    /** Remittance has been told of a payment that ended before it was. */
    async noteTold(paymentId: string): Promise<void> {
      await payments.updateOne({ _id: paymentId }, { $set: { isToldSince: true } });
    },
    /**
     * Holds a part for a refund; false when so much is neither refunded nor held. One document
     * decides. Refuses REFUND_LIMIT_REACHED.
     */
    async holdRefund(paymentId: string, minor: bigint, session: Session): Promise<boolean> {
      const found = await payments.findOne({ _id: paymentId }, { session });
      if (found === undefined || (found.status !== "SUCCESS" && found.status !== "PARTIALLY_REFUNDED")) return false;
      const { totalMinor, refundedMinor = 0n, refundHeldMinor = 0n, refundsAsked = 0 } = found;
      if (refundsAsked >= mostRefunds) throw tooManyRefunds("payment");
      if (totalMinor - refundedMinor - refundHeldMinor < minor) return false;
      const held = { refundHeldMinor: refundHeldMinor + minor, refundsAsked: Number(refundsAsked) + 1 };
      await payments.updateOne({ _id: paymentId }, { $set: held }, { session });
      return true;
    },
    /**
     * Claims the booking of refunds: minor units that had come back before; undefined while another
     * one is being booked.
     */
    async beginRefundPosting(paymentId: string, session: Session): Promise<bigint | undefined> {
      const free = { _id: paymentId, refundPosting: { $ne: true as const } };
      const claimed = await payments.findOneAndUpdate(free, { $set: { refundPosting: true } }, { session });
      return claimed && (claimed.refundedMinor ?? 0n);
    },
    /**
     * Ends a refund: what it held has come back, or may be refunded by another. The next one may be
     * booked once one that was being POSTED has ended. Gives the payment as it then is.
     */
    async endRefund(
      paymentId: string,
      minor: bigint,
      as: "DONE" | "FAILED" | "NEVER_POSTED",
      session: Session,
    ): Promise<Payment> {
      const found = await payments.findOne({ _id: paymentId }, { session });
      if (found === undefined) throw new Error(`payment ${paymentId} is not there`);
      const { totalMinor, refundedMinor = 0n, refundHeldMinor = 0n } = found;
      const back = as === "DONE" ? refundedMinor + minor : refundedMinor;
      const status = back === 0n ? "SUCCESS" : back === totalMinor ? "REFUNDED" : "PARTIALLY_REFUNDED";
      const told = { ...(as === "DONE" && { told: next(found.told) }) };
      const change = { refundHeldMinor: refundHeldMinor - minor, refundedMinor: back, status, ...told } as const;
      const update = { $set: change, ...(as !== "NEVER_POSTED" && { $unset: { refundPosting: true as const } }) };
      await payments.updateOne({ _id: paymentId }, update, { session });
      return paymentFromDocument({ ...found, ...change });
    },
    /**
     * All of it is back in the wallet: SUCCESS to REFUNDED. The
     * payment then; undefined where it was.
     */
    async refundWhole(paymentId: string, session: Session): Promise<Payment | undefined> {
      const found = await payments.findOne({ _id: paymentId, status: "SUCCESS" }, { session });
      if (found === undefined) return undefined;
      const change = { status: "REFUNDED" as const, refundedMinor: found.totalMinor, told: next(found.told) };
      await payments.updateOne({ _id: paymentId, status: "SUCCESS" }, { $set: change }, { session });
      return paymentFromDocument({ ...found, ...change });
    },
    /** True when this call noted that what its sale paid for is completed. */
    async noteCompleted(paymentId: string, completedAt: Date, session: Session): Promise<boolean> {
      const filter = { _id: paymentId, commissionProgress: { $exists: false } };
      const change = { $set: { commissionProgress: { completedAt } } };
      return (await payments.updateOne(filter as never, change as never, { session })).matchedCount === 1;
    },
    /** Its commission is taken back up to so much from now on, unless another step is. */
    async beginClawBack(paymentId: string, { fromMinor, toMinor }: ClawBack): Promise<void> {
      const filter = { ...clawedFor(paymentId, fromMinor), [`${progress}.clawingForMinor`]: { $exists: false } };
      await payments.updateOne(filter as never, { $set: { [`${progress}.clawingForMinor`]: toMinor } } as never);
    },
    /** True when this call noted that the ledger has it. */
    async endCommissionStep(paymentId: string, step: CommissionStep, at: Date, session: Session): Promise<boolean> {
      const [filter, change] =
        step.kind === "ACCRUE"
          ? [{ _id: paymentId, [`${progress}.accruedAt`]: { $exists: false } }, { [`${progress}.accruedAt`]: at }]
          : [clawedFor(paymentId, step.fromMinor), { [`${progress}.clawedForMinor`]: step.toMinor }];
      const taken = step.kind === "CLAW_BACK" && { $push: { [`${progress}.clawed`]: step.toMinor } };
      const update = { $set: change, ...taken, $unset: { [`${progress}.clawingForMinor`]: true } };
      return (await payments.updateOne(filter as never, update as never, { session })).matchedCount === 1;
    },
    /** The payment then, where this call noted it onto what was known of it before. */
    async refundPayment(payment: Payment, refund: PaymentRefund, session: Session): Promise<Payment | undefined> {
      const { paymentId, refund: known } = payment;
      const status = refund.isPart === true ? ("PARTIALLY_REFUNDED" as const) : ("REFUNDED" as const);
      const as =
        known === undefined
          ? { status: "SUCCESS" as const }
          : { status: "PARTIALLY_REFUNDED" as const, "refund.amount.minor": known.amount.minor };
      const change = { refund, told: next(payment.told) };
      const noted = await payments.updateOne({ _id: paymentId, ...as }, { $set: { status, ...change } }, { session });
      return noted.matchedCount === 1 ? { ...payment, ...change } : undefined;
    },
  };
}

const progress = "commissionProgress";

type ClawBack = Extract<CommissionStep, { kind: "CLAW_BACK" }>;

const clawedFor = (paymentId: string, minor: bigint) => ({
  _id: paymentId,
  [`${progress}.accruedAt`]: { $exists: true },
  [`${progress}.clawedForMinor`]: minor === 0n ? { $exists: false } : minor,
});

/** Its end was told first. */
const next = (told = 1): number => told + 1;

export function paymentFromDocument(stored: StoredPayment): Payment {
  const { status: _status, referenceHeld: _held, refundPosting: _posting, totalMinor, currency, ...rest } = stored;
  return { ...rest, total: { minor: totalMinor, currency } };
}
