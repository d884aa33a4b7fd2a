import type { Logger } from "../process/log.js";
import type { ClientSession } from "mongoose";
import { v7 as uuidv7 } from "uuid";
import type { Places } from "../batching/bound.js";
import type { RowKind } from "./row-kinds.js";

/** Work that follows from a state change, committed with it. */
export interface OutboxRow {
  id: string;
  tenantId: string;
  /** What the work belongs to, such as "payment:<id>"; its rows run one after the other. */
  aggregate: string;
  /** The aggregate's version: rows run in this order. */
  seq: number;
  kind: RowKind;
  /** A plain document; whole numbers beyond 2^31 as bigint. */
  payload: Record<string, unknown>;
  interactionId: string;
  actor: string;
}

export interface NewRow extends Omit<OutboxRow, "id"> {
  /** By the outbox's clock; now when absent. */
  dueAt?: Date;
}

/**
 * DUE waits or runs; PARKED blocks its aggregate until an operator decides; the others are closed.
 */
export type RowState = "DUE" | "PARKED" | "DONE" | "CANCELLED" | "DROPPED";

/** What an operator did to a row. */
export interface OperatorComment {
  action: "retry" | "drop";
  who: string;
  why: string;
  at: Date;
}

export interface StoredRow extends Omit<OutboxRow, "id" | "kind"> {
  _id: string;
  /** Perhaps of another version, which a relay has no handler for. */
  kind: string;
  state: RowState;
  /** When the relay looks at it next: moved by backoff and while a lower row blocks it. */
  dueAt: Date;
  /** The dueAt it was added with. */
  notBefore: Date;
  /** The partner that had no place for it at its last look, by the key of its places. */
  waitsFor?: string;
  /** Put off only because of a lower row: may run as soon as that one is closed. */
  blocked?: boolean;
  attempts: number;
  /** Lease by the server's real time; the token names one try. */
  leaseToken?: string;
  leasedUntil: Date;
  lastError?: string;
  createdAt: Date;
  closedAt?: Date;
  /** Closed rows are deleted then; dropped ones stay. */
  expiresAt?: Date;
  notes?: OperatorComment[];
}

/** A row as operators see it. */
export type RowView = Omit<StoredRow, "_id" | "leaseToken" | "expiresAt" | "notBefore" | "blocked" | "waitsFor"> & {
  id: string;
};

export interface RelayContext {
  /** Aborted when the lease is lost or the relay stops. */
  readonly signal: AbortSignal;
  /** 1 for the first try. */
  readonly attempt: number;
  readonly log: Logger;
  /**
   * Closes the row inside the handler's own transaction, so that work and row are one commit.
   * Throws LEASE_LOST.
   */
  complete(session: ClientSession): Promise<void>;
}

/**
 * Does a row's work; may run more than once for one row. A definite Refusal parks the row,
 * anything else is tried again. With "forget" the row is deleted, where others stay for a
 * while as done; with "later" nothing was done and nothing failed: it is taken again in a
 * second, and no try is counted; with a partner's places the same, and looks pass over it
 * while that partner has none free.
 */
// oxlint-disable-next-line typescript/no-invalid-void-type -- most handlers end with nothing
export type RowHandler = (row: OutboxRow, context: RelayContext) => Promise<void | "forget" | "later" | Places>;

/** Seals what a row says of people for as long as it waits, and opens it for its handler. */
export interface RowCipher {
  seal(row: NewRow): Promise<NewRow>;
  open(row: OutboxRow): Promise<OutboxRow>;
}

/** A row as it is stored when it is added. */
export function storedRow({ dueAt, ...row }: NewRow, now: Date): StoredRow {
  const due = dueAt ?? now;
  const fresh = { state: "DUE" as const, dueAt: due, notBefore: due, attempts: 0, leasedUntil: new Date(0) };
  return { _id: uuidv7(), ...row, ...fresh, createdAt: now };
}

export function rowOf({ _id, tenantId, aggregate, seq, kind, payload, interactionId, actor }: StoredRow): OutboxRow {
  return { id: _id, tenantId, aggregate, seq, kind: kind as RowKind, payload, interactionId, actor };
}

export function viewOf(row: StoredRow): RowView {
  const {
    _id,
    leaseToken: _token,
    expiresAt: _expiresAt,
    notBefore: _notBefore,
    blocked: _blocked,
    waitsFor: _waitsFor,
    ...shown
  } = row;
  return { id: _id, ...shown };
}
