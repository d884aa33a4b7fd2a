import { v7 as uuidv7 } from "uuid";
import { RefundPaymentRequest, RefundPaymentResponse } from "../../../proto/gen/wallet/v1/refunds.js";
import type { WalletServiceDefinition } from "../../../proto/gen/wallet/v1/wallet.js";
import { createKeyedMutex } from "../../kernel/batching/keyed-mutex.js";
import { refusedNeutrally } from "../../platform/neighbours/customer-moves.js";
import { requireUser, type Call } from "../../kernel/grpc/context.js";
import { parseMoney, type Money } from "../../kernel/money.js";
import { Refusal } from "../../kernel/refusal.js";
import { textFromWire } from "../../kernel/text/wire-text.js";
import { reasonFromWire } from "../../kernel/text/reason.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { checkPositive, isFromWallet, type Payment } from "../domain/payment.js";
import { checkRefundable, refundableMinor, type Refund } from "../domain/refund.js";
import { rowKinds } from "../row-kinds.js";
import type { Session } from "../store/collections.js";
import { refundToWire } from "../wire/refunds.js";
import type { WalletDeps } from "./deps.js";
import { findPayment } from "./find-payment.js";
import { requestRefundApproval } from "./refund-approval.js";
import { unaskedRow } from "./unasked-row.js";

/** Refunds of payments between wallets. */
export function refundHandlers(deps: WalletDeps) {
  const { store, runOnce } = deps;
  const hold = refundHolding(deps);

  return {
    /**
     * Holds what is to be refunded, so that no other refund takes it, and asks a second person to
     * approve it. Refuses NOT_FOUND, STATE_CONFLICT for a payment that has not succeeded, is a
     * transaction's or a withdrawal's, REFUND_EXCEEDS_PAYMENT, REFUND_LIMIT_REACHED.
     */
    async refundPayment(request, call) {
      const reason = reasonFromWire(request.reason);
      const payment = await findPayment(store, request.paymentId, call);
      const wanted = request.amount === "" ? undefined : parseMoney(request.amount, payment.total.currency, "amount");
      if (wanted !== undefined) checkPositive(wanted);
      let isHeld = false;
      const { refund } = await runOnce<RefundPaymentRequest, RefundPaymentResponse>({
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
          const amount = await hold(payment, wanted, call, session);
          return { refund: refundToWire(await keep(deps, { payment, amount, reason, isHeld }, call, session)) };
        },
      });
      const wallet = store.forTenant(call.tenantId);
      const refundId = refund?.refundId ?? "";
      const stored = await wallet.findRefund(refundId);
      if (stored === undefined) throw new Error(`refund ${refundId} is not there`);
      const approvalId = await requestRefundApproval(deps, stored, payment.customerId, call);
      const now = await wallet.findRefund(refundId);
      return { refund: refundToWire({ ...(now ?? stored), approvalId }) };
    },

    /** Refuses NOT_FOUND. */
    async getRefund(request, call) {
      const refund = await store.forTenant(call.tenantId).findRefund(textFromWire(request.refundId, "refundId"));
      if (refund === undefined) throw new Refusal("NOT_FOUND", "no such refund");
      return { refund: refundToWire(refund) };
    },
  } satisfies Partial<Handlers<WalletServiceDefinition>>;
}

/**
 * Holds a part of a payment, or all that is left. A mutex spares hundreds at once from conflicts in
 * one document.
 */
function refundHolding({ store }: Pick<WalletDeps, "store">) {
  const mutex = createKeyedMutex();
  return (payment: Payment, wanted: Money | undefined, { tenantId }: Call, session: Session): Promise<Money> =>
    mutex.runExclusive(`${tenantId} ${payment.paymentId}`, async () => {
      const wallet = store.forTenant(tenantId);
      const fresh = (await wallet.findPayment(payment.paymentId)) ?? payment;
      checkRefundable(fresh);
      const left = refundableMinor(fresh);
      const amount = wanted ?? { minor: left, currency: payment.total.currency };
      const isLeft = amount.minor > 0n && amount.minor <= left;
      if (isLeft && (await wallet.holdRefund(payment.paymentId, amount.minor, session))) return amount;
      throw new Refusal("REFUND_EXCEEDS_PAYMENT", "so much of the payment is not left to refund");
    });
}

/** Stores the refund, with the row that gives it up where no approval is asked for. */
async function keep(
  { store, clock, outbox }: WalletDeps,
  { payment, amount, reason, isHeld }: { payment: Payment; amount: Money; reason: string; isHeld: boolean },
  call: Call,
  session: Session,
): Promise<Refund> {
  const { tenantId } = call;
  const { paymentId } = payment;
  const [refundId, askedBy] = [uuidv7(), requireUser(call).userId];
  const refund: Refund = {
    refundId,
    paymentId,
    amount,
    reason,
    status: "ASKED",
    askedBy,
    ...(isHeld && { isHeld }),
    createdAt: clock.now(),
  };
  await store.forTenant(tenantId).insertRefund(refund, session);
  await outbox.add(unaskedRow(call, rowKinds.forgetUnaskedRefund, `refund:${refundId}`, { refundId }), session);
  return refund;
}

/** Asks whether the payee's status lets it leave, and whether the payer may have it. */
async function allowedBy({ moves }: WalletDeps, payment: Payment, call: Call) {
  const { customerId, plan } = payment;
  const [given, received] = await Promise.all([
    isFromWallet(payment) && moves.ask({ customerId: plan?.payeeCustomerId ?? "", kind: "REFUND_GIVEN" }, call),
    moves.ask({ customerId, kind: "REFUND_RECEIVED" }, call),
  ]);
  // Nobody learns of the payee's status.
  return { refusal: given && given.refusal !== undefined ? refusedNeutrally() : undefined, isHeld: received.isHeld };
}
