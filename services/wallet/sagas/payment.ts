import type { CheckWalletPaymentResponse } from "../../../proto/gen/compliance/v1/compliance.js";
import { outgoing } from "../../shared/grpc/client.js";
import type { StoredAnswer, Ticket } from "../../shared/idempotency/index.js";
import { moneyFromWire, moneyToWire } from "../../shared/money.js";
import type { Outbox } from "../../shared/outbox/index.js";
import { isAboutState, keptRefusal, passing, Refusal, type RefusalCode } from "../../shared/refusal.js";
import { isKept, type DriveContext, type SagaEnding, type SagaIdentity, type Sagas } from "../../shared/sagas.js";
import { heldAccount, heldBy, transferOfHeld, type NewlyHeld } from "../domain/held.js";
import type { Due, Payment, PaymentEnding } from "../domain/payment.js";
import { firstKeyOf, transfersOfTransaction, transferToWallet, type PlannedTransfer } from "../domain/transfers.js";
import { giveBackToDay, takeOfDay } from "../store/day-limit.js";
import type { HeldArrivals } from "./held-arrivals.js";
import { decisionOr, type Compliance, type Remittance } from "../clients/neighbours.js";
import { deadlineOf, type Posted, type Posting } from "../clients/posting.js";
import type { Session, WalletStore } from "../store/index.js";
import { withdrawalRows } from "./withdrawal.js";
import { paymentAnswer } from "../wire/payments.js";

export const makePaymentOperation = "wallet.v1.MakePayment";

/** Kinds of this saga's outbox rows. */
export const paymentRows = {
  recovery: "drive-payment",
  markPaid: "mark-transaction-paid",
  release: "release-transaction",
  confirmLimit: "confirm-limit",
  freeLimit: "free-limit",
} as const;

export type MarkPaidPayload = { transactionId: string; paymentId: string; paidAt: Date };
export type SettlePayload = { paymentId: string };
export type ReleasePayload = { transactionId: string; paymentId: string; reason: string };

// What remittance decides about a claim. After each of them the transaction is not held by this payment.
const claimDecisions: ReadonlySet<RefusalCode> = new Set([
  "INVALID_INPUT",
  "FORBIDDEN",
  "PAYER_NOT_SENDER",
  "NOT_FOUND",
  "PAYABLE_NOT_FOUND",
  "TRANSACTION_NOT_FOUND",
  "TRANSACTION_NOT_PAYABLE",
  "TRANSACTION_EXPIRED",
  "PAYABLE_ALREADY_PAID",
  "AMOUNT_MISMATCH",
  "CURRENCY_MISMATCH",
] as const);

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

