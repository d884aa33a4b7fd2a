import type { CallOptions, Client } from "../services/kernel/grpc/client.js";
import type { GrpcDefinition, RpcDefinition } from "../services/kernel/grpc/definition.js";
import { pauseBefore } from "../services/kernel/grpc/retry.js";
import { Refusal, type RefusalCode } from "../services/kernel/refusal.js";
import { isFoundHanging } from "./breaker.js";

// Each call earns a tenth of a second try; so many may come at once while a process is replaced.
const earnedByCall = 0.1;
const mostAtOnce = 20;
// Doubling from 50 ms: 0.4 to 0.8 s, in which a connection comes back.
const pauseStep = 5;

export type TryBudget = ReturnType<typeof createTryBudget>;

/** Of all calls of a gateway together, so that an outage is not answered with twice the traffic. */
export function createTryBudget() {
  let left = mostAtOnce;
  return {
    earn: () => void (left = Math.min(mostAtOnce, left + earnedByCall)),
    /** False where it is used up. */
    take(): boolean {
      if (left < 1) return false;
      left -= 1;
      return true;
    },
  };
}

// What the first try left behind: it still runs, or has used up the customer's code.
const ofTheFirst: ReadonlySet<RefusalCode> = new Set(["IDEMPOTENCY_IN_FLIGHT", "OTP_WRONG"]);

type Rpc = (request: unknown, options: CallOptions) => Promise<unknown>;

/**
 * A client whose calls are sent once more, within their deadline, where the answer was UNAVAILABLE:
 * reads, and what the .proto marks idempotent when the request carries its key. Only the edge does
 * so; further in, attempts would multiply from hop to hop.
 */
export function withSecondTry<Def extends GrpcDefinition>(
  definition: Def,
  client: Client<Def>,
  budget: TryBudget,
): Client<Def> {
  const patient: Record<string, unknown> = { ...client };
  for (const [rpc, method] of Object.entries(definition.methods)) {
    patient[rpc] = patientRpc(client[rpc as keyof typeof client] as Rpc, method, budget);
  }
  return patient as Client<Def>;
}

function patientRpc(rpc: Rpc, method: RpcDefinition, budget: TryBudget): Rpc {
  return async (request, options) => {
    budget.earn();
    try {
      return await rpc(request, options);
    } catch (error) {
      if (!isUnavailable(error) || isFoundHanging(error) || !mayRepeat(method, request) || !budget.take()) throw error;
      const deadlineMs = options.deadline?.getTime() ?? Infinity;
      if (!(await pauseBefore(pauseStep, deadlineMs, options.signal))) throw error;
      return await rpc(request, options).catch((second: unknown) => {
        throw second instanceof Refusal && ofTheFirst.has(second.code) ? error : second;
      });
    }
  };
}

function isUnavailable(error: unknown): boolean {
  return error instanceof Refusal && error.code === "UNAVAILABLE";
}

/** A payment's reference is its key where it has no other. */
function mayRepeat({ options, requestType }: RpcDefinition, request: unknown): boolean {
  if (options.idempotencyLevel === undefined) return false;
  const { idempotencyKey, paymentGatewayRef } = requestType.fromPartial(request as never) as Record<string, unknown>;
  return idempotencyKey !== "" || (paymentGatewayRef ?? "") !== "";
}
