import { v7 as uuidv7 } from "uuid";
import {
  RefundPaymentRequest,
  RefundPaymentResponse,
  type GetPaymentRequest,
  type GetRefundRequest,
  type GetRefundResponse,
} from "../../../proto/gen/wallet/v1/refunds.js";
import type { GetPaymentResponse } from "../../../proto/gen/wallet/v1/wallet.js";
import type { OutcomeHandler } from "../../shared/approvals.js";
import type { Clock } from "../../shared/clocks/clock.js";
import { requireUser, type Call } from "../../shared/grpc/context.js";
import type { RowHandler } from "../../shared/outbox/index.js";
import { formatMoney, parseMoney } from "../../shared/money.js";
import { passing, Refusal } from "../../shared/refusal.js";
import { createKeyedMutex } from "../../shared/batching/keyed-mutex.js";
import { refusalByStatus } from "../domain/account.js";
import { heldAccount, heldBy, transferOfHeld } from "../domain/held.js";
import type { Movement } from "../domain/movement.js";
import { checkPositive, type Payment } from "../domain/payment.js";
import { refundableMinor, transfersOfRefund, type Refund } from "../domain/refund.js";
import { refusedNeutrally } from "../clients/moves.js";
import type { MovementSaga } from "../sagas/movement.js";
import type { WalletStore } from "../store/index.js";
import { refundToWire } from "../wire/money-in.js";
import { paymentToWire, textFromWire } from "../wire/payments.js";
import type { WalletDeps } from "./deps.js";

export const refundRows = { forgetUnasked: "forget-unasked-refund" } as const;
const forgetAfterMs = 10 * 60_000;

/**
 * Holds what is to be refunded, so that nobody else gets it back, and asks for a second person's word. Refuses NOT_FOUND,
 * STATE_CONFLICT for a payment that has not succeeded, is a transaction's or a withdrawal's, REFUND_EXCEEDS_PAYMENT.
 */
export function refundPayment(deps: WalletDeps) {
  const { store, once, approvals, clock, outbox } = deps;
  const turns = createKeyedMutex();
  return async (request: RefundPaymentRequest, call: Call): Promise<RefundPaymentResponse> => {
    const wallet = store.forTenant(call.tenantId);
    const reason = textFromWire(request.reason, "reason", { maximum: 500 });
    const payment = await find(store, request.paymentId, call);
    const { paymentId, total } = payment;
    const { currency } = total;
    const asked = request.amount === "" ? undefined : parseMoney(request.amount, currency, "amount");
    if (asked !== undefined) checkPositive(asked);
    let isHeld = false;
    const { refund } = await once<RefundPaymentRequest, RefundPaymentResponse>({
      operation: "wallet.v1.RefundPayment",
      request,
      requestType: RefundPaymentRequest,
      response: RefundPaymentResponse,
      call,
      async before() {
        const allowed = await allowedBy(deps, payment, call);
        if (allowed.refusal !== undefined) throw allowed.refusal;
        isHeld = allowed.isHeld;
      },
      work: async (session) => {
        // Hundreds at once would otherwise meet in the same document: who comes after one that is committed sees it here.
        const amount = await turns.runExclusive(`${call.tenantId} ${paymentId}`, async () => {
          const fresh = (await wallet.findPayment(paymentId)) ?? payment;
          checkRefundable(fresh);
          const wanted = asked ?? { minor: refundableMinor(fresh), currency };
          const isLeft = wanted.minor > 0n && wanted.minor <= refundableMinor(fresh);
          if (isLeft && (await wallet.holdRefund(paymentId, wanted.minor, session))) return wanted;
          throw new Refusal("REFUND_EXCEEDS_PAYMENT", "so much of the payment is not left to refund");
        });
        const made: Refund = {
          refundId: uuidv7(),
          paymentId,
          amount,
          reason,
          status: "ASKED",
          askedBy: requireUser(call).userId,
          ...(isHeld && { isHeld }),
          createdAt: clock.now(),
        };
        await wallet.insertRefund(made, session);
        const row = {
          tenantId: call.tenantId,
          aggregate: `refund:${made.refundId}`,
          seq: 1,
          kind: refundRows.forgetUnasked,
          payload: { refundId: made.refundId },
          interactionId: call.interactionId,
          actor: made.askedBy,
          dueAt: new Date(Date.now() + forgetAfterMs),
        };
        await outbox.add(row, session);
        return { refund: refundToWire(made) };
      },
    });
    if (refund?.refundId === undefined) throw new Error("a refund without an id");
    const { refundId } = refund;
    const kept = await wallet.findRefund(refundId);
    if (kept === undefined) throw new Error(`refund ${refundId} is not there`);
    // Asked again by whoever repeats the request, where its first try got no further; identity knows the key.
    const approval = await approvals
      .ask(call, {
        idempotencyKey: `wallet-refund:${refundId}`,
        kind: "REFUND",
        subject: `payment:${paymentId}`,
        summary: `Refund ${formatMoney(kept.amount)} ${currency} of payment ${paymentId}`,
        amount: kept.amount,
        reason,
        payload: { refundId },
        customerId: payment.customerId,
      })
      .catch(async (error: unknown) => {
        if (error instanceof Refusal && error.code === "FORBIDDEN")
          await giveUpRefund(store, call.tenantId, kept, "FORBIDDEN");
        throw error;
      });
    await wallet.moveRefund(refundId, "ASKED", { approvalId: approval.approvalId });
    const now = await wallet.findRefund(refundId);
    return { refund: refundToWire({ ...(now ?? kept), approvalId: approval.approvalId }) };
  };
}

