import { BatchServiceDefinition } from "../../../proto/gen/batching/v1/batching.js";
import { invalidInput, Refusal } from "../refusal.js";
import { answerEach } from "./answer-each.js";
import type { Call, ServiceName } from "./context.js";
import { encodeMessage, type GrpcDefinition, type RequestOf, type RpcDefinition, type RpcName } from "./definition.js";
import type { Handlers, ServedService } from "./server.js";
import { decodeRequest } from "./server-rpc.js";

/** How an rpc is answered in batches. */
export interface BatchedRpc<Request> {
  /** Services that may ask several at once; no user rides along. */
  readonly callers: readonly ServiceName[];
  /** More of them are refused INVALID_INPUT as a whole. */
  readonly maxCalls: number;
  /** What is not answered after so long is asked for again by itself, where it is repeatable. */
  readonly patienceMs?: number;
  /** Refuses a batch as a whole. */
  readonly check?: (requests: readonly Request[]) => void;
}

/** The rpcs that are answered in batches too (docs/batching.md). */
export type Batched<Def extends GrpcDefinition> = {
  readonly [Rpc in RpcName<Def>]?: BatchedRpc<RequestOf<Def, Rpc>>;
};

/** The service that answers a definition's rpcs in batches, each call as its handler does alone. */
export function batchService<Def extends GrpcDefinition>({
  definition,
  handlers,
  batched,
}: {
  definition: Def;
  handlers: Handlers<Def>;
  batched: Batched<Def>;
}): ServedService<BatchServiceDefinition> {
  const rules = Object.entries(batched) as [RpcName<Def>, BatchedRpc<unknown>][];
  const rpcs = new Map(
    rules.map(([rpc, rule]) => {
      const method: RpcDefinition = definition.methods[rpc]!;
      return [method.name, { rule, method, handler: (request: never, call: Call) => handlers[rpc](request, call) }];
    }),
  );
  return {
    definition: BatchServiceDefinition,
    access: { callBatch: { callers: [...new Set(rules.flatMap(([, { callers }]) => callers))] } },
    handlers: {
      async callBatch({ rpc, calls }, call) {
        const found = rpcs.get(rpc);
        if (found === undefined) throw invalidInput("rpc", "is not answered in batches");
        const { method, rule, handler } = found;
        if (!rule.callers.includes(call.caller)) {
          throw new Refusal("CALLER_NOT_ALLOWED", `${call.caller} may not call this`);
        }
        if (calls.length > rule.maxCalls) throw invalidInput("calls", `must be at most ${rule.maxCalls}`);
        const questions = calls.map(({ interactionId, request }) => ({
          interactionId,
          request: readRequest(method.requestType, request),
        }));
        rule.check?.(questions.flatMap(({ request }) => ("fault" in request ? [] : [request.message])));
        const answer = async (request: ReadRequest, own: Call) => {
          if ("fault" in request) throw request.fault;
          return encodeMessage(method.responseType, await handler(request.message as never, own));
        };
        const isRepeatable = method.options.idempotencyLevel !== undefined;
        return { answers: await answerEach(questions, call, answer, { ...rule, isRepeatable }) };
      },
    },
  };
}

type ReadRequest = { readonly message: unknown } | { readonly fault: unknown };

/** What cannot be read is its own caller's alone. */
function readRequest(type: RpcDefinition["requestType"], bytes: Uint8Array): ReadRequest {
  try {
    return { message: decodeRequest(type, bytes) };
  } catch (fault) {
    return { fault };
  }
}
