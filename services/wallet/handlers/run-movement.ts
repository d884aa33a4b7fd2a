import { v7 as uuidv7 } from "uuid";
import { actorOf, type Call } from "../../kernel/grpc/context.js";
import type { KeyedRequest } from "../../kernel/idempotency/index.js";
import { Refusal } from "../../kernel/refusal.js";
import { deadlineOf, originOf, runSaga, type SagaOrigin } from "../../kernel/sagas/index.js";
import type { Movement } from "../domain/movement.js";
import type { MovementContext } from "../sagas/movements/rules.js";
import type { WalletDeps } from "./deps.js";

export type PlannedMovement = Omit<Movement, "movementId" | "createdAt" | keyof SagaOrigin>;

interface MovementRequest<Request extends { idempotencyKey: string }, Response> extends KeyedRequest<
  Request,
  Response
> {
  readonly call: Call;
  /**
   * What is to be moved. What it throws is not kept; a refusal given back is, where its code is one
   * that is.
   */
  plan(movementId: string): Promise<PlannedMovement | Refusal>;
  /** What is told whoever drives it here, and kept nowhere. */
  readonly told?: Pick<MovementContext, "pickupCode">;
}

/** One movement for one request of a client: planned, stored, posted, answered. */
export function runMovement<Request extends { idempotencyKey: string }, Response>(
  { idempotency, sagas, movements, clock }: WalletDeps,
  { plan, told, ...keyed }: MovementRequest<Request, Response>,
): Promise<Response> {
  const { call, request } = keyed;
  const { tenantId } = call;
  return runSaga<Request, Response>({
    ...keyed,
    idempotency,
    sagas,
    async start(ticket) {
      const movementId = uuidv7();
      const planned = await plan(movementId);
      if (planned instanceof Refusal) return { refusal: planned };
      const createdBy = actorOf(call);
      const origin = { ...originOf(call, keyed.caller ?? createdBy, request.idempotencyKey), createdBy };
      const movement: Movement = { movementId, ...planned, createdAt: clock.now(), ...origin };
      try {
        await movements.begin(tenantId, movement, ticket);
      } catch (error) {
        // Decided inside the first transaction, which has left nothing.
        if (error instanceof Refusal && error.code !== "IDEMPOTENCY_IN_FLIGHT") return { refusal: error };
        throw error;
      }
      return { drive: () => movements.drive(tenantId, movement, { ...deadlineOf(call), ...told, isFirst: true }) };
    },
    resume: (movementId) => movements.driveById(tenantId, movementId, { ...deadlineOf(call), ...told }),
  });
}
