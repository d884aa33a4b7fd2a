import { isDeepStrictEqual } from "node:util";
import type { mongo } from "mongoose";
import { isPlain, type Plain } from "./values.js";

/** A write of one document. */
export interface SingleWrite {
  readonly operation: mongo.AnyBulkWriteOperation;
  /**
   * The field by which its filter names the document: no two have the same there. `_id` when
   * absent.
   */
  readonly by?: string | undefined;
}

/**
 * One statement that does what several writes ask: an update where there is a change, otherwise a
 * deletion.
 */
export interface MergedWrites {
  readonly filter: Plain;
  readonly change?: Plain | Plain[];
}

interface Part {
  readonly kind: "updateOne" | "deleteOne";
  readonly name: string;
  /** What else the filter says. */
  readonly others: Plain;
  readonly update: Plain;
}

/**
 * Names many documents by a field (`named`), and says which element of a list is each document's
 * own (`ownOf`).
 */
export function selectEach(by: string, names: readonly unknown[]) {
  const place = { $indexOfArray: [{ $literal: names }, `$${by}`] };
  return {
    named: { [by]: { $in: names } },
    ownOf: (list: readonly unknown[]) => ({ $arrayElemAt: [{ $literal: list }, place] }),
  };
}

/**
 * Merges writes that differ only in the document they name and the values they set: one statement
 * costs MongoDB half of what as many do (docs/decisions/0022). Undefined where they differ in more.
 */
export function mergeWrites(writes: readonly SingleWrite[]): MergedWrites | undefined {
  const [{ by = "_id" } = {}] = writes;
  const parts = writes.flatMap((write) => partOf(write, by) ?? []);
  const [first] = parts;
  if (first === undefined || parts.length < 2 || parts.length < writes.length) return undefined;
  const isAlike = ({ kind, others }: Part) => kind === first.kind && isDeepStrictEqual(others, first.others);
  const names = parts.map(({ name }) => name);
  if (!parts.every(isAlike) || new Set(names).size < names.length) return undefined;
  const { named, ownOf } = selectEach(by, names);
  const filter = { ...first.others, ...named };
  if (first.kind === "deleteOne") return { filter };
  const change = changeOf(
    parts.map(({ update }) => update),
    ownOf,
  );
  return change && { filter, change };
}

function partOf({ operation, by = "_id" }: SingleWrite, common: string): Part | undefined {
  const [[kind, content] = ["", {}]] = Object.entries(operation) as [string, Plain][];
  if ((kind !== "updateOne" && kind !== "deleteOne") || by !== common) return undefined;
  const { filter, update = {}, ...rest } = content;
  if (!isPlain(filter) || !isPlain(update) || Object.keys(rest).length > 0) return undefined;
  const { [by]: name, ...others } = filter;
  return typeof name === "string" ? { kind, name, others, update } : undefined;
}

/**
 * The change that all share, or each one's own whole fields: a path into a list means another thing
 * in a pipeline.
 */
function changeOf(updates: readonly Plain[], ownOf: (list: readonly unknown[]) => Plain): Plain | Plain[] | undefined {
  const [first = {}] = updates;
  if (updates.every((update) => isDeepStrictEqual(update, first))) return first;
  const [set, unset] = [fieldsOf(first, "$set"), fieldsOf(first, "$unset")];
  const isAlike = (update: Plain) =>
    Object.keys(update).every((operator) => operator === "$set" || operator === "$unset") &&
    isDeepStrictEqual(fieldsOf(update, "$set"), set) &&
    isDeepStrictEqual(fieldsOf(update, "$unset"), unset);
  if (!updates.every(isAlike) || [...set, ...unset].some((path) => path.includes("."))) return undefined;
  const own = set.map((path) => [path, ownOf(updates.map((update) => (update["$set"] as Plain)[path]))] as const);
  return [
    ...(set.length === 0 ? [] : [{ $set: Object.fromEntries(own) }]),
    ...(unset.length === 0 ? [] : [{ $unset: unset }]),
  ];
}

function fieldsOf(update: Plain, operator: string): string[] {
  return Object.keys((update[operator] ?? {}) as Plain).toSorted();
}