/** A payment from its first record to its one answer. */
export function createPaymentSaga(deps: PaymentSagaDeps) {
  const { store, sagas, posting, compliance, remittance, heldArrivals, outbox, crashPoint } = deps;

  /** First transaction. Throws Taken when the reference has a payment already. */
  async function begin(tenantId: string, payment: Payment, ticket: Ticket): Promise<void> {
    const wallet = store.forTenant(tenantId);
    await sagas.begin(identityOf(tenantId, payment), {
      ticket,
      id: payment.paymentId,
      insert: async (session) => {
        await take(tenantId, payment, session);
        await wallet.insertPayment(payment, session);
        return true;
      },
      readBack: async () => (await wallet.findPayment(payment.paymentId)) && true,
      // A day's limit is read.
      onlyWrites: payment.spentOn === undefined,
    });
    crashPoint("wallet.payment.recorded");
  }

  /** What nobody else may take meanwhile: the item that is paid once, and a part of the day's limit. Throws the refusal. */
  async function take(tenantId: string, { paymentId, accountId, plan, spentOn, total }: Payment, session: Session) {
    const wallet = store.forTenant(tenantId);
    if (plan?.itemId !== undefined && !(await wallet.claimPayable(plan.itemId, paymentId, session))) {
      throw passing("PAYABLE_NOT_OPEN", "another payment is paying it, or has paid it");
    }
    if (spentOn !== undefined) await takeOfDay(wallet, { accountId, day: spentOn, amount: total }, session);
  }

  /** In the last transaction: the item is paid or free again, and the day gets back what did not leave. */
  async function settle(tenantId: string, payment: Payment, isPaid: boolean, session: Session): Promise<void> {
    const wallet = store.forTenant(tenantId);
    const { paymentId, accountId, plan, spentOn, payableType, total } = payment;
    const part = spentOn === undefined ? undefined : { accountId, day: spentOn, amount: total };
    if (!isPaid) await giveBackToDay(wallet, part, session);
    if (plan?.itemId === undefined) return;
    if (!isPaid) return wallet.releasePayable(plan.itemId, paymentId, session);
    const to = payableType === "WITHDRAWAL" ? "SENDING" : "PAID";
    if (await wallet.movePayable(plan.itemId, "PAYING", to, session)) return;
    throw new Error(`payment ${paymentId} has paid ${plan.itemId}, which it does not hold`);
  }

  /**
   * Drives a payment to its end and gives its one answer. Idempotent and safe beside itself: the handler, a client's retry and the
   * recovery row all run this. Throws while the outcome is unknown; the payment then stays PENDING.
   */
  async function drive(tenantId: string, payment: Payment, pass: DriveContext): Promise<StoredAnswer> {
    const answer = paymentAnswer(payment);
    if (answer !== undefined) return answer;
    if (payment.payableType !== "TRANSACTION") {
      const checked = await askCompliance(tenantId, payment, pass);
      if (checked instanceof Refusal) return fail(tenantId, payment, checked, { isClaimed: false, next: [] }, pass);
      crashPoint("wallet.payment.checked");
      const { transfers, ownAccounts } = payment.plan ?? { transfers: [transferToWallet(payment)], ownAccounts: [] };
      const held = checked.isHeldForPayee ? heldOf(transfers, payment) : [];
      const heldIn = held.length > 0 ? [heldAccount(payment.total.currency)] : [];
      await posting.ensureAccounts(tenantId, payment, [...ownAccounts, ...heldIn], pass);
      const group = [...transfers, ...held.map(transferOfHeld)];
      return finish(tenantId, payment, await posting.post(tenantId, payment, group, pass), pass, held);
    }
    const due = await claim(tenantId, payment, pass);
    if (due instanceof Refusal) return fail(tenantId, payment, due, released(payment, due, false), pass);
    crashPoint("wallet.payment.claimed");
    const transfers = transfersOfTransaction(payment, due);
    return finish(tenantId, payment, await posting.post(tenantId, payment, transfers, pass), pass);
  }

  /** As drive, of the payment as it is now. */
  async function driveById(tenantId: string, paymentId: string, pass: DriveContext): Promise<StoredAnswer> {
    const payment = await store.forTenant(tenantId).findPayment(paymentId);
    if (payment === undefined) throw new Error(`payment ${paymentId} is not there`);
    return drive(tenantId, payment, pass);
  }

  /** Compliance decides once per payment, takes its part of the day's limit and says whether the payee may have it. */
  async function askCompliance(tenantId: string, payment: Payment, pass: DriveContext) {
    const { paymentId, customerId, total, interactionId, payableType } = payment;
    const payeeCustomerId = await payeeOf(tenantId, payment);
    const kind = payableType === "WITHDRAWAL" ? ("MOVE_KIND_WITHDRAWAL" as const) : ("MOVE_KIND_PAYMENT" as const);
    const request = { paymentId, customerId, payeeCustomerId, amount: moneyToWire(total), atOnce: true, kind };
    const call = outgoing({ tenantId, interactionId, ...deadlineOf(pass) });
    const answer = await compliance.checkWalletPayment(request, call).catch((error: unknown) => {
      throw decisionOr(error, new Set(), "a check of a payment");
    });
    return answer.approved ? answer : complianceRefusal(answer);
  }

  async function payeeOf(tenantId: string, { paymentId, payableId, plan }: Payment): Promise<string> {
    if (plan !== undefined) return plan.payeeCustomerId;
    // A payment that a previous version has begun.
    const payee = await store.forTenant(tenantId).findAccount(payableId);
    if (payee === undefined) throw new Error(`payment ${paymentId} pays a wallet that is not there`);
    return payee.customerId;
  }

  /** What is due, claimed for this payment; or remittance's refusal. */
  async function claim(tenantId: string, payment: Payment, pass: DriveContext): Promise<Due | Refusal> {
    const { paymentId, payableId: transactionId, customerId, total, interactionId } = payment;
    const call = outgoing({ tenantId, interactionId, ...deadlineOf(pass) });
    try {
      const claimed = await remittance.claimTransaction(
        { transactionId, paymentId, customerId, totalAmount: moneyToWire(total) },
        call,
      );
      const { principal, totalFees, totalTaxes, ...accounts } = claimed;
      return {
        ...accounts,
        principal: moneyFromWire(principal, "principal"),
        fees: moneyFromWire(totalFees, "totalFees"),
        taxes: moneyFromWire(totalTaxes, "totalTaxes"),
      };
    } catch (error) {
      const refusal = decisionOr(error, claimDecisions, "a claim");
      // A claim repeated for its own payment succeeds. Were it ever refused after the money moved, failing the payment would lose it.
      if (pass.isFirst !== true && (await posting.hasPosted(tenantId, payment, firstKeyOf(payment), pass))) {
        throw new Error(`payment ${paymentId} is posted but its claim was refused: ${refusal.code}`, { cause: error });
      }
      return refusal.code === "INVALID_INPUT" ? new Refusal("PAYABLE_NOT_FOUND", "no such transaction") : refusal;
    }
  }

  async function finish(
    tenantId: string,
    payment: Payment,
    posted: Posted | Refusal,
    pass: DriveContext,
    held: readonly NewlyHeld[] = [],
  ): Promise<StoredAnswer> {
    if (posted instanceof Refusal) {
      const isTransaction = payment.payableType === "TRANSACTION";
      const freed = { kind: paymentRows.freeLimit, payload: { paymentId: payment.paymentId } };
      const after = isTransaction ? released(payment, posted, true) : { isClaimed: false, next: [freed] };
      return fail(tenantId, payment, posted, after, pass);
    }
    crashPoint("wallet.payment.posted");
    const { debitBalanceMinor: newBalanceMinor, postedAt: paidAt } = posted;
    const next = afterSuccess(payment, paidAt);
    const answer = await end(tenantId, payment, { status: "SUCCESS", newBalanceMinor, paidAt }, pass, { next, held });
    crashPoint("wallet.payment.succeeded");
    if (answer.kind !== "response") throw new Error(`payment ${payment.paymentId} is posted but has failed`);
    return answer;
  }

  /**
   * Remittance is told in any case, so that a claim still on its way finds the payment over. A payment of input that was wrong never
   * had a transaction of this payer.
   */
  function released({ paymentId, payableId: transactionId }: Payment, refusal: Refusal, isClaimed: boolean): After {
    const payload: ReleasePayload = { transactionId, paymentId, reason: refusal.code };
    return { isClaimed, next: isAboutState(refusal.code) ? [{ kind: paymentRows.release, payload }] : [] };
  }

  /** Ends it FAILED. A claim that is held is given back before anybody is answered, or by the relay when that cannot be done now. */
  async function fail(
    tenantId: string,
    payment: Payment,
    refusal: Refusal,
    { isClaimed, next }: After,
    pass: DriveContext,
  ) {
    const { paymentId } = payment;
    const ending: PaymentEnding = { status: "FAILED", refusal: keptRefusal(refusal) };
    const answer = await end(tenantId, payment, ending, pass, { next });
    crashPoint("wallet.payment.refused");
    // The relay that drives this aggregate goes on to the row by itself.
    if (isClaimed && pass.closeRecovery === undefined) {
      await outbox.runNow(tenantId, aggregateOf(paymentId));
      crashPoint("wallet.payment.released");
    }
    return answer;
  }

  async function end(
    tenantId: string,
    payment: Payment,
    ending: PaymentEnding,
    pass: DriveContext,
    { next, held = [] }: Pick<SagaEnding, "next"> & { held?: readonly NewlyHeld[] },
  ): Promise<StoredAnswer> {
    const wallet = store.forTenant(tenantId);
    const { paymentId } = payment;
    const answer = paymentAnswer({ ...payment, ending }) as StoredAnswer;
    return sagas.end(
      identityOf(tenantId, payment),
      {
        answer,
        apply: async (session) => {
          if (!(await wallet.endPayment(paymentId, ending, !isKept(answer), session))) return false;
          await settle(tenantId, payment, ending.status === "SUCCESS", session);
          const { interactionId, createdBy: actor } = payment;
          for (const one of held) await heldArrivals.note({ tenantId, interactionId, actor }, one, session);
          return true;
        },
        readBack: async () => {
          const found = await wallet.findPayment(paymentId);
          return found && paymentAnswer(found);
        },
        // What is not kept is taken away.
        onlyWrites: isKept(answer) && held.length === 0,
        ...(next === undefined ? {} : { next }),
      },
      pass,
    );
  }

  return { begin, drive, driveById };
}

