import type { StoredAnswer, Ticket } from "../../shared/idempotency/index.js";
import type { Outbox } from "../../shared/outbox/index.js";
import { isAboutState, keptRefusal, passing, Refusal } from "../../shared/refusal.js";
import {
  identityOf,
  isKept,
  type DriveContext,
  type SagaEnding,
  type SagaIdentity,
  type Sagas,
} from "../../shared/sagas/index.js";
import type { Compliance, Remittance } from "../clients/neighbours.js";
import type { Posted, Posting } from "../clients/posting.js";
import { heldAccount, heldBy, transferOfHeld, type NewlyHeld } from "../domain/held-arrival.js";
import type { Payment, PaymentEnding, PaymentPlan } from "../domain/payment.js";
import { transfersOfTransaction } from "../domain/transfers.js";
import type { Session } from "../store/collections.js";
import type { WalletStore } from "../store/index.js";
import { paymentAnswer } from "../wire/payments.js";
import { checkWithCompliance } from "./compliance-check.js";
import { releaseDayLimit, reserveDayLimit } from "./wallet-daily-limit.js";
import type { HeldArrivals } from "./held-arrivals.js";
import { claimTransaction } from "./payment-claim.js";
import { paymentRows, recoveryRows, withdrawalRows, type MarkPaidPayload, type ReleasePayload } from "./row-kinds.js";

export const makePaymentOperation = "wallet.v1.MakePayment";

export interface PaymentSagaDeps {
  store: WalletStore;
  sagas: Sagas;
  posting: Posting;
  compliance: Pick<Compliance, "checkWalletPayment">;
  remittance: Pick<Remittance, "claimTransaction">;
  heldArrivals: Pick<HeldArrivals, "note">;
  outbox: Pick<Outbox, "runNow">;
  crashPoint: (name: string) => void;
}

export type PaymentSaga = ReturnType<typeof createPaymentSaga>;

type FollowUps = NonNullable<SagaEnding["next"]>;

/** A payment from its first record to its one answer. */
export function createPaymentSaga(deps: PaymentSagaDeps) {
  const { store, sagas, posting, crashPoint } = deps;

  /**
   * First transaction. Throws Taken when the reference has a payment already, and what reserving
   * refuses.
   */
  async function begin(tenantId: string, payment: Payment, ticket: Ticket): Promise<void> {
    const wallet = store.forTenant(tenantId);
    await sagas.begin(sagaOf(tenantId, payment), {
      ticket,
      id: payment.paymentId,
      insert: async (session) => {
        await reserve(store, tenantId, payment, session);
        await wallet.insertPayment(payment, session);
        return true;
      },
      readBack: async () => (await wallet.findPayment(payment.paymentId)) && true,
      // A day's limit is read.
      onlyWrites: payment.spentOn === undefined,
    });
    crashPoint("wallet.payment.recorded");
  }

  /**
   * Drives a payment to its end and gives its one answer. Idempotent and safe beside itself: the
   * handler, a client's retry and the recovery row all run this. Throws while the outcome is
   * unknown; the payment then stays PENDING.
   */
  async function drive(tenantId: string, payment: Payment, context: DriveContext): Promise<StoredAnswer> {
    const answer = paymentAnswer(payment);
    if (answer !== undefined) return answer;
    return payment.plan === undefined
      ? payTransaction(tenantId, payment, context)
      : payPlanned(tenantId, payment, payment.plan, context);
  }

  /** As drive, of the payment as it is now. */
  async function driveById(tenantId: string, paymentId: string, context: DriveContext): Promise<StoredAnswer> {
    const payment = await store.forTenant(tenantId).findPayment(paymentId);
    if (payment === undefined) throw new Error(`payment ${paymentId} is not there`);
    return drive(tenantId, payment, context);
  }

  /** Claimed at remittance, which says its parts, then posted. */
  async function payTransaction(tenantId: string, payment: Payment, context: DriveContext): Promise<StoredAnswer> {
    const due = await claimTransaction(deps, tenantId, payment, context);
    if (due instanceof Refusal) return fail(tenantId, payment, due, afterRefusal(payment, due), context);
    crashPoint("wallet.payment.claimed");
    const posted = await posting.post(tenantId, payment, transfersOfTransaction(payment, due), context);
    if (!(posted instanceof Refusal)) return succeed(tenantId, payment, posted, [], context);
    const answer = await fail(tenantId, payment, posted, afterRefusal(payment, posted), context);
    // The claim is given back before anybody is answered; the relay that drives this aggregate goes
    // on to the row by itself.
    if (context.closeRecovery === undefined) {
      await deps.outbox.runNow(tenantId, aggregateOf(payment.paymentId));
      crashPoint("wallet.payment.released");
    }
    return answer;
  }

  /**
   * Checked by compliance, which takes its part of the day's limit there, then posted as it was
   * planned.
   */
  async function payPlanned(
    tenantId: string,
    payment: Payment,
    plan: PaymentPlan,
    context: DriveContext,
  ): Promise<StoredAnswer> {
    const { paymentId, customerId, total, interactionId, payableType } = payment;
    const kind = payableType === "WITHDRAWAL" ? ("MOVE_KIND_WITHDRAWAL" as const) : ("MOVE_KIND_PAYMENT" as const);
    const { payeeCustomerId, transfers, ownAccounts } = plan;
    const check = { paymentId, customerId, payeeCustomerId, amount: total, atOnce: true, kind };
    const checked = await checkWithCompliance(deps.compliance, { tenantId, interactionId }, check, context);
    if (checked instanceof Refusal) return fail(tenantId, payment, checked, [], context);
    crashPoint("wallet.payment.checked");
    const held = checked.isHeldForPayee ? heldForPayee(plan) : [];
    const heldIn = held.length > 0 ? [heldAccount(total.currency)] : [];
    await posting.ensureAccounts(tenantId, payment, [...ownAccounts, ...heldIn], context);
    const group = [...transfers, ...held.map(transferOfHeld)];
    const posted = await posting.post(tenantId, payment, group, context);
    if (!(posted instanceof Refusal)) return succeed(tenantId, payment, posted, held, context);
    return fail(tenantId, payment, posted, [{ kind: paymentRows.freeLimit, payload: { paymentId } }], context);
  }

  async function succeed(
    tenantId: string,
    payment: Payment,
    { debitBalanceMinor: newBalanceMinor, postedAt: paidAt }: Posted,
    held: readonly NewlyHeld[],
    context: DriveContext,
  ): Promise<StoredAnswer> {
    crashPoint("wallet.payment.posted");
    const ending = { status: "SUCCESS", newBalanceMinor, paidAt } as const;
    const answer = await end(tenantId, payment, ending, { next: afterSuccess(payment, paidAt), held }, context);
    crashPoint("wallet.payment.succeeded");
    if (answer.kind !== "response") throw new Error(`payment ${payment.paymentId} is posted but has failed`);
    return answer;
  }

  async function fail(
    tenantId: string,
    payment: Payment,
    refusal: Refusal,
    next: FollowUps,
    context: DriveContext,
  ): Promise<StoredAnswer> {
    const ending = { status: "FAILED", refusal: keptRefusal(refusal) } as const;
    const answer = await end(tenantId, payment, ending, { next, held: [] }, context);
    crashPoint("wallet.payment.refused");
    return answer;
  }

  /** Last transaction. Gives the answer that stands: another driver may have been first. */
  async function end(
    tenantId: string,
    payment: Payment,
    ending: PaymentEnding,
    { next, held }: { next: FollowUps; held: readonly NewlyHeld[] },
    context: DriveContext,
  ): Promise<StoredAnswer> {
    const wallet = store.forTenant(tenantId);
    const { paymentId, interactionId, createdBy: actor } = payment;
    const answer = paymentAnswer({ ...payment, ending }) as StoredAnswer;
    const ended: SagaEnding = {
      answer,
      apply: async (session) => {
        if (!(await wallet.endPayment(paymentId, ending, !isKept(answer), session))) return false;
        await settle(store, tenantId, payment, ending.status === "SUCCESS", session);
        for (const one of held) await deps.heldArrivals.note({ tenantId, interactionId, actor }, one, session);
        return true;
      },
      readBack: async () => {
        const found = await wallet.findPayment(paymentId);
        return found && paymentAnswer(found);
      },
      // What is not kept is taken away.
      onlyWrites: isKept(answer) && held.length === 0,
      next,
    };
    return sagas.end(sagaOf(tenantId, payment), ended, context);
  }

  return { begin, drive, driveById };
}

