import type { StoredAnswer } from "../../kernel/idempotency/index.js";
import { isAboutState, storedRefusal, type Refusal } from "../../kernel/refusal.js";
import { isFinalAnswer, type SagaEnding, type Sagas } from "../../kernel/sagas/index.js";
import type { Outbox } from "../../kernel/outbox/index.js";
import type { Posted } from "../clients/posting.js";
import { isSold, turnOfSale } from "../domain/counter-sale.js";
import type { NewlyHeld } from "../domain/held-arrival.js";
import type { Payment, PaymentEnding } from "../domain/payment.js";
import type { Session } from "../store/collections.js";
import type { WalletStore } from "../store/index.js";
import { paymentAnswer } from "../wire/payments.js";
import { paymentEventRow } from "../wire/event-rows.js";
import type { DeskContext } from "./desk-decision.js";
import type { HeldArrivals } from "./held-arrivals.js";
import { sagaOfPayment } from "./payment-identity.js";
import { tellOfPayment, type PaymentTellingDeps } from "./payment-telling.js";
import { rowKinds, type MarkPaidPayload, type ReleasePayload } from "../row-kinds.js";
import { settleSale } from "./sale-cash.js";
import type { AtTill } from "./till-cash.js";
import { releaseDayLimit } from "./wallet-daily-limit.js";

export interface PaymentEndingDeps extends PaymentTellingDeps {
  store: WalletStore;
  sagas: Sagas;
  heldArrivals: Pick<HeldArrivals, "note">;
  atTill: AtTill;
  outbox: Pick<Outbox, "add" | "runNow">;
  crashPoint: (name: string) => void;
}

/** A payment that is not over yet, on its way to its end. */
export interface DrivenPayment {
  readonly tenantId: string;
  readonly payment: Payment;
  readonly context: DeskContext;
}

type FollowUps = NonNullable<SagaEnding["next"]>;

/**
 * Ends a payment that is posted; `held` is what of it the payee may not have yet. Its transaction
 * is PAID at remittance first, so that nobody who knows the answer reads an older state there.
 */
export async function succeedPayment(
  deps: PaymentEndingDeps,
  driven: DrivenPayment,
  { debitBalanceMinor: newBalanceMinor, postedAt: paidAt, day }: Posted,
  held: readonly NewlyHeld[],
): Promise<StoredAnswer> {
  const { tenantId, payment, context } = driven;
  deps.crashPoint("wallet.payment.posted");
  const isOfRemittance = payment.payableType === "TRANSACTION";
  const isKnown = !isOfRemittance || (await tellOfPayment(deps, { tenantId, payment, paidAt }, context));
  if (isOfRemittance && isKnown) deps.crashPoint("wallet.payment.marked");
  const payableStatus = isKnown ? "PAID" : "PAYING";
  const ending = {
    status: "SUCCESS",
    newBalanceMinor,
    paidAt,
    payableStatus,
    ...(isSold(payment) && { day }),
  } as const;
  const answer = await end(deps, driven, ending, { next: followUpsOfSuccess(payment, ending), held });
  deps.crashPoint("wallet.payment.succeeded");
  if (answer.kind !== "response") throw new Error(`payment ${payment.paymentId} is posted but has failed`);
  return answer;
}

/** Ends a payment that moved nothing. */
export async function failPayment(
  deps: PaymentEndingDeps,
  driven: DrivenPayment,
  refusal: Refusal,
  next: FollowUps,
): Promise<StoredAnswer> {
  const ending = { status: "FAILED", refusal: storedRefusal(refusal) } as const;
  const answer = await end(deps, driven, ending, { next, held: [] });
  deps.crashPoint("wallet.payment.refused");
  return answer;
}

/** Last transaction. Gives the answer that stands: another driver may have been first. */
async function end(
  deps: PaymentEndingDeps,
  { tenantId, payment, context }: DrivenPayment,
  ending: PaymentEnding,
  { next, held }: { next: FollowUps; held: readonly NewlyHeld[] },
): Promise<StoredAnswer> {
  const { store, sagas, heldArrivals, atTill } = deps;
  const wallet = store.forTenant(tenantId);
  const { paymentId, interactionId, createdBy: actor } = payment;
  const over = { ...payment, ending };
  const answer = paymentAnswer(over) as StoredAnswer;
  const isPaid = ending.status === "SUCCESS";
  const [type, at] = isPaid
    ? (["payment.succeeded", ending.paidAt] as const)
    : (["payment.failed", new Date()] as const);
  const ended: SagaEnding = {
    answer,
    apply: async (session) => {
      if (!(await wallet.endPayment(paymentId, ending, !isFinalAnswer(answer), session))) return false;
      await settle(store, tenantId, payment, isPaid, session);
      await settleSale(deps, tenantId, payment, ending, session);
      for (const one of held) await heldArrivals.note({ tenantId, interactionId, actor }, one, session);
      return true;
    },
    readBack: async () => {
      const found = await wallet.findPayment(paymentId);
      return found && paymentAnswer(found);
    },
    // What is not kept is taken away.
    onlyWrites: isFinalAnswer(answer) && held.length === 0 && !isSold(payment),
    next,
    eventRows: [paymentEventRow({ tenantId, interactionId, actor }, type, over, at)],
  };
  return atTill(tenantId, turnOfSale(payment), () => sagas.end(sagaOfPayment(tenantId, payment), ended, context));
}

/** Pays the item for good, or frees it and gives the day back what did not leave. */
async function settle(store: WalletStore, tenantId: string, payment: Payment, isPaid: boolean, session: Session) {
  const { paymentId, accountId, plan, spentOn, payableType, total } = payment;
  const wallet = store.forTenant(tenantId);
  const part = spentOn === undefined ? undefined : { accountId, day: spentOn, amount: total };
  if (!isPaid) await releaseDayLimit(wallet, part, session);
  if (plan?.itemId === undefined) return;
  if (!isPaid) return wallet.releasePayable(plan.itemId, paymentId, session);
  const to = payableType === "WITHDRAWAL" ? "SENDING" : "PAID";
  if (await wallet.movePayable(plan.itemId, "PAYING", to, session)) return;
  throw new Error(`payment ${paymentId} has paid ${plan.itemId}, which it does not hold`);
}

/**
 * What follows from a payment that succeeded; its part of compliance's limit is spent since the
 * check.
 */
function followUpsOfSuccess(
  { paymentId, payableId, payableType }: Payment,
  { paidAt, payableStatus }: { paidAt: Date; payableStatus: "PAID" | "PAYING" },
): FollowUps {
  if (payableStatus === "PAYING") {
    const payload: MarkPaidPayload = { transactionId: payableId, paymentId, paidAt };
    return [{ kind: rowKinds.markPaid, payload }];
  }
  return payableType === "WITHDRAWAL" ? [{ kind: rowKinds.driveWithdrawal, payload: { payableId, paymentId } }] : [];
}

/**
 * Remittance is told in any case, so that a claim still on its way finds the payment over. A
 * payment of input that was wrong never had a transaction of this payer.
 */
export function followUpsOfRefusal({ paymentId, payableId: transactionId }: Payment, refusal: Refusal): FollowUps {
  const payload: ReleasePayload = { transactionId, paymentId, reason: refusal.code };
  return isAboutState(refusal.code) ? [{ kind: rowKinds.releaseTransaction, payload }] : [];
}