/** What the payee's wallet gets of it. */
function heldOf(transfers: readonly PlannedTransfer[], { plan }: Payment): NewlyHeld[] {
  if (plan === undefined) return [];
  const { payeeCustomerId: customerId } = plan;
  return transfers
    .filter(({ kind }) => kind === "wallet_transfer")
    .map((leg) => heldBy(leg, { accountId: leg.creditAccountId, customerId }, "PAYMENT_RECEIVED"));
}

/** What follows from a payment that succeeded; its part of the day's limit is spent since the check. */
function afterSuccess(payment: Payment, paidAt: Date): NonNullable<SagaEnding["next"]> {
  const { paymentId, payableId, payableType } = payment;
  if (payableType === "TRANSACTION") {
    const payload: MarkPaidPayload = { transactionId: payableId, paymentId, paidAt };
    return [{ kind: paymentRows.markPaid, payload }];
  }
  return payableType === "WITHDRAWAL" ? [{ kind: withdrawalRows.drive, payload: { payableId, paymentId } }] : [];
}

/** What follows from a payment that failed. */
interface After {
  isClaimed: boolean;
  next: NonNullable<SagaEnding["next"]>;
}

/** A limit, a missing confirmation and missing documents by name, all else neutrally. */
export function complianceRefusal(answer: CheckWalletPaymentResponse): Refusal {
  const { reasonCode, message, outstandingRequirements } = answer;
  if (reasonCode === "DAILY_LIMIT_EXCEEDED" || reasonCode === "CUSTOMER_NOT_CONFIRMED") {
    return new Refusal(reasonCode, message);
  }
  const isMissing = outstandingRequirements.length > 0;
  return new Refusal("COMPLIANCE_REJECTED", isMissing ? message : "compliance refuses this payment");
}

const aggregateOf = (paymentId: string): string => `payment:${paymentId}`;

function identityOf(tenantId: string, payment: Payment): SagaIdentity {
  const { paymentId, caller, idempotencyKey, interactionId, createdBy } = payment;
  return {
    tenantId,
    operation: makePaymentOperation,
    aggregate: aggregateOf(paymentId),
    recovery: paymentRows.recovery,
    payload: { paymentId },
    caller,
    idempotencyKey,
    interactionId,
    createdBy,
  };
}
