import { v7 as uuidv7 } from "uuid";
import type { OutcomeHandler } from "../../platform/approvals/approval-outcomes.js";
import { stillRefused } from "../../platform/approvals/approvals.js";
import type { Clock } from "../../kernel/time/clock.js";
import type { Call } from "../../kernel/grpc/context.js";
import { formatMoney } from "../../kernel/money.js";
import { Refusal } from "../../kernel/refusal.js";
import { refusalByStatus } from "../domain/account.js";
import { heldAccount, heldBy, transferOfHeld } from "../domain/held-arrival.js";
import type { Payment } from "../domain/payment.js";
import { transfersOfRefund, type Refund } from "../domain/refund.js";
import type { MovementSaga, UnaskedMovement } from "../sagas/movement.js";
import { giveUpRefund } from "../sagas/refund.js";
import type { WalletStore } from "../store/index.js";
import type { WalletDeps } from "./deps.js";

/**
 * Asks for a second person's approval; a repeated request asks again, where its first try got no
 * further. Refuses FORBIDDEN and INVALID_INPUT as identity does, also at a repeat.
 */
export async function requestRefundApproval(
  { store, approvals }: WalletDeps,
  { refundId, paymentId, amount, reason, status, approvalId: known, failure = "" }: Refund,
  customerId: string,
  call: Call,
): Promise<string> {
  if (status === "FAILED" && known === undefined) throw stillRefused(failure);
  const wallet = store.forTenant(call.tenantId);
  const question = {
    // Identity knows the key.
    idempotencyKey: `wallet-refund:${refundId}`,
    kind: "REFUND" as const,
    subject: `payment:${paymentId}`,
    summary: `Refund ${formatMoney(amount)} ${amount.currency} of payment ${paymentId}`,
    amount,
    reason,
    payload: { refundId },
    customerId,
  };
  const { approvalId } = await approvals.askAndNote(call, question, async (noted) => {
    if ("approvalId" in noted) return wallet.moveRefund(refundId, "ASKED", noted);
    // Nothing stays held that nobody decides.
    return giveUpRefund(store, call.tenantId, { refundId, paymentId, amount }, noted.refusedBecause);
  });
  return approvalId;
}

/**
 * Applies what a second person decided: the refund is booked by a movement of its own, or what it
 * held is free again.
 */
export function refundOutcome(store: WalletStore, movements: MovementSaga, clock: Clock): OutcomeHandler {
  return async ({ status, payload, decidedBy, decidedBecause, subject }, session, call, effects) => {
    const wallet = store.forTenant(call.tenantId);
    const refund = await wallet.findRefund(String(payload["refundId"]), session);
    if (refund?.status !== "ASKED") return effects.add({ kind: "NOTHING_DONE", subject });
    const payment = await wallet.findPayment(refund.paymentId);
    if (payment === undefined) throw new Error(`payment ${refund.paymentId} is not there`);
    const refusal = status === "APPROVED" ? await refusedAsPayeeIs(store, payment, call.tenantId) : undefined;
    if (status !== "APPROVED" || refusal !== undefined) {
      const change =
        refusal === undefined
          ? { status: "REFUSED" as const, failure: decidedBecause }
          : { status: "FAILED" as const, failure: refusal.code };
      await wallet.moveRefund(refund.refundId, "ASKED", change, session);
      await wallet.endRefund(payment.paymentId, refund.amount.minor, "NEVER_POSTED", session);
      if (refusal !== undefined) effects.add({ kind: "NOTHING_DONE", subject });
      return;
    }
    const beforeMinor = await wallet.beginRefundPosting(payment.paymentId, session);
    // Identity tells it again: one refund of a payment is booked after the other.
    if (beforeMinor === undefined) throw new Refusal("UNAVAILABLE", "another refund of this payment is being booked");
    await wallet.moveRefund(refund.refundId, "ASKED", { status: "POSTING" }, session);
    const movement = movementOf(payment, refund, beforeMinor, { decidedBy, now: clock.now() }, call);
    const arriving = refund.isHeld === true ? heldWhole(movement, refund) : movement;
    await movements.beginUnasked(call.tenantId, arriving, session);
    effects.add({ kind: "MONEY_REFUNDED", subject: `wallet:${payment.accountId}`, amount: refund.amount });
  };
}

function movementOf(
  payment: Payment,
  refund: Refund,
  beforeMinor: bigint,
  { decidedBy, now }: { decidedBy: string; now: Date },
  { interactionId }: Call,
): UnaskedMovement {
  return {
    movementId: uuidv7(),
    kind: "REFUND",
    accountId: payment.accountId,
    customerId: payment.customerId,
    ownAccounts: [],
    transfers: transfersOfRefund(payment, refund, beforeMinor),
    subjectId: refund.refundId,
    subjectMinor: refund.amount.minor,
    createdAt: now,
    interactionId,
    createdBy: decidedBy,
  };
}

/** All legs bring something into the one wallet: their sum is held there. */
function heldWhole(movement: UnaskedMovement, { amount }: Refund): UnaskedMovement {
  const [leg] = movement.transfers;
  if (leg === undefined) return movement;
  const held = heldBy({ ...leg, amount }, movement, "REFUND_RECEIVED");
  const transfers = [...movement.transfers, transferOfHeld(held)];
  return { ...movement, ownAccounts: [heldAccount(amount.currency)], transfers, held };
}

async function refusedAsPayeeIs(store: WalletStore, { plan }: Payment, tenantId: string): Promise<Refusal | undefined> {
  for (const { creditAccountId, kind } of plan?.transfers ?? []) {
    if (kind !== "wallet_transfer") continue;
    const payee = await store.forTenant(tenantId).findAccount(creditAccountId);
    const refusal = payee === undefined ? undefined : refusalByStatus(payee);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}
