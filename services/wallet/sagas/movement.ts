import type { StoredAnswer, Ticket } from "../../shared/idempotency/index.js";
import { keptRefusal, Refusal } from "../../shared/refusal.js";
import { identityOf, type DriveContext, type SagaIdentity, type Sagas } from "../../shared/sagas/index.js";
import type { Posted, Posting } from "../clients/posting.js";
import type { Movement, MovementEnding, MovementKind } from "../domain/movement.js";
import type { Session } from "../store/collections.js";
import type { WalletStore } from "../store/index.js";
import { releaseDayLimit, reserveDayLimit } from "./wallet-daily-limit.js";
import type { HeldArrivals } from "./held-arrivals.js";
import type { MovementCrashPoints, RulesOf } from "./movements/rules.js";
import { recoveryRows } from "./row-kinds.js";

export interface MovementSagaDeps {
  store: WalletStore;
  sagas: Sagas;
  posting: Posting;
  rules: RulesOf<MovementKind>;
  heldArrivals: Pick<HeldArrivals, "note">;
  crashPoint: (name: string) => void;
}

export type MovementSaga = ReturnType<typeof createMovementSaga>;

/** Money that moves by one linked group: first transaction, posting, last transaction. */
export function createMovementSaga({ store, sagas, posting, rules, heldArrivals, crashPoint }: MovementSagaDeps) {
  const commonPoints: MovementCrashPoints = {
    recorded: () => crashPoint("wallet.movement.recorded"),
    posted: () => crashPoint("wallet.movement.posted"),
    ended: () => crashPoint("wallet.movement.ended"),
  };
  const pointsOf = ({ kind }: Movement): MovementCrashPoints => rules[kind].crashPoints ?? commonPoints;
  const answerOf = (movement: Movement): StoredAnswer | undefined => {
    const { ending, kind } = movement;
    if (ending === undefined) return undefined;
    if (ending.status === "FAILED") return { kind: "refusal", ...ending.refusal };
    return { kind: "response", bytes: rules[kind].answer(movement, ending) };
  };

  async function insert(tenantId: string, movement: Movement, session: Session): Promise<void> {
    const wallet = store.forTenant(tenantId);
    for (const part of movement.spends ?? []) await reserveDayLimit(wallet, part, session);
    await rules[movement.kind].onBegin?.(tenantId, movement, session);
    await wallet.insertMovement(movement, session);
  }

  /** First transaction. Throws what reserving and the kind's own writes refuse. */
  async function begin(tenantId: string, movement: Movement, ticket: Ticket): Promise<void> {
    const { movementId } = movement;
    await sagas.begin(sagaOf(tenantId, movement), {
      ticket,
      id: movementId,
      insert: (session) => insert(tenantId, movement, session).then(() => true),
      readBack: async () => (await store.forTenant(tenantId).findMovement(movementId)) && true,
    });
    pointsOf(movement).recorded();
  }

  /**
   * First transaction of one that no request asks for, inside the caller's own; the relay drives
   * it.
   */
  async function beginUnasked(tenantId: string, movement: Movement, session: Session): Promise<void> {
    await insert(tenantId, movement, session);
    await sagas.beginUnasked(sagaOf(tenantId, movement), session);
  }

  /**
   * Drives it to its end; idempotent and safe beside itself. Throws while the outcome is unknown.
   */
  async function drive(tenantId: string, movement: Movement, context: DriveContext): Promise<StoredAnswer> {
    const answer = answerOf(movement);
    if (answer !== undefined) return answer;
    const { ownAccounts, kind } = movement;
    const refusal = await rules[kind].checkBeforePosting?.(tenantId, movement, context);
    if (refusal !== undefined) return end(tenantId, movement, failedWith(refusal), context);
    await posting.ensureAccounts(tenantId, movement, ownAccounts, context);
    const posted = await post(tenantId, movement, context);
    pointsOf(movement).posted();
    if (!(posted instanceof Refusal)) return end(tenantId, movement, { status: "DONE", ...posted }, context);
    return end(tenantId, movement, failedWith(rules[kind].translateRefusal?.(posted) ?? posted), context);
  }

  async function driveById(tenantId: string, movementId: string, context: DriveContext): Promise<StoredAnswer> {
    const movement = await store.forTenant(tenantId).findMovement(movementId);
    if (movement === undefined) throw new Error(`movement ${movementId} is not there`);
    return drive(tenantId, movement, context);
  }

  /** A till without a float, or without cash at its end, moves nothing. */
  async function post(tenantId: string, movement: Movement, context: DriveContext): Promise<Posted | Refusal> {
    const { transfers, kind, createdAt: postedAt } = movement;
    if (transfers.length > 0) return posting.post(tenantId, movement, transfers, context, rules[kind].ledgerDecisions);
    return { debitBalanceMinor: 0n, creditBalanceMinor: 0n, firstDebitBalanceMinor: 0n, postedAt, transferIds: [] };
  }

  /** Last transaction. Gives the answer that stands: another driver may have been first. */
  async function end(tenantId: string, pending: Movement, ending: MovementEnding, context: DriveContext) {
    const wallet = store.forTenant(tenantId);
    const movement = { ...pending, ending };
    const { movementId, kind } = movement;
    const answer = await sagas.end(
      sagaOf(tenantId, movement),
      {
        answer: answerOf(movement) as StoredAnswer,
        apply: async (session) => {
          if (!(await wallet.endMovement(movementId, ending, session))) return false;
          await settle(tenantId, movement, ending, session);
          await rules[kind].onEnd?.(tenantId, movement, ending, session);
          return true;
        },
        readBack: async () => {
          const found = await wallet.findMovement(movementId);
          return found && answerOf(found);
        },
        next: rules[kind].followUps?.(movement, ending) ?? [],
      },
      context,
    );
    pointsOf(movement).ended();
    return answer;
  }

  /** What failed gives its parts of days back; what arrived and may not be had yet is noted. */
  async function settle(tenantId: string, movement: Movement, ending: MovementEnding, session: Session) {
    const { spends = [], held, interactionId, createdBy: actor } = movement;
    if (ending.status === "FAILED") {
      for (const part of spends) await releaseDayLimit(store.forTenant(tenantId), part, session);
    } else if (held !== undefined) {
      await heldArrivals.note({ tenantId, interactionId, actor }, held, session);
    }
  }

  function sagaOf(tenantId: string, movement: Movement): SagaIdentity {
    const { movementId, kind } = movement;
    const { operation } = rules[kind];
    const aggregate = `movement:${movementId}`;
    return identityOf(tenantId, movement, {
      operation,
      aggregate,
      recovery: recoveryRows.movement,
      payload: { movementId },
    });
  }

  return { begin, beginUnasked, drive, driveById };
}

const failedWith = (refusal: Refusal): MovementEnding => ({ status: "FAILED", refusal: keptRefusal(refusal) });
