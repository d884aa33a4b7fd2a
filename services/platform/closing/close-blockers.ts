import {
  CloseBlockerServiceDefinition,
  type CloseBlocker as WireBlocker,
} from "../../../proto/gen/operations/v1/closing.js";
import type { Call } from "../../kernel/grpc/context.js";
import type { WirePartial } from "../../kernel/grpc/definition.js";
import { alsoServe, type AnyServedService } from "../../kernel/grpc/server.js";
import type { Filter, GuardedCollection, SortBy } from "../../kernel/mongo/collection.js";
import type { Outbox } from "../../kernel/outbox/index.js";
import { invalidInput } from "../../kernel/refusal.js";
import type { CloseBlockerKind } from "./close-blocker-kinds.js";

// Beyond this nobody counts one by one.
const countedAtMost = 1_000;

/** What stands in the way of closing the books, as one service has it. */
export interface CloseBlocker {
  readonly kind: CloseBlockerKind;
  readonly count: number;
  readonly isAtLeast: boolean;
  readonly oldestAt?: Date | undefined;
}

/** The moments that a closing goes by: the end of its last day, and thirty days before it. */
export interface ClosingEnd {
  readonly throughDate: string;
  readonly endsAt: Date;
  readonly oldBefore: Date;
}

const dayMs = 86_400_000;

/**
 * Of a closing through a date; the day ends by UTC, since it only sorts what waits. Refuses
 * INVALID_INPUT.
 */
export function closingEnd(throughDate: string): ClosingEnd {
  const startMs = /^\d{4}-\d{2}-\d{2}$/.test(throughDate) ? Date.parse(`${throughDate}T00:00:00Z`) : Number.NaN;
  if (Number.isNaN(startMs)) throw invalidInput("through_date", 'must be a date such as "2026-11-30"');
  const endsMs = startMs + dayMs;
  return { throughDate, endsAt: new Date(endsMs), oldBefore: new Date(endsMs - 30 * dayMs) };
}

/** Counts up to 1,000 documents, the oldest first; undefined where there is none. */
export async function countBlocker<T>(
  collection: Pick<GuardedCollection<T>, "find">,
  kind: CloseBlockerKind,
  { filter, sort, at, index }: { filter: Filter<T>; sort: SortBy; at: (first: T) => Date | undefined; index?: string },
): Promise<CloseBlocker | undefined> {
  const along = index === undefined ? {} : { hint: index };
  const found = await collection.find(filter, { sort, limit: countedAtMost + 1, ...along });
  return blocker(kind, found.length, found[0] && at(found[0]));
}

/** Undefined for none; of a count that goes one beyond what is counted. */
export function blocker(kind: CloseBlockerKind, found: number, oldestAt?: Date): CloseBlocker | undefined {
  if (found === 0) return undefined;
  return { kind, count: Math.min(found, countedAtMost), isAtLeast: found > countedAtMost, oldestAt };
}

export type CountBlockers = (call: Pick<Call, "tenantId">, end: ClosingEnd) => Promise<(CloseBlocker | undefined)[]>;

/** Rows of a service's outbox that are parked, and its own blockers. */
export async function blockersOf(
  outbox: Pick<Outbox, "countParked">,
  count: CountBlockers,
  call: Pick<Call, "tenantId">,
  end: ClosingEnd,
): Promise<CloseBlocker[]> {
  const parked = outbox.countParked(call.tenantId, countedAtMost + 1);
  const [own, { count: rows, oldestAt }] = await Promise.all([count(call, end), parked]);
  return [...own, blocker("ROWS_PARKED", rows, oldestAt)].filter((one) => one !== undefined);
}

/** A service's blockers, to be served beside it. */
export function serveCloseBlockers(
  outbox: Pick<Outbox, "countParked">,
  count: CountBlockers = async () => [],
): AnyServedService {
  return alsoServe<CloseBlockerServiceDefinition>({
    definition: CloseBlockerServiceDefinition,
    access: { listCloseBlockers: { callers: ["gateway"], user: "required", roles: ["MANAGER"] } },
    handlers: {
      async listCloseBlockers({ throughDate }, call) {
        const found = await blockersOf(outbox, count, call, closingEnd(throughDate));
        return { blockers: found.map(blockerToWire) };
      },
    },
  });
}

export function blockerToWire({ kind, count, isAtLeast, oldestAt }: CloseBlocker): WirePartial<WireBlocker> {
  return { kind, count, isAtLeast, ...(oldestAt !== undefined && { oldestAt }) };
}
