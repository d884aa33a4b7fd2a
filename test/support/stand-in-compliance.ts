import {
  ComplianceServiceDefinition,
  type CheckCashRequest,
  type CheckCashResponse,
  type CheckWalletPaymentRequest,
  type CheckWalletPaymentResponse,
  type NoteAgentContactsRequest,
  type Move,
  type MoveAnswer,
} from "../../proto/gen/compliance/v1/compliance.js";
import type { Handlers } from "../../services/kernel/grpc/server.js";
import { invalidInput } from "../../services/kernel/refusal.js";
import { reasonOf, decisionOnMove } from "../../services/compliance/decisions/domain/moves.js";
import { createFaults } from "./rpc-faults.js";

/** Compliance in memory: lets everything pass unless told otherwise. */
export function createStandInCompliance(faults: ReturnType<typeof createFaults>) {
  const checks: CheckWalletPaymentRequest[] = [];
  const cash: CheckCashRequest[] = [];
  const settled: [rpc: string, paymentId: string][] = [];
  const moves: Move[] = [];
  const agentContacts: NoteAgentContactsRequest[] = [];
  const state = {
    checks,
    cash,
    /** Of cash; approved where nothing is said. */
    cashAnswer: { approved: true } as Partial<CheckCashResponse>,
    settled,
    agentContacts,
    moves,
    answer: { approved: true } as Partial<CheckWalletPaymentResponse>,
    /** Of customers who are not confirmed. */
    statuses: new Map<string, "PENDING" | "BLOCKED">(),
  };
  const answerTo = ({ customerId, kind }: Move): MoveAnswer => {
    const status = state.statuses.get(customerId) ?? "CONFIRMED";
    const decision = decisionOnMove(kind.replace("MOVE_KIND_", "") as Parameters<typeof decisionOnMove>[0], status);
    return { verdict: `MOVE_VERDICT_${decision}`, reasonCode: decision === "REFUSE" ? reasonOf(status) : "" };
  };
  const handlers: Partial<Handlers<ComplianceServiceDefinition>> = {
    checkWalletPayment: (request, call) =>
      faults.around("checkWalletPayment", call, () => {
        checks.push(request);
        const { customerId, payeeCustomerId, kind } = request;
        const { verdict, reasonCode } = answerTo({ customerId, kind });
        if (verdict === "MOVE_VERDICT_REFUSE") return { approved: false, reasonCode };
        const received = answerTo({ customerId: payeeCustomerId, kind: "MOVE_KIND_PAYMENT_RECEIVED" });
        const isHeldForPayee = customerId !== payeeCustomerId && received.verdict === "MOVE_VERDICT_HOLD";
        return { isHeldForPayee, ...state.answer };
      }),
    checkCash: (request, call) =>
      faults.around("checkCash", call, () => {
        cash.push(request);
        return state.cashAnswer;
      }),
    checkMoves: ({ moves: requested }, call) =>
      faults.around("checkMoves", call, () => {
        moves.push(...requested);
        // As compliance does: nobody is no customer.
        if (requested.some(({ customerId }) => customerId === "")) throw invalidInput("moves", "must name a customer");
        return { answers: requested.map(answerTo) };
      }),
    async confirmReservation({ transactionId }) {
      settled.push(["confirm", transactionId]);
      return {};
    },
    async noteAgentContacts(request) {
      state.agentContacts.push(request);
      return {};
    },
    async releaseReservation({ transactionId }) {
      settled.push(["release", transactionId]);
      return {};
    },
  };
  return { state, handlers };
}
