import type { NewRow, RowHandler } from "../../kernel/outbox/index.js";
import { Refusal } from "../../kernel/refusal.js";
import type { BusinessClock } from "../../platform/preferences/business-clock.js";
import type { Posted, Posting } from "../clients/posting.js";
import type { Payment } from "../domain/payment.js";
import { bookedByStep, lineOfStep, nextCommissionStep, type CommissionStep } from "../domain/sale-commission.js";
import { rowKinds } from "../row-kinds.js";
import type { WalletStore } from "../store/index.js";
import { bookedDay } from "./booked-day.js";

export interface CommissionDeps {
  store: WalletStore;
  posting: Posting;
  businessClock: BusinessClock;
  crashPoint: (name: string) => void;
}

export type Commissions = ReturnType<typeof createCommissions>;

/** Of each word about a sale one row: the rows of a sale run one after the other. */
export function commissionRow(
  cause: Pick<NewRow, "tenantId" | "interactionId" | "actor">,
  { paymentId }: Pick<Payment, "paymentId">,
  seq: number,
): NewRow {
  return {
    ...cause,
    aggregate: `commission:${paymentId}`,
    seq,
    kind: rowKinds.driveCommission,
    payload: { paymentId },
  };
}

/**
 * Books what a sale earns once it is completed, and takes back what is refunded of it, whichever is
 * told first. Every step is written down before it is posted, and its key in the ledger follows
 * from that: it is booked once, wherever this dies.
 */
export function createCommissions({ store, posting, businessClock, crashPoint }: CommissionDeps) {
  const drive: RowHandler = async ({ tenantId, interactionId, payload }) => {
    const wallet = store.forTenant(tenantId);
    const paymentId = String(payload["paymentId"]);
    for (;;) {
      const payment = await wallet.findPayment(paymentId);
      if (payment === undefined) throw new Error(`payment ${paymentId} is not there`);
      const step = nextCommissionStep(payment);
      if (step === undefined) return;
      if (step.kind === "CLAW_BACK" && !step.isBegun) {
        // Read again: a refund that was told meanwhile is in the next one.
        await wallet.beginClawBack(paymentId, step);
        crashPoint("wallet.commission.claw-back-begun");
        continue;
      }
      await book(payment, step, { tenantId, interactionId });
    }
  };

  async function book(
    payment: Payment,
    step: CommissionStep,
    { tenantId, interactionId }: { tenantId: string; interactionId: string },
  ): Promise<void> {
    const { commission, transactionCode } = payment.sale!;
    const { transfers, ownAccounts } = bookedByStep(payment, commission!, transactionCode, step);
    let booked: Pick<Posted, "postedAt" | "day"> | undefined;
    if (transfers.length > 0) {
      const origin = { caller: "wallet", idempotencyKey: "", interactionId, createdBy: "wallet" };
      await posting.ensureAccounts(tenantId, origin, ownAccounts, {});
      const posted = await posting.post(tenantId, origin, transfers, {});
      if (posted instanceof Refusal) throw new Error(`commission of ${payment.paymentId}: ${posted.code}`);
      booked = posted;
      crashPoint("wallet.commission.posted");
    }
    const at = booked?.postedAt ?? new Date();
    const businessDay = booked?.day ?? (await bookedDay(businessClock, tenantId, interactionId, at));
    const line = lineOfStep(payment, commission!, transactionCode, step, { businessDay, at });
    const wallet = store.forTenant(tenantId);
    await store.transaction(
      async (session) => {
        // False where another driver was first, who has kept the line.
        if (!(await wallet.endCommissionStep(payment.paymentId, step, at, session))) return;
        if (line !== undefined) await wallet.insertAgentLines([line], session);
      },
      // What was written is read again, and is then nothing to do.
      async () => undefined,
    );
    crashPoint("wallet.commission.ended");
  }

  return { drive };
}
