import type { Refusal, RefusalCode } from "../../../kernel/refusal.js";
import type { SagaEnding } from "../../../kernel/sagas/index.js";
import type { Movement, MovementEnding, MovementKind } from "../../domain/movement.js";
import type { Session } from "../../store/collections.js";
import type { DeskContext } from "../desk-decision.js";

export type DoneEnding = Extract<MovementEnding, { status: "DONE" }>;

/** How a movement is driven, with what only its caller knows. */
export interface MovementContext extends DeskContext {
  /** Which recovery does not know. */
  readonly pickupCode?: string;
}

/** What is particular about one kind of movement. */
export interface MovementRules {
  /** Of the idempotency record: the rpc's name; "" where no request asks for it. */
  readonly operation: string;
  /** Of one that another rpc than `operation` asked for. */
  operationOf?(movement: Movement): string;
  /** Its one answer when the money moved. */
  answer(movement: Movement, ending: DoneEnding): Uint8Array;
  /**
   * Decides before it is posted, each time it is driven. The decision must stay what it was once
   * the money may have moved. Throws while it is not known.
   */
  checkBeforePosting?(tenantId: string, movement: Movement, context: MovementContext): Promise<Refusal | undefined>;
  /** Writes of the first transaction; what they throw refuses the movement. */
  onBegin?(tenantId: string, movement: Movement, session: Session): Promise<void>;
  /** Writes of the last transaction. */
  onEnd?(tenantId: string, movement: Movement, ending: MovementEnding, session: Session): Promise<void>;
  /** Outbox rows of the work that follows. */
  followUps?(movement: Movement, ending: MovementEnding): NonNullable<SagaEnding["next"]>;
  /** Codes that the ledger may decide with beside those of every posting. */
  readonly ledgerDecisions?: ReadonlySet<RefusalCode>;
  /** Puts the ledger's refusal into the words of what the caller asked for. */
  translateRefusal?(refusal: Refusal): Refusal;
  /** Where a test kills the process, of a kind that has points of its own. */
  readonly crashPoints?: MovementCrashPoints;
}

export type MovementCrashPoints = Readonly<Record<"recorded" | "posted" | "ended", () => void>>;

export type RulesOf<Kind extends MovementKind> = Readonly<Record<Kind, MovementRules>>;

export function isDone(ending: MovementEnding): ending is DoneEnding {
  return ending.status === "DONE";
}

/** What its subject is changed to: DONE, or FAILED with the code. */
export function statusAfter(ending: MovementEnding) {
  return ending.status === "DONE"
    ? { status: "DONE" as const }
    : { status: "FAILED" as const, failure: ending.refusal.code };
}

/** When it was booked, and for which business day. */
export const bookedOf = ({ postedAt: bookedAt, day }: DoneEnding) => ({ bookedAt, day });

/** Every movement is stored with what its kind is about: without it there is a bug. */
export function assertPresent<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("a movement without what it is about");
  return value;
}
