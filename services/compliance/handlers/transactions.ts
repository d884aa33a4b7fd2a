import type {
  CheckTransactionRequest,
  CheckWalletPaymentRequest,
  ComplianceServiceDefinition,
} from "../../../proto/gen/compliance/v1/compliance.js";
import { answerEach } from "../../shared/batching/answer-each.js";
import type { Call } from "../../shared/grpc/context.js";
import type { Handlers } from "../../shared/grpc/server.js";
import { moneyToWire } from "../../shared/money.js";
import { auditEntry } from "./audit.js";
import { invalidInput } from "../../shared/refusal.js";
import { reasonOf, verdictOn } from "../domain/moves.js";
import { moveFromWire, verdictToWire } from "../wire/moves.js";
import { isMet } from "../domain/requirements.js";
import { isAsked, stateToWire, statusToWire } from "../wire/customers.js";
import { idFromWire } from "../../shared/wire-text.js";
import {
  actionFacts,
  decisionToWire,
  factsFromWire,
  kindToWire,
  nextCursor,
  pageFromWire,
  paymentFacts,
  reasonFromWire,
  reviewToWire,
} from "../wire/transactions.js";
import { originOf, type ComplianceDeps } from "./deps.js";

type Rpcs =
  | "checkTransaction"
  | "checkBatchedTransactions"
  | "checkWalletPayment"
  | "checkBatchedWalletPayments"
  | "checkMoves"
  | "checkCustomerAction"
  | "confirmReservation"
  | "releaseReservation"
  | "giveBackReservation"
  | "getChecklist"
  | "listReviews"
  | "decideReview";

// In one call.
const maxChecks = 64;
// One that waits for a lock or for identity does not keep the others.
const patienceMs = 500;

