import type { StoredAnswer, Ticket } from "../../kernel/idempotency/index.js";
import { passing } from "../../kernel/refusal.js";
import type { DriveContext } from "../../kernel/sagas/index.js";
import { turnOfSale } from "../domain/counter-sale.js";
import type { Payment } from "../domain/payment.js";
import type { Session } from "../store/collections.js";
import type { WalletStore } from "../store/index.js";
import { paymentAnswer } from "../wire/payments.js";
import { beginning, createWaiters, waiting } from "./desk-decision.js";
import { sagaOfPayment } from "./payment-identity.js";
import { payPlanned, payTransaction, type PaymentPostingDeps } from "./payment-posting.js";
import { refuseUsedUp, reserveSale } from "./sale-cash.js";
import { createTillTurns } from "./till-cash.js";
import { reserveDayLimit } from "./wallet-daily-limit.js";

export type PaymentSaga = ReturnType<typeof createPaymentSaga>;

/** A payment from its first record to its one answer. */
export function createPaymentSaga(given: Omit<PaymentPostingDeps, "atTill">) {
  const deps: PaymentPostingDeps = { ...given, atTill: createTillTurns() };
  const { store, sagas, crashPoint, atTill } = deps;
  const waiters = createWaiters();

  /**
   * First transaction. Throws Taken when the reference has a payment already, and what reserving
   * refuses.
   */
  async function begin(tenantId: string, payment: Payment, ticket: Ticket): Promise<void> {
    const wallet = store.forTenant(tenantId);
    const begun = {
      ticket,
      id: payment.paymentId,
      insert: async (session: Session) => {
        await reserve(store, tenantId, payment, session);
        await wallet.insertPayment(payment, session);
        return true;
      },
      readBack: async () => (await wallet.findPayment(payment.paymentId)) && true,
      // A day's limit is read, and a till or what an agent has.
      onlyWrites: payment.spentOn === undefined && payment.sale === undefined,
    };
    await beginning(waiters, payment.paymentId, async () => {
      await atTill(tenantId, turnOfSale(payment), async () => {
        await refuseUsedUp(wallet, payment);
        return sagas.begin(sagaOfPayment(tenantId, payment), begun);
      });
      crashPoint("wallet.payment.recorded");
    });
  }

  /**
   * Drives a payment to its end and gives its one answer. Idempotent and safe beside itself: the
   * handler, a client's retry and the recovery row all run this. Throws while the outcome is
   * unknown; the payment then stays PENDING.
   */
  const drive = (tenantId: string, payment: Payment, context: DriveContext): Promise<StoredAnswer> =>
    waiting(waiters, payment.paymentId, context, async (known) => {
      const answer = paymentAnswer(payment);
      if (answer !== undefined) return answer;
      const driven = { tenantId, payment, context: known };
      return payment.plan === undefined ? payTransaction(deps, driven) : payPlanned(deps, driven, payment.plan);
    });

  /** As drive, of the payment as it is now. */
  async function driveById(tenantId: string, paymentId: string, context: DriveContext): Promise<StoredAnswer> {
    const payment = await store.forTenant(tenantId).findPayment(paymentId);
    if (payment === undefined) throw new Error(`payment ${paymentId} is not there`);
    return drive(tenantId, payment, context);
  }

  return { begin, drive, driveById };
}

/**
 * Claims the item that is paid once and reserves the day's limit, or what a sale takes. Throws a
 * Refusal when any is gone.
 */
async function reserve(store: WalletStore, tenantId: string, payment: Payment, session: Session): Promise<void> {
  const { paymentId, accountId, plan, spentOn, total } = payment;
  const wallet = store.forTenant(tenantId);
  if (plan?.itemId !== undefined && !(await wallet.claimPayable(plan.itemId, paymentId, session))) {
    throw passing("PAYABLE_NOT_OPEN", "another payment is paying it, or has paid it");
  }
  if (spentOn !== undefined) await reserveDayLimit(wallet, { accountId, day: spentOn, amount: total }, session);
  await reserveSale(wallet, payment, session);
}
