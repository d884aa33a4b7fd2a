import type { EventType } from "../../platform/events/types.js";

/** GIVEN_UP: after the last attempt, or where nothing can be sent any more. */
export type DeliveryStatus = "PENDING" | "DELIVERED" | "GIVEN_UP";

export interface Attempt {
  at: Date;
  /** HTTP status; absent where there was no answer. */
  status?: number;
  durationMs: number;
  /** The first kilobyte, as text. */
  answer?: string;
  /** Why there was no answer, or it counts for nothing. */
  error?: string;
}

/** An event on its way to an endpoint. */
export interface Delivery {
  deliveryId: string;
  endpointId: string;
  eventId: string;
  eventType: EventType;
  subjectId: string;
  sequence: number;
  place: number;
  customerId: string;
  status: DeliveryStatus;
  attemptCount: number;
  /** The last ones. */
  attempts: Attempt[];
  createdAt: Date;
  /** When it is looked at next; absent where it ended, or waits for another of its subject. */
  dueAt?: Date;
  /**
   * Of an ordered endpoint, while it is open: one line of deliveries per subject, of which the head
   * alone is sent.
   */
  line?: string;
  isHead?: boolean;
  isWaiting?: boolean;
  /** Sequences before it that were given up since one arrived, such as 3 or 3-5,8. */
  givenUp?: string;
  leaseToken?: string;
}

export const retainedAttempts = 20;
export const retainedResponseBytes = 1_024;

/**
 * What an answer, or its absence, means for a delivery. UNSENT: nobody was asked,
 * which says nothing of the endpoint.
 */
export type Verdict = "ARRIVED" | "GONE" | "FAILED" | "UNSENT";

/**
 * 2xx arrived, 410 wants no more of them, everything else failed: also 3xx, which is not followed.
 */
export function verdictOf({ status }: Pick<Attempt, "status">): Verdict {
  if (status !== undefined && status >= 200 && status < 300) return "ARRIVED";
  return status === 410 ? "GONE" : "FAILED";
}

/** Ranges that a header names: whoever misses more sees it by the sequences. */
const maxRanges = 50;

/**
 * The sequences that a delivery after this one must be told of, where this one is given up. Between
 * two ranges are sequences that the endpoint got, or did not ask for.
 */
export function givenUpWith({ givenUp, sequence }: Pick<Delivery, "givenUp" | "sequence">): string {
  const ranges = givenUp?.split(",") ?? [];
  const [from = "", to = from] = ranges.at(-1)?.split("-") ?? [];
  if (Number(to) === sequence) return givenUp!;
  const joined =
    Number(to) === sequence - 1 && from !== ""
      ? [...ranges.slice(0, -1), `${from}-${sequence}`]
      : [...ranges, sequence];
  return joined.slice(-maxRanges).join(",");
}
