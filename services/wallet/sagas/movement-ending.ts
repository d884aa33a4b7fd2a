import type { StoredAnswer } from "../../kernel/idempotency/index.js";
import { storedRefusal, type Refusal } from "../../kernel/refusal.js";
import { identityOf, type DriveContext, type SagaIdentity, type Sagas } from "../../kernel/sagas/index.js";
import type { Movement, MovementEnding, MovementKind } from "../domain/movement.js";
import type { Session } from "../store/collections.js";
import type { WalletStore } from "../store/index.js";
import type { HeldArrivals } from "./held-arrivals.js";
import type { MovementCrashPoints, RulesOf } from "./movements/rules.js";
import { rowKinds } from "../row-kinds.js";
import { releaseDayLimit } from "./wallet-daily-limit.js";

type Rules = RulesOf<MovementKind>;

export interface MovementEndingDeps {
  store: WalletStore;
  sagas: Sagas;
  rules: Rules;
  heldArrivals: Pick<HeldArrivals, "note">;
  crashPoint: (name: string) => void;
}

/** A movement that is not over yet, on its way to its end. */
export interface DrivenMovement {
  readonly tenantId: string;
  readonly movement: Movement;
  readonly context: DriveContext;
}

/** Last transaction. Gives the answer that stands: another driver may have been first. */
export async function endMovement(
  deps: MovementEndingDeps,
  { tenantId, movement: pending, context }: DrivenMovement,
  ending: MovementEnding,
): Promise<StoredAnswer> {
  const { store, sagas, rules } = deps;
  const wallet = store.forTenant(tenantId);
  const movement = { ...pending, ending };
  const { movementId, kind } = movement;
  const ended = {
    answer: movementAnswer(rules, movement) as StoredAnswer,
    apply: async (session: Session) => {
      if (!(await wallet.endMovement(movementId, ending, session))) return false;
      await settle(deps, tenantId, movement, ending, session);
      await rules[kind].onEnd?.(tenantId, movement, ending, session);
      return true;
    },
    readBack: async () => {
      const found = await wallet.findMovement(movementId);
      return found && movementAnswer(rules, found);
    },
    next: rules[kind].followUps?.(movement, ending) ?? [],
  };
  const answer = await sagas.end(sagaOfMovement(rules, tenantId, movement), ended, context);
  movementCrashPoints(deps, movement).ended();
  return answer;
}

/** What failed gives its parts of days back; what arrived and may not be had yet is noted. */
async function settle(
  { store, heldArrivals }: MovementEndingDeps,
  tenantId: string,
  movement: Movement,
  ending: MovementEnding,
  session: Session,
): Promise<void> {
  const { spends = [], held, interactionId, createdBy: actor } = movement;
  if (ending.status === "FAILED") {
    for (const part of spends) await releaseDayLimit(store.forTenant(tenantId), part, session);
  } else if (held !== undefined) {
    await heldArrivals.note({ tenantId, interactionId, actor }, held, session);
  }
}

export const failedWith = (refusal: Refusal): MovementEnding => ({ status: "FAILED", refusal: storedRefusal(refusal) });

/** The one answer of a movement that is over; undefined while it is not. */
export function movementAnswer(rules: Rules, movement: Movement): StoredAnswer | undefined {
  const { ending, kind } = movement;
  if (ending === undefined) return undefined;
  if (ending.status === "FAILED") return { kind: "refusal", ...ending.refusal };
  return { kind: "response", bytes: rules[kind].answer(movement, ending) };
}

export function sagaOfMovement(rules: Rules, tenantId: string, movement: Movement): SagaIdentity {
  const { movementId, kind } = movement;
  return identityOf(tenantId, movement, {
    operation: rules[kind].operationOf?.(movement) ?? rules[kind].operation,
    aggregate: `movement:${movementId}`,
    recovery: rowKinds.driveMovement,
    payload: { movementId },
  });
}

/** Where a test kills the process: the kind's own points, or those of all movements. */
export function movementCrashPoints(
  { rules, crashPoint }: Pick<MovementEndingDeps, "rules" | "crashPoint">,
  { kind }: Movement,
): MovementCrashPoints {
  return (
    rules[kind].crashPoints ?? {
      recorded: () => crashPoint("wallet.movement.recorded"),
      posted: () => crashPoint("wallet.movement.posted"),
      ended: () => crashPoint("wallet.movement.ended"),
    }
  );
}
