import type { StoredAnswer, Ticket } from "../../kernel/idempotency/index.js";
import { Refusal } from "../../kernel/refusal.js";
import type { BusinessClock } from "../../platform/preferences/business-clock.js";
import type { DriveContext } from "../../kernel/sagas/index.js";
import type { Posted, Posting } from "../clients/posting.js";
import type { Movement } from "../domain/movement.js";
import type { Session } from "../store/collections.js";
import { bookedDay } from "./booked-day.js";
import { beginning, createWaiters, waiting } from "./desk-decision.js";
import {
  endMovement,
  failedWith,
  movementAnswer,
  movementCrashPoints,
  sagaOfMovement,
  type MovementEndingDeps,
} from "./movement-ending.js";
import type { MovementContext } from "./movements/rules.js";
import { reserveDayLimit } from "./wallet-daily-limit.js";

export interface MovementSagaDeps extends MovementEndingDeps {
  posting: Posting;
  businessClock: BusinessClock;
}

export type MovementSaga = ReturnType<typeof createMovementSaga>;

/** One that no request asks for, such as by a second person's decision: it has no key. */
export type UnaskedMovement = Omit<Movement, "caller" | "idempotencyKey">;

/** Money that moves by one linked group: first transaction, posting, last transaction. */
export function createMovementSaga(deps: MovementSagaDeps) {
  const { store, sagas, rules } = deps;
  const waiters = createWaiters();

  /** First transaction. Throws what reserving and the kind's own writes refuse. */
  async function begin(tenantId: string, movement: Movement, ticket: Ticket): Promise<void> {
    const { movementId } = movement;
    await beginning(waiters, movementId, async () => {
      await sagas.begin(sagaOfMovement(rules, tenantId, movement), {
        ticket,
        id: movementId,
        insert: (session) => insert(deps, tenantId, movement, session).then(() => true),
        readBack: async () => (await store.forTenant(tenantId).findMovement(movementId)) && true,
      });
      movementCrashPoints(deps, movement).recorded();
    });
  }

  /**
   * First transaction of one that no request asks for, inside the caller's own; the relay drives
   * it.
   */
  async function beginUnasked(tenantId: string, unasked: UnaskedMovement, session: Session): Promise<void> {
    const movement = { ...unasked, caller: "wallet", idempotencyKey: "" };
    await insert(deps, tenantId, movement, session);
    await sagas.beginUnasked(sagaOfMovement(rules, tenantId, movement), session);
  }

  /**
   * Drives it to its end; idempotent and safe beside itself. Throws while the outcome is unknown.
   */
  const drive = (tenantId: string, movement: Movement, context: MovementContext): Promise<StoredAnswer> =>
    waiting(waiters, movement.movementId, context, (known) => driveOn(tenantId, movement, known));

  async function driveOn(tenantId: string, movement: Movement, context: MovementContext): Promise<StoredAnswer> {
    const answer = movementAnswer(rules, movement);
    if (answer !== undefined) return answer;
    const { ownAccounts, kind } = movement;
    const driven = { tenantId, movement, context };
    const refusal = await rules[kind].checkBeforePosting?.(tenantId, movement, context);
    if (refusal !== undefined) return endMovement(deps, driven, failedWith(refusal));
    await deps.posting.ensureAccounts(tenantId, movement, ownAccounts, context);
    const posted = await post(deps, tenantId, movement, context);
    movementCrashPoints(deps, movement).posted();
    if (!(posted instanceof Refusal)) return endMovement(deps, driven, { status: "DONE", ...posted });
    return endMovement(deps, driven, failedWith(rules[kind].translateRefusal?.(posted) ?? posted));
  }

  async function driveById(tenantId: string, movementId: string, context: MovementContext): Promise<StoredAnswer> {
    const movement = await store.forTenant(tenantId).findMovement(movementId);
    if (movement === undefined) throw new Error(`movement ${movementId} is not there`);
    return drive(tenantId, movement, context);
  }

  return { begin, beginUnasked, drive, driveById };
}

/** Reserves the days that it spends from and writes it, with what its kind writes beside it. */
async function insert(
  { store, rules }: MovementSagaDeps,
  tenantId: string,
  movement: Movement,
  session: Session,
): Promise<void> {
  const wallet = store.forTenant(tenantId);
  for (const part of movement.spends ?? []) await reserveDayLimit(wallet, part, session);
  await rules[movement.kind].onBegin?.(tenantId, movement, session);
  await wallet.insertMovement(movement, session);
}

/**
 * A till without a float, or without cash at its end, moves nothing; what is handed out for
 * remittance is booked there.
 */
async function post(
  { posting, rules, businessClock }: MovementSagaDeps,
  tenantId: string,
  movement: Movement,
  context: DriveContext,
): Promise<Posted | Refusal> {
  const { transfers, kind, createdAt: postedAt, interactionId } = movement;
  if (transfers.length > 0) return posting.post(tenantId, movement, transfers, context, rules[kind].ledgerDecisions);
  const day = await bookedDay(businessClock, tenantId, interactionId, postedAt);
  const nothing = { debitBalanceMinor: 0n, creditBalanceMinor: 0n, firstDebitBalanceMinor: 0n, transferIds: [] };
  return { ...nothing, postedAt, day };
}
