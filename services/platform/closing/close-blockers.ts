import {
  CloseBlockerServiceDefinition,
  type CloseBlocker as WireBlocker,
} from "../../../proto/gen/operations/v1/closing.js";
import type { Call } from "../../kernel/grpc/context.js";
import type { WirePartial } from "../../kernel/grpc/definition.js";
import { alsoServe, type AnyServedService } from "../../kernel/grpc/server.js";
import type { Filter, SortBy } from "../../kernel/mongo/collection.js";
import type { RecordCollection } from "../../kernel/mongo/record-collection.js";
import type { Outbox } from "../../kernel/outbox/index.js";
import { parseCalendarDay } from "../../kernel/time/calendar-day.js";
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

/** The last day of what is to be closed, and what came before thirty days before its end. */
export interface ClosingEnd {
  readonly throughDate: string;
  readonly oldBefore: Date;
}

const dayMs = 86_400_000;

/** Thirty days are those of UTC: some hours are nothing to them. Refuses INVALID_INPUT. */
export function closingEnd(throughDate: string): ClosingEnd {
  const startMs = Date.parse(`${parseCalendarDay(throughDate, "through_date")}T00:00:00Z`);
  return { throughDate, oldBefore: new Date(startMs - 29 * dayMs) };
}

/** Counts up to 1,000 documents, the oldest first; undefined where there is none. */
export async function countBlocker<T, D = T>(
  collection: Pick<RecordCollection<T, never, D>, "find">,
  kind: CloseBlockerKind,
  { filter, sort, at, index }: { filter: Filter<D>; sort: SortBy; at: (first: T) => Date | undefined; index?: string },
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
