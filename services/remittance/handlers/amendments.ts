import { v7 as uuidv7 } from "uuid";
import { AmendTransactionRequest, AmendTransactionResponse } from "../../../proto/gen/remittance/v1/amendment.js";
import type { RemittanceServiceDefinition } from "../../../proto/gen/remittance/v1/remittance.js";
import { requireUser, type Call } from "../../kernel/grpc/context.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { crashPoint } from "../../kernel/process/crash-point.js";
import { Refusal } from "../../kernel/refusal.js";
import { reasonFromWire } from "../../kernel/text/reason.js";
import { idFromWire, textFromWire } from "../../kernel/text/wire-text.js";
import type { NotedQuestion } from "../../platform/approvals/approvals.js";
import { partyBounds } from "../../platform/plugins/party-contract.js";
import { checkPayerCredentials } from "../../platform/neighbours/payer-credentials.js";
import {
  applyAmendment,
  askAmendment,
  isAskedToAmend,
  keptAmendments,
  renamed,
  wantedNames,
  type Amendment,
  type NewNames,
} from "../domain/amendment.js";
import type { AskedAtClaim } from "../domain/payment-claim.js";
import { placeOf } from "../domain/payout-routes.js";
import { ofTransaction, payeeQuestions, type PayeeVerdict } from "../domain/payee-check.js";
import type { Transaction } from "../domain/transaction.js";
import { transparencyIncomplete } from "../domain/transparency.js";
import { askAmended } from "../clients/claim-transparency.js";
import { createAmendmentScreening } from "../sagas/amendment-screening.js";
import { amendmentToWire, newNamesFromWire } from "../wire/amendments.js";
import { assertKey } from "../wire/fields.js";
import { createChangeByPerson } from "./change-by-person.js";
import type { RemittanceDeps } from "./deps.js";
import { findByIdOrCode } from "./find-transaction.js";
import { createPersonQuestions } from "./person-questions.js";

const operation = "amend-transaction";

type Wanted = Pick<Amendment, "before" | "after" | "payeeCheck"> & { asked?: AskedAtClaim };

/**
 * Names that are put right before the money is handed over: a sender's own at once, with what they
 * pay with, those that staff ask for once a second person approves.
 */