/**
 * Claims the item that is paid once and reserves the day's limit. Throws a Refusal when either is
 * gone.
 */
async function reserve(store: WalletStore, tenantId: string, payment: Payment, session: Session): Promise<void> {
  const { paymentId, accountId, plan, spentOn, total } = payment;
  const wallet = store.forTenant(tenantId);
  if (plan?.itemId !== undefined && !(await wallet.claimPayable(plan.itemId, paymentId, session))) {
    throw passing("PAYABLE_NOT_OPEN", "another payment is paying it, or has paid it");
  }
  if (spentOn !== undefined) await reserveDayLimit(wallet, { accountId, day: spentOn, amount: total }, session);
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

/** What the payee's wallet gets of it. */
function heldForPayee({ transfers, payeeCustomerId: customerId }: PaymentPlan): NewlyHeld[] {
  return transfers
    .filter(({ kind }) => kind === "wallet_transfer")
    .map((leg) => heldBy(leg, { accountId: leg.creditAccountId, customerId }, "PAYMENT_RECEIVED"));
}

/**
 * What follows from a payment that succeeded; its part of compliance's limit is spent since the
 * check.
 */
function afterSuccess({ paymentId, payableId, payableType }: Payment, paidAt: Date): FollowUps {
  if (payableType === "TRANSACTION") {
    const payload: MarkPaidPayload = { transactionId: payableId, paymentId, paidAt };
    return [{ kind: paymentRows.markPaid, payload }];
  }
  return payableType === "WITHDRAWAL" ? [{ kind: withdrawalRows.drive, payload: { payableId, paymentId } }] : [];
}

/**
 * Remittance is told in any case, so that a claim still on its way finds the payment over. A
 * payment of input that was wrong never had a transaction of this payer.
 */
function afterRefusal({ paymentId, payableId: transactionId }: Payment, refusal: Refusal): FollowUps {
  const payload: ReleasePayload = { transactionId, paymentId, reason: refusal.code };
  return isAboutState(refusal.code) ? [{ kind: paymentRows.release, payload }] : [];
}

const aggregateOf = (paymentId: string): string => `payment:${paymentId}`;

function sagaOf(tenantId: string, payment: Payment): SagaIdentity {
  const { paymentId } = payment;
  return identityOf(tenantId, payment, {
    operation: makePaymentOperation,
    aggregate: aggregateOf(paymentId),
    recovery: recoveryRows.payment,
    payload: { paymentId },
  });
}
