import type { CaseKind } from "../../common/domain/case-join.js";
import type { Case, CaseStatus } from "../domain/case.js";

export const queues = ["ALL", "OPEN", "MINE", "OVERDUE", "UNASSIGNED", "SNOOZED"] as const;
export type Queue = (typeof queues)[number];

/** AGE: oldest first. PRIORITY: most urgent first, then oldest. DUE: earliest first. */
export const orders = ["AGE", "PRIORITY", "DUE"] as const;
export type Order = (typeof orders)[number];

interface QueueQuery {
  queue: Queue;
  /** Whose MINE is. */
  caller: string;
  now: Date;
  kind?: CaseKind;
  customerId?: string;
  status?: CaseStatus;
}

export interface CaseQuery extends QueueQuery {
  order: Order;
  limit: number;
  /** Where the page before ended. */
  after?: Place;
}

/** Of a case in its order. */
export interface Place {
  number: number;
  /** Rank or due time in ms; absent in order of age. */
  by?: number;
}

export function placeOf({ number, rank, dueAt }: Case, order: Order): Place {
  switch (order) {
    case "AGE":
      return { number };
    case "PRIORITY":
      return { number, by: rank };
    case "DUE":
      return { number, by: dueAt.getTime() };
  }
}

export function sortOf(order: Order): Record<string, 1 | -1> {
  switch (order) {
    case "AGE":
      return { number: 1 };
    case "PRIORITY":
      return { rank: -1, number: 1 };
    case "DUE":
      return { dueAt: 1, number: 1 };
  }
}

export function filterOf({ queue, caller, now, kind, customerId, status }: QueueQuery): object {
  return {
    ...queueFilter(queue, caller, now),
    // What is about the caller is for others.
    $nor: [{ subjectKind: "STAFF", subjectId: caller }],
    ...(kind !== undefined && { kind }),
    ...(customerId !== undefined && { customerId }),
    ...(status !== undefined && { status }),
  };
}

/** A snoozed case is hidden from OPEN, MINE and UNASSIGNED; it is overdue all the same. */
function queueFilter(queue: Queue, caller: string, now: Date): object {
  const awake = { isOpen: true, snoozedUntil: { $not: { $gt: now } } };
  switch (queue) {
    case "ALL":
      return {};
    case "OPEN":
      return awake;
    case "MINE":
      return { ...awake, assignee: caller };
    case "UNASSIGNED":
      // Null is what MongoDB finds where a field is absent.
      return { ...awake, assignee: null };
    case "OVERDUE":
      return { isOpen: true, dueAt: { $lt: now } };
    case "SNOOZED":
      return { isOpen: true, snoozedUntil: { $gt: now } };
  }
}

export function placeAfter({ order, after }: CaseQuery): object {
  if (after === undefined) return {};
  const { number, by = 0 } = after;
  const later = { number: { $gt: number } };
  switch (order) {
    case "AGE":
      return later;
    case "PRIORITY":
      return { $or: [{ rank: { $lt: by } }, { rank: by, ...later }] };
    case "DUE":
      return { $or: [{ dueAt: { $gt: new Date(by) } }, { dueAt: new Date(by), ...later }] };
  }
}
