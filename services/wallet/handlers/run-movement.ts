import { v7 as uuidv7 } from "uuid";
import { actorOf, type Call } from "../../shared/grpc/context.js";
import { fingerprintOf } from "../../shared/idempotency/index.js";
import { Refusal } from "../../shared/refusal.js";
import { runKeyedSaga } from "../../shared/sagas.js";
import type { Movement } from "../domain/movement.js";
import { textFromWire } from "../wire/payments.js";
import { originOf, waiting, type WalletDeps } from "./deps.js";

type Planned = Omit<Movement, "movementId" | "createdAt" | "caller" | "idempotencyKey" | "interactionId" | "createdBy">;

interface RunMovement<Request extends { idempotencyKey: string }, Response> {
  /** The rpc's name. */
  operation: string;
  request: Request;
  requestType: Parameters<typeof fingerprintOf<Request>>[0];
  /** Secrets, which the key does not stand for. */
  omit?: (keyof Request)[];
  response: { decode(bytes: Uint8Array): Response };
  call: Call;
  /** What is to be moved; what it throws is not kept. A refusal given back is, where its code is one that is. */
  plan(movementId: string): Promise<Planned | Refusal>;
}

/** One movement for one request of a client: planned, stored, posted, answered. */
export function runMovement<Request extends { idempotencyKey: string }, Response>(
  { idempotency, sagas, movements, clock }: WalletDeps,
  run: RunMovement<Request, Response>,
): Promise<Response> {
  const { operation, request, requestType, omit = [], response, call, plan } = run;
  const key = textFromWire(request.idempotencyKey, "idempotencyKey", { maximum: 255 });
  const { tenantId } = call;
  const caller = actorOf(call);
  return runKeyedSaga({
    idempotency,
    sagas,
    scope: { tenantId, caller, operation, key },
    fingerprint: fingerprintOf(requestType, request, ["idempotencyKey", ...omit]),
    response,
    call,
    async start(ticket) {
      const movementId = uuidv7();
      const planned = await plan(movementId);
      if (planned instanceof Refusal) return { refusal: planned };
      const movement: Movement = { movementId, ...planned, createdAt: clock.now(), ...originOf(call, caller, key) };
      try {
        await movements.begin(tenantId, movement, ticket);
      } catch (error) {
        // Decided inside the first transaction, which has left nothing.
        if (error instanceof Refusal && error.code !== "IDEMPOTENCY_IN_FLIGHT") return { refusal: error };
        throw error;
      }
      return { drive: () => movements.drive(tenantId, movement, { ...waiting(call), isFirst: true }) };
    },
    resume: (movementId) => movements.driveById(tenantId, movementId, waiting(call)),
  });
}