export function amendmentHandlers(deps: RemittanceDeps) {
  const { store, people, identity, runOnce, clock, outbox, partners } = deps;
  const changes = createChangeByPerson(deps);
  const screening = createAmendmentScreening(deps);
  const payees = createAmendedPayees(deps);
  const questions = createPersonQuestions(deps);

  /** Refuses TRANSACTION_NOT_FOUND, and who may not change it. */
  async function changeable(transactionId: string, call: Call): Promise<Transaction> {
    const found = await store.forTenant(call.tenantId).findTransaction(transactionId);
    if (found === undefined) throw new Refusal("TRANSACTION_NOT_FOUND", "no such transaction");
    await people.assertMayChange(found, call);
    return found;
  }

  async function checkSender(request: AmendTransactionRequest, transactionId: string, call: Call): Promise<void> {
    const { sender, price } = await changeable(transactionId, call);
    const what = { customerId: sender.customerId, amount: price.total, payee: `TRANSACTION:${transactionId}` };
    await checkPayerCredentials({ identity }, request, what, call);
  }

  /**
   * Refuses TEXT_TOO_LONG_FOR_PARTNER for a new name, as create-transaction does: a bank's file
   * spells it out.
   */
  async function checkLengths(transaction: Transaction, { before, after }: Wanted, call: Call): Promise<void> {
    const texts = [
      { path: "recipient", text: after.recipientName, isNew: after.recipientName !== before.recipientName },
      {
        path: "accountHolderName",
        text: after.accountHolderName,
        isNew: after.accountHolderName !== before.accountHolderName,
      },
    ];
    const changed = texts
      .filter(({ isNew }) => isNew)
      .map(({ path, text }) => ({ path, text, most: partyBounds.name }));
    if (transaction.deliveryMethod !== "WALLET") await partners.checkTexts(placeOf(transaction), changed, call);
  }

  /** Refuses as wantedNames does; it names no trace where a bank that takes files alone has it. */
  async function wantedOf(found: Transaction, names: NewNames, call: Call) {
    try {
      return wantedNames(found, names);
    } catch (error) {
      const isTraced = error instanceof Refusal && error.details?.figures?.["tracePath"] !== undefined;
      if (isTraced) await partners.checkTakesAmendments(found.payout?.installationId, call);
      throw error;
    }
  }

  return {
    /**
     * In this order: input, ownership, replay by key, credentials, state, lengths, the payee check
     * by the corridor's setting of now, what the transparency policy asks once it was paid for, the
     * lists, and then the names. Died before the last, nothing is
     * amended and the same key goes on.
     */
    async amendTransaction(request, call) {
      assertKey(request.idempotencyKey);
      const transactionId = idFromWire(request.transactionId, "transactionId");
      const names = newNamesFromWire(request);
      const reason = reasonFromWire(request.reason);
      textFromWire(request.payeeCheckId, "payeeCheckId", { minimum: 0 });
      const { role, userId } = requireUser(call);
      const isSenders = role === "CUSTOMER";
      await changes.awaitPayment(transactionId, call);
      const answer = await runOnce<AmendTransactionRequest, AmendTransactionResponse, Wanted>({
        operation,
        request,
        requestType: AmendTransactionRequest,
        response: AmendTransactionResponse,
        omit: ["password", "otp", "pin"],
        secret: true,
        call,
        before: async () => (isSenders ? checkSender(request, transactionId, call) : undefined),
        async prepare() {
          const found = await changeable(transactionId, call);
          const wanted = await wantedOf(found, names, call);
          await checkLengths(found, wanted, call);
          const payeeCheck = await payees.check(found, wanted.after, request, call);
          // What staff ask for is compared once it is approved: until then nobody is named so.
          const asked =
            isSenders && isAskedToAmend(found) ? await askAmended(deps, found, wanted.after, call) : undefined;
          if (asked !== undefined && asked.missing.length > 0) throw transparencyIncomplete(asked.missing);
          if (isSenders) await screening.screen(found, wanted.after, call);
          return { ...wanted, ...(payeeCheck !== undefined && { payeeCheck }), ...(asked !== undefined && { asked }) };
        },
        async work(session, { asked, ...wanted }) {
          const now = clock.now();
          const amendmentId = uuidv7();
          const terms = { amendmentId, status: "ASKED" as const, reason, askedBy: userId, askedAt: now };
          const amendment = { ...terms, ...wanted };
          const after = await changes.write(transactionId, call, session, (before) =>
            isSenders ? applyAmendment(before, amendment, now, asked) : askAmendment(before, amendment, now),
          );
          return { amendment: amendmentToWire(keptAmendments.find(after, amendmentId)!) };
        },
      });
      crashPoint("remittance.amendment.stored");
      outbox.wake();
      return isSenders ? answer : question(answer, transactionId, call);
    },

    async listAmendments(request, call) {
      const transactionId = idFromWire(request.transactionId, "transactionId");
      const transaction = await findByIdOrCode(store.forTenant(call.tenantId), transactionId);
      await people.assertMaySee(transaction, call);
      return { amendments: (transaction.amendments ?? []).map(amendmentToWire) };
    },
  } satisfies Partial<Handlers<RemittanceServiceDefinition>>;

  async function question(answer: AmendTransactionResponse, transactionId: string, call: Call) {
    const amendmentId = answer.amendment?.amendmentId ?? "";
    const about = {
      id: { amendmentId },
      find: (transaction: Transaction) => keptAmendments.find(transaction, amendmentId),
      // It names nobody.
      question: (_asked: Amendment, { transactionCode }: Transaction) => ({
        idempotencyKey: `amendment:${amendmentId}`,
        kind: "AMENDMENT" as const,
        summary: `Other names of who is paid by ${transactionCode}`,
      }),
      note: (transaction: Transaction, noted: NotedQuestion) => keptAmendments.note(transaction, amendmentId, noted),
    };
    const waiting = await questions.ask(transactionId, about, call);
    if (waiting === undefined) throw new Error(`amendment ${amendmentId} is gone`);
    return { amendment: amendmentToWire(waiting.asked), approvalStatus: waiting.approvalStatus };
  }
}

/** Has the account looked at under the new name, where the corridor says so. */
function createAmendedPayees({ store, payees }: Pick<RemittanceDeps, "store" | "payees">) {
  return {
    async check(
      transaction: Transaction,
      after: Amendment["after"],
      { payeeCheckId, idempotencyKey }: AmendTransactionRequest,
      call: Call,
    ): Promise<PayeeVerdict | undefined> {
      const { sender, recipientDetails, deliveryMethod, price } = transaction;
      const { originCountry, receivingCountry } = transaction.transferInformation;
      const currencies = { sendCurrency: price.total.currency, receivingCurrency: price.receive.currency };
      const key = { originCountry, receivingCountry, ...currencies };
      const [corridor] = await store.forTenant(call.tenantId).findCorridors([key]);
      const setting = corridor?.deliveries?.find(({ method }) => method === deliveryMethod)?.payeeCheck ?? "OFF";
      const { recipient, creditParty } = renamed(transaction, after);
      const place = { country: receivingCountry, currency: price.receive.currency };
      const of = { ...place, name: recipient.name, kind: recipientDetails?.kind };
      const isChecked = setting !== "OFF" || payeeCheckId !== "";
      const request = {
        customerId: sender.customerId,
        questions: isChecked ? payeeQuestions(creditParty, [deliveryMethod], of) : [],
        payeeCheckId,
        path: "payeeCheckId",
        operation,
        idempotencyKey,
      };
      const verdict = await payees.check(request, call);
      return verdict && ofTransaction(verdict);
    },
  };
}
