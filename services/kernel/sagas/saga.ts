import type { ClientSession } from "mongoose";
import type { StoredAnswer, Ticket } from "../idempotency/index.js";
import type { NewRow, RelayContext, RowKind } from "../outbox/index.js";
import type { SagaOrigin } from "./saga-origin.js";

/** One thing in the making: a payment, an application, an account. */
export interface SagaIdentity extends SagaOrigin {
  readonly tenantId: string;
  /** Of the idempotency record: the rpc's name. */
  readonly operation: string;
  /** Outbox aggregate, such as "payment:<id>". */
  readonly aggregate: string;
  /** Kind of its recovery row, which drives it on when nobody else does. */
  readonly recovery: RowKind;
  readonly payload: Record<string, unknown>;
}

/** What is kept of a call with what it begins. */
export function originOf(
  { interactionId }: { interactionId: string },
  caller: string,
  idempotencyKey: string,
): SagaOrigin {
  return { caller, idempotencyKey, interactionId, createdBy: caller };
}

/** A saga's identity from its thing, which holds its origin among other fields. */
export function identityOf(
  tenantId: string,
  { caller, idempotencyKey, interactionId, createdBy }: SagaOrigin,
  saga: Pick<SagaIdentity, "operation" | "aggregate" | "recovery" | "payload">,
): SagaIdentity {
  return { tenantId, ...saga, caller, idempotencyKey, interactionId, createdBy };
}

/** On whose time a saga is driven. */
export interface DriveContext {
  /** Of the waiting caller. */
  readonly deadline?: Date;
  /** Set by the relay: closes the recovery row in the saga's last transaction. */
  readonly closeRecovery?: RelayContext["complete"];
  /** Set right after the first transaction: nobody can have driven it before. */
  readonly isFirst?: boolean;
}

/** For calls on behalf of a drive: no longer than its caller waits. */
export function deadlineOf({ deadline }: Pick<DriveContext, "deadline">): { deadline?: Date } {
  return deadline === undefined ? {} : { deadline };
}

export interface SagaBeginning<T> {
  readonly ticket: Ticket;
  /** What a retry resumes: the id of what is made. */
  readonly id: string;
  /** Writes the PENDING state. */
  insert(session: ClientSession): Promise<T>;
  /** What `insert` had written, once it is there. */
  readBack(): Promise<T | undefined>;
  /** As an ending's. */
  readonly onlyWrites?: boolean;
}

export interface SagaEnding {
  /** A function where only `apply` knows it: called after it, in the same transaction. */
  readonly answer: StoredAnswer | (() => StoredAnswer);
  /** Writes the final state; false when somebody else had ended it. */
  apply(session: ClientSession): Promise<boolean>;
  /** The answer of the final state that stands, once there is one. */
  readBack(): Promise<StoredAnswer | undefined>;
  /**
   * True when it only writes, with its conditions in its filters: many may then share one
   * transaction.
   */
  readonly onlyWrites?: boolean;
  /** Work that follows. */
  readonly next?: readonly Pick<NewRow, "kind" | "payload" | "dueAt">[];
  /**
   * Rows that tell of it; a function where only `apply` knows them. The first row takes the place
   * of the recovery row.
   */
  readonly eventRows?: readonly NewRow[] | (() => readonly NewRow[]);
}