export function transactionHandlers(
  deps: Pick<ComplianceDeps, "store" | "checks" | "customers" | "people" | "times" | "clock">,
): Pick<Handlers<ComplianceServiceDefinition>, Rpcs> {
  const { store, checks, customers, people, times, clock } = deps;

  async function checkTransaction(request: CheckTransactionRequest, call: Call) {
    const facts = factsFromWire(request, idFromWire(request.transactionId, "transactionId"));
    return decisionToWire(await checks.check(originOf(call), facts, call));
  }

  async function checkWalletPayment(request: CheckWalletPaymentRequest, call: Call) {
    const { atOnce, customerId, payeeCustomerId } = request;
    const ids: [string, string] = [
      idFromWire(customerId, "customerId"),
      idFromWire(payeeCustomerId, "payeeCustomerId"),
    ];
    const [[payer, payee], isHeldForPayee] = await Promise.all([
      people.countriesOf(ids, call),
      // Who pays themself gets nothing from anybody.
      customerId !== payeeCustomerId && isHeldFor(payeeCustomerId, call),
    ]);
    const asked = { atOnce, isHeldForPayee };
    const kept = await checks.check(originOf(call), paymentFacts(request, payer, payee), call, asked);
    const { decision, reasonCode, message, outstandingRequirements } = kept;
    // A payment does not wait for anybody.
    if (kept.isOpen) await checks.settle(call.tenantId, kept.transactionId, "RELEASED");
    const approved = decision === "APPROVED";
    const isHeld = kept.isHeldForPayee === true;
    return { approved, reasonCode, message, outstandingRequirements, isHeldForPayee: isHeld };
  }

  async function isHeldFor(payeeCustomerId: string, { tenantId }: Call): Promise<boolean> {
    const status = (await store.forTenant(tenantId).statusesOf([payeeCustomerId])).get(payeeCustomerId) ?? "PENDING";
    return verdictOn("PAYMENT_RECEIVED", status) === "HOLD";
  }

  return {
    checkTransaction,
    checkWalletPayment,

    async checkBatchedTransactions({ checks: asked }, call) {
      return { answers: await answerEach("checks", asked, call, checkTransaction, { most: maxChecks, patienceMs }) };
    },

    async checkBatchedWalletPayments({ checks: asked }, call) {
      return { answers: await answerEach("checks", asked, call, checkWalletPayment, { most: maxChecks, patienceMs }) };
    },

    async checkMoves({ moves }, { tenantId }) {
      if (moves.length === 0 || moves.length > maxChecks) throw invalidInput("moves", `must be 1 to ${maxChecks}`);
      const asked = moves.map(({ customerId, kind }, at) => ({
        customerId: idFromWire(customerId, `moves.${at}.customerId`),
        kind: moveFromWire(kind, `moves.${at}.kind`),
      }));
      const ids = [...new Set(asked.map(({ customerId }) => customerId))];
      const statuses = await store.forTenant(tenantId).statusesOf(ids);
      const answers = asked.map(({ customerId, kind }) => {
        const status = statuses.get(customerId) ?? "PENDING";
        const verdict = verdictOn(kind, status);
        return { verdict: verdictToWire(verdict), reasonCode: verdict === "REFUSE" ? reasonOf(status) : "" };
      });
      return { answers };
    },

    async checkCustomerAction(request, call) {
      const person = await people.find({ customerId: idFromWire(request.customerId, "customerId") }, call);
      return decisionToWire(await checks.check(originOf(call), actionFacts(request, person), call));
    },

    async confirmReservation({ transactionId }, call) {
      await checks.settle(call.tenantId, idFromWire(transactionId, "transactionId"), "CONFIRMED");
      return {};
    },

    async releaseReservation({ transactionId }, call) {
      await checks.settle(call.tenantId, idFromWire(transactionId, "transactionId"), "RELEASED");
      return {};
    },

    async giveBackReservation({ transactionId }, call) {
      await checks.settle(call.tenantId, idFromWire(transactionId, "transactionId"), "REFUNDED");
      return {};
    },

    async getChecklist(request, call) {
      const person = await people.reach(request.customerId, call);
      const facts = factsFromWire({ ...request, customerId: person.customerId }, "");
      await customers.current(originOf(call), person);
      const { outcome, customer, left } = await checks.preview(originOf(call), facts, call);
      const now = (await times.forTenant(call.tenantId, call.interactionId)).now();
      const missing = new Set(outcome.outstandingRequirements);
      const own = customer.requirements.filter(
        (one) => missing.has(one.kind) || (one.origin === "KYC" && one.mandatory && isAsked(one)),
      );
      const others = [...missing].filter((kind) => !own.some((one) => one.kind === kind));
      return {
        decision: kindToWire(outcome.decision),
        reasonCode: outcome.reasonCode,
        message: outcome.message,
        status: statusToWire(customer.status),
        items: [
          ...own.map((one) => ({
            requirement: one.kind,
            state: stateToWire(one.state === "FULFILLED" && !isMet(one, now) ? "EXPIRED" : one.state),
            inReview: one.documentId !== undefined,
            origin: one.origin,
          })),
          ...others.map((kind) => ({ requirement: kind, state: stateToWire("OUTSTANDING"), origin: "TRANSACTION" })),
        ],
        leftToday: left && moneyToWire(left),
      };
    },

    async listReviews(request, call) {
      const page = pageFromWire(request);
      const found = await store.forTenant(call.tenantId).listOpen(page);
      return {
        reviews: found.map(reviewToWire),
        nextCursor: nextCursor(found, page, ({ transactionId }) => transactionId),
      };
    },

    async decideReview(request, call) {
      const transactionId = idFromWire(request.transactionId, "transactionId");
      const reason = reasonFromWire(request.reason);
      const { approve } = request;
      const audit = auditEntry(call, clock, {
        action: approve ? "transaction.approve" : "transaction.reject",
        subject: `transaction:${transactionId}`,
        reason,
      });
      const kept = await checks.decideReview(originOf(call), transactionId, { approve, audit }, call);
      return { decision: kindToWire(kept.decision) };
    },
  };
}
