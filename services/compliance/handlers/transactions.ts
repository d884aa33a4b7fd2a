import type {
  CheckTransactionRequest,
  CheckWalletPaymentRequest,
  ComplianceServiceDefinition,
} from "../../../proto/gen/compliance/v1/compliance.js";
import { answerEach } from "../../shared/batching/answer-each.js";
import type { Call } from "../../shared/grpc/context.js";
import type { Handlers } from "../../shared/grpc/server.js";
import { idFromWire } from "../../shared/wire-text.js";
import { decisionOnMove } from "../domain/moves.js";
import { actionFacts, decisionToWire, factsFromWire, paymentFacts } from "../wire/transactions.js";
import { originOf, type ComplianceDeps } from "./deps.js";

type Rpcs =
  | "checkTransaction"
  | "checkBatchedTransactions"
  | "checkWalletPayment"
  | "checkBatchedWalletPayments"
  | "checkCustomerAction";

const maxChecks = 64;
// A check that waits for a lock or for identity does not hold up the others of its call.
const patienceMs = 500;

/** Decisions on transactions, payments between wallets, and what customers ask for. */
export function transactionHandlers({
  store,
  checks,
  people,
}: Pick<ComplianceDeps, "store" | "checks" | "people">): Pick<Handlers<ComplianceServiceDefinition>, Rpcs> {
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
      // A customer who pays themself gets nothing from anybody else.
      customerId !== payeeCustomerId && isHeldFor(payeeCustomerId, call),
    ]);
    const asked = { atOnce, isHeldForPayee };
    const kept = await checks.check(originOf(call), paymentFacts(request, payer, payee), call, asked);
    const { decision, reasonCode, message, outstandingRequirements } = kept;
    // A payment cannot wait, so its reservation is given back at once.
    if (kept.isOpen) await checks.settle(call.tenantId, kept.transactionId, "RELEASED");
    const approved = decision === "APPROVED";
    const isHeld = kept.isHeldForPayee === true;
    return { approved, reasonCode, message, outstandingRequirements, isHeldForPayee: isHeld };
  }

  async function isHeldFor(payeeCustomerId: string, { tenantId }: Call): Promise<boolean> {
    const status = (await store.forTenant(tenantId).statusesOf([payeeCustomerId])).get(payeeCustomerId) ?? "PENDING";
    return decisionOnMove("PAYMENT_RECEIVED", status) === "HOLD";
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

    async checkCustomerAction(request, call) {
      const person = await people.find({ customerId: idFromWire(request.customerId, "customerId") }, call);
      return decisionToWire(await checks.check(originOf(call), actionFacts(request, person), call));
    },
  };
}
