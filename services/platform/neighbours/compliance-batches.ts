import type {
  CheckTransactionRequest,
  CheckTransactionResponse,
  CheckWalletPaymentRequest,
  CheckWalletPaymentResponse,
  ComplianceServiceDefinition,
  Move,
  MoveAnswer,
  Payout,
  PayoutAnswer,
} from "../../../proto/gen/compliance/v1/compliance.js";
import { batchCalls } from "../../kernel/grpc/batch-calls.js";
import type { BatchingClient, CallOptions } from "../../kernel/grpc/client.js";
import type { WirePartial } from "../../kernel/grpc/definition.js";

type ComplianceClient = BatchingClient<ComplianceServiceDefinition>;

const maxChecks = 64;
const maxPayouts = 300;

/** Checks of transactions, batched. */
export function batchTransactionChecks<C extends Pick<ComplianceClient, "checkTransaction" | "batch">>(
  compliance: C,
): C {
  const checkTransaction = batchCalls<WirePartial<CheckTransactionRequest>, CheckTransactionResponse>({
    what: "check",
    single: (request, call) => compliance.checkTransaction(request, call),
    batch: (checks, call) => compliance.batch("checkTransaction", checks, call),
    maxBatchSize: maxChecks,
  });
  return { ...compliance, checkTransaction };
}

/** Checks of payments, batched. */
export function batchPaymentChecks<C extends Pick<ComplianceClient, "checkWalletPayment" | "batch">>(compliance: C): C {
  const checkWalletPayment = batchCalls<WirePartial<CheckWalletPaymentRequest>, CheckWalletPaymentResponse>({
    what: "check",
    single: (request, call) => compliance.checkWalletPayment(request, call),
    batch: (checks, call) => compliance.batch("checkWalletPayment", checks, call),
    maxBatchSize: maxChecks,
  });
  return { ...compliance, checkWalletPayment };
}

/** Questions about customers' statuses, batched. */
export function batchMoveChecks(
  compliance: Pick<ComplianceClient, "checkMoves">,
): (move: Move, call: CallOptions) => Promise<MoveAnswer> {
  return batchCalls<Move, MoveAnswer>({
    what: "check of a move",
    async single(move, call) {
      const [answer] = (await compliance.checkMoves({ moves: [move] }, call)).answers;
      if (answer === undefined) throw new Error("compliance answers without a decision");
      return answer;
    },
    batch: async (requested, call) =>
      (await compliance.checkMoves({ moves: requested.map(({ request }) => request) }, call)).answers.map(
        (response) => ({
          response,
        }),
      ),
    maxBatchSize: maxChecks,
  });
}

/**
 * Questions about payouts that are to be handed over, batched. A compliance that does
 * not know them yet counts as away.
 */
export function batchPayoutChecks(
  compliance: Pick<ComplianceClient, "checkPayouts">,
): (payout: Payout, call: CallOptions) => Promise<PayoutAnswer> {
  return batchCalls<Payout, PayoutAnswer>({
    what: "check of a payout",
    async single(payout, call) {
      const [answer] = (await compliance.checkPayouts({ payouts: [payout] }, call)).answers;
      if (answer === undefined) throw new Error("compliance answers without a verdict");
      return answer;
    },
    batch: async (requested, call) =>
      (await compliance.checkPayouts({ payouts: requested.map(({ request }) => request) }, call)).answers.map(
        (response) => ({ response }),
      ),
    maxBatchSize: maxPayouts,
  });
}
