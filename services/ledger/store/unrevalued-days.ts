import type { Connection } from "mongoose";
import { positionCodes } from "../domain/chart.js";
import type { Day } from "../domain/days.js";
import type { PositionBook } from "../domain/position-fold.js";
import { dayEnds, unrevaluedDays } from "../domain/revaluation.js";
import { tenantCollection } from "../../kernel/mongo/tenant-collection.js";
import { collections, type HeadDocument } from "./collections.js";
import { createPositionStore } from "./positions.js";

/** Days that are looked at; what is older than that is not. */
const maxDays = 1_000;

export type FindUnrevaluedDays = ReturnType<typeof createUnrevaluedDays>;

/** Days through one that are open, with positions that no revaluation fits, in their order. */
export function createUnrevaluedDays(db: Connection) {
  const heads = tenantCollection<HeadDocument>(db, collections.heads);
  const positions = createPositionStore(db);

  /** As far as they are counted. */
  async function storedBooks(tenantId: string): Promise<PositionBook[]> {
    const found = await Promise.all(positionCodes().map((code) => positions.forTenant(tenantId).find(code)));
    return found.flatMap((read) => read?.book ?? []);
  }

  return async function unrevalued(tenantId: string, last: Day, given?: readonly PositionBook[]): Promise<Day[]> {
    const tenant = positions.forTenant(tenantId);
    const books = given ?? (await storedBooks(tenantId));
    const begun = await tenant.firstMoveDay();
    const waiting = books.flatMap((book) => book.waiting?.day ?? []);
    if (begun === undefined && waiting.length === 0) return [];
    const closedThrough = (await heads.forTenant(tenantId).findOne({ _id: tenantId }))?.closedThrough ?? -Infinity;
    const first = Math.max(closedThrough + 1, Math.min(begun ?? Infinity, ...waiting), last - maxDays + 1);
    if (first > last) return [];
    const ends = dayEnds(books, await tenant.movesAfter(first), first, last);
    return unrevaluedDays(ends, await tenant.listRevaluations(first, last), books);
  };
}
