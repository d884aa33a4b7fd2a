import type {
  CheckTransactionRequest,
  CheckTransactionResponse,
  CheckWalletPaymentRequest,
  CheckWalletPaymentResponse,
  ComplianceServiceDefinition,
  Move,
  MoveAnswer,
} from "../../../proto/gen/compliance/v1/compliance.js";
import { gatherCalls } from "../batching/batch-calls.js";
import type { CallOptions, Client } from "../grpc/client.js";
import type { WirePartial } from "../grpc/definition.js";

type ComplianceClient = Client<ComplianceServiceDefinition>;

const mostChecks = 64;

/** Checks of transactions, gathered. */
export function gatherTransactionChecks<
  C extends Pick<ComplianceClient, "checkTransaction" | "checkGatheredTransactions">,
>(compliance: C): C {
  const checkTransaction = gatherCalls<WirePartial<CheckTransactionRequest>, CheckTransactionResponse>({
    what: "check",
    alone: (request, call) => compliance.checkTransaction(request, call),
    together: async (checks, call) => (await compliance.checkGatheredTransactions({ checks }, call)).answers,
    mostTogether: mostChecks,
  });
  return { ...compliance, checkTransaction };
}

/** Checks of payments, gathered. */
export function gatherPaymentChecks<
  C extends Pick<ComplianceClient, "checkWalletPayment" | "checkGatheredWalletPayments">,
>(compliance: C): C {
  const checkWalletPayment = gatherCalls<WirePartial<CheckWalletPaymentRequest>, CheckWalletPaymentResponse>({
    what: "check",
    alone: (request, call) => compliance.checkWalletPayment(request, call),
    together: async (checks, call) => (await compliance.checkGatheredWalletPayments({ checks }, call)).answers,
    mostTogether: mostChecks,
  });
  return { ...compliance, checkWalletPayment };
}

/** Questions about customers' statuses, gathered. */
export function gatherMoveChecks(
  compliance: Pick<ComplianceClient, "checkMoves">,
): (move: Move, call: CallOptions) => Promise<MoveAnswer> {
  return gatherCalls<Move, MoveAnswer>({
    what: "check of a move",
    async alone(move, call) {
      const [answer] = (await compliance.checkMoves({ moves: [move] }, call)).answers;
      if (answer === undefined) throw new Error("compliance answers without a verdict");
      return answer;
    },
    together: async (asked, call) =>
      (await compliance.checkMoves({ moves: asked.map(({ request }) => request) }, call)).answers.map((response) => ({
        response,
      })),
    mostTogether: mostChecks,
  });
}