/** Whether the payee's status lets it leave, and the payer's lets them have it. */
async function allowedBy({ moves }: WalletDeps, { customerId, plan }: Payment, call: Call) {
  const isFromWallet = plan?.transfers.some(({ kind }) => kind === "wallet_transfer") === true;
  const [given, received] = await Promise.all([
    isFromWallet && moves.ask({ customerId: plan?.payeeCustomerId ?? "", kind: "REFUND_GIVEN" }, call),
    moves.ask({ customerId, kind: "REFUND_RECEIVED" }, call),
  ]);
  // Nobody learns of the payee's status.
  return { refusal: given && given.refusal !== undefined ? refusedNeutrally() : undefined, isHeld: received.isHeld };
}

/** Nobody decides about it: what it held is free again. */
export async function giveUpRefund(
  store: WalletStore,
  tenantId: string,
  refund: Refund,
  failure: string,
): Promise<void> {
  const { refundId, paymentId, amount } = refund;
  const wallet = store.forTenant(tenantId);
  await store.transaction(
    async (session) => {
      if (!(await wallet.moveRefund(refundId, "ASKED", { status: "FAILED", failure }, session))) return true;
      await wallet.endRefund(paymentId, amount.minor, "NEVER_POSTED", session);
      return true;
    },
    async () => ((await wallet.findRefund(refundId))?.status === "ASKED" ? undefined : true),
  );
}

/** For a refund whose asker died before identity was asked, and did not come again. */
export function forgetUnaskedRefund(store: WalletStore): RowHandler {
  return async ({ tenantId, payload }) => {
    const refund = await store.forTenant(tenantId).findRefund(String(payload["refundId"]));
    if (refund?.status === "ASKED" && refund.approvalId === undefined) {
      await giveUpRefund(store, tenantId, refund, "NOT_ASKED");
    }
  };
}

/** What two persons decided: the refund is booked by a movement of its own, or what it held is free again. */
export function refundOutcome(store: WalletStore, movements: () => MovementSaga, clock: Clock): OutcomeHandler {
  return async ({ status, payload, decidedBy, decidedBecause }, session, call) => {
    const wallet = store.forTenant(call.tenantId);
    const refund = await wallet.findRefund(String(payload["refundId"]), session);
    if (refund?.status !== "ASKED") return;
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
      return;
    }
    const beforeMinor = await wallet.beginRefundPosting(payment.paymentId, session);
    // Identity tells it again: one refund of a payment is booked after the other.
    if (beforeMinor === undefined) throw new Refusal("UNAVAILABLE", "another refund of this payment is being booked");
    await wallet.moveRefund(refund.refundId, "ASKED", { status: "POSTING" }, session);
    const movement = movementOf(payment, refund, beforeMinor, { decidedBy, now: clock.now() }, call);
    const arriving = refund.isHeld === true ? heldWhole(movement, refund) : movement;
    await movements().beginUnasked(call.tenantId, arriving, session);
  };
}

function movementOf(
  payment: Payment,
  refund: Refund,
  beforeMinor: bigint,
  { decidedBy, now }: { decidedBy: string; now: Date },
  { interactionId }: Call,
): Movement {
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
    caller: "wallet",
    idempotencyKey: "",
    interactionId,
    createdBy: decidedBy,
  };
}

/** All legs bring something into the one wallet: their sum is held there. */
function heldWhole(movement: Movement, { amount }: Refund): Movement {
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

/** Refuses NOT_FOUND. */
export function getRefund({ store }: WalletDeps) {
  return async (request: GetRefundRequest, call: Call): Promise<GetRefundResponse> => {
    const refund = await store.forTenant(call.tenantId).findRefund(textFromWire(request.refundId, "refundId"));
    if (refund === undefined) throw new Refusal("NOT_FOUND", "no such refund");
    return { refund: refundToWire(refund) };
  };
}

/** Refuses NOT_FOUND, FORBIDDEN for another customer's. */
export function getPayment({ store }: WalletDeps) {
  return async (request: GetPaymentRequest, call: Call): Promise<GetPaymentResponse> => {
    const payment = await find(store, request.paymentId, call);
    const { role, customerId } = requireUser(call);
    if (role === "CUSTOMER" && payment.customerId !== customerId) {
      throw new Refusal("FORBIDDEN", "this is another customer's");
    }
    return { payment: paymentToWire(payment) };
  };
}

async function find(store: WalletStore, paymentId: string, call: Call): Promise<Payment> {
  const payment = await store.forTenant(call.tenantId).findPayment(textFromWire(paymentId, "paymentId"));
  if (payment === undefined) throw new Refusal("NOT_FOUND", "no such payment");
  return payment;
}

function checkRefundable({ payableType, ending, plan }: Payment): void {
  if (payableType === "TRANSACTION") throw new Refusal("STATE_CONFLICT", "a transaction is refunded, not its payment");
  if (payableType === "WITHDRAWAL") throw new Refusal("STATE_CONFLICT", "the bank decides about a withdrawal");
  if (ending === undefined) throw passing("STATE_CONFLICT", "the payment is under way");
  if (ending.status !== "SUCCESS" || plan === undefined) {
    throw new Refusal("STATE_CONFLICT", "only a payment that has succeeded can be refunded");
  }
}
