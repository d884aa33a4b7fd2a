import { isDeepStrictEqual } from "node:util";
import type { Each } from "./collection.js";
import type { Guard } from "./tenant-guard.js";
import { plain, TenantGuardError, type Plain } from "./values.js";

/** Fields to set, checked as those of an update are. */
export function checkedFields(fields: Plain, guard: Guard): Plain {
  return plain(guard.update({ $set: fields })["$set"], "$set");
}

// What a statement finds of a list costs it more with every name: from some hundreds on, one is
// slower than several.
const maxNames = 300;

/** The same in parts that a statement takes; none of nothing. */
export function partsOf(each: Each): Each[] {
  const { values, known } = each;
  const part = (all: Each["values"], start: number) => new Map(all.entries().drop(start).take(maxNames));
  const starts = Array.from({ length: Math.ceil(values.size / maxNames) }, (_, index) => index * maxNames);
  return starts.map((start) => ({ ...each, values: part(values, start), known: known && part(known, start) }));
}

/**
 * Which documents are meant, as far as each has the values it is known by, and how a statement says
 * what of a list is a document's own.
 */
export function eachOf(filter: object, { by = "_id", values, known }: Each, guard: Guard) {
  if (Object.hasOwn(filter, by)) throw new TenantGuardError(`documents are named by ${by}, and by nothing else of it`);
  if (Object.hasOwn(filter, "$expr"))
    throw new TenantGuardError("what is expected of each document is said by its values");
  const names = [...values.keys()];
  const place = { $indexOfArray: [{ $literal: names }, `$${by}`] };
  const ownOf = (list: readonly unknown[]) => ({ $arrayElemAt: [{ $literal: list }, place] });
  const which = guard.filter({ ...filter, [by]: { $in: names } });
  if (known === undefined) return { which, ownOf };
  if (!isDeepStrictEqual([...known.keys()], names)) throw new TenantGuardError("each is known, in the same order");
  const { paths, rows } = fieldsOf(known, guard);
  const asKnown = ownOf(rows.map((row) => paths.map((path) => row[path])));
  return { which: { ...which, $expr: { $eq: [paths.map((path) => `$${path}`), asKnown] } }, ownOf };
}

/** The fields of each, in the same order. */
export function fieldsOf(values: ReadonlyMap<string, Plain>, guard: Guard): { paths: string[]; rows: Plain[] } {
  const rows = Array.from(values.values(), (fields) => checkedFields(fields, guard));
  const paths = Object.keys(rows[0] ?? {});
  if (paths.length === 0) throw new TenantGuardError("no fields are named");
  const isSame = (row: Plain) =>
    Object.keys(row).length === paths.length && paths.every((path) => Object.hasOwn(row, path));
  if (!rows.every(isSame)) throw new TenantGuardError("values are of the same fields of every document");
  return { paths, rows };
}
