import leven from "leven";
import { z } from "zod";
import { JsonNumber } from "../services/kernel/json.js";
import type { Fault } from "./schema.js";

const maxEditDistance = 2;
const minNameLength = 6;
// Comparing costs; a body with more unknown names than this is no honest misspelling.
const maxCompared = 500;

interface Search {
  found: Fault[];
  left: number;
}

/**
 * What zod lets through and a client did not mean. Unknown fields that are most likely a known one
 * misspelt (another case, or up to two letters off in names of six letters or more): ignoring them
 * would silently drop what was meant. And a number where an object belongs: exact numbers are
 * objects to zod, which would find all members absent.
 */
export function nearMisses(schema: z.ZodType, value: unknown): Fault[] {
  const found: Fault[] = [];
  collect(schema, value, [], { found, left: maxCompared });
  return found;
}

/** What other interfaces call a part of a query that ours all call the same. */
const customaryNames = new Map([
  ["since", "from"],
  ["until", "to"],
  ["limit", "size"],
]);

/**
 * Query parameters that an operation of our own does not have, each with the nearest name it has.
 */
export function unknownParameters(schema: z.ZodObject | undefined, query: object): Fault[] {
  const known = Object.keys(schema?.shape ?? {});
  const unknown = Object.keys(query).filter((name) => !known.includes(name));
  return unknown.slice(0, maxCompared).map((path) => {
    const customary = customaryNames.get(path.toLowerCase());
    const meant = customary === undefined ? nearestName(path, known) : known.find((name) => name === customary);
    return {
      path,
      message: `is not a parameter of this operation; ${meant ? `did you mean ${meant}?` : takes(known)}`,
    };
  });
}

function takes(known: readonly string[]): string {
  return known.length === 0 ? "it takes none" : `it takes ${known.join(", ")}`;
}

function collect(schema: z.ZodType, value: unknown, path: readonly string[], search: Search): void {
  const inner = unwrapped(schema);
  if (inner instanceof z.ZodArray && Array.isArray(value)) {
    const element = inner.element as z.ZodType;
    for (const [index, item] of value.entries()) collect(element, item, [...path, String(index)], search);
    return;
  }
  if (inner instanceof z.ZodObject && value instanceof JsonNumber) {
    search.found.push({ path: path.join("."), message: "must be an object" });
    return;
  }
  if (!(inner instanceof z.ZodObject) || typeof value !== "object" || value === null) return;
  const shape = inner.shape as Record<string, z.ZodType>;
  const known = Object.keys(shape);
  for (const [name, member] of Object.entries(value)) {
    const schemaOfName = Object.hasOwn(shape, name) ? shape[name] : undefined;
    if (schemaOfName) {
      collect(schemaOfName, member, [...path, name], search);
    } else if (search.left > 0) {
      search.left -= 1;
      const meant = meantName(name, known);
      const fault = { path: [...path, name].join("."), message: `is not a field; did you mean ${meant}?` };
      if (meant) search.found.push(fault);
    }
  }
}

function unwrapped(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault) {
    return unwrapped(schema.unwrap() as z.ZodType);
  }
  if (schema instanceof z.ZodPipe) return unwrapped(schema.in as z.ZodType);
  return schema;
}

/** The name that was most likely meant, where another one is allowed beside it. */
function meantName(name: string, known: readonly string[]): string | undefined {
  return closest(name, known, (candidate) => (candidate.length >= minNameLength ? maxEditDistance : 0));
}

/** The name nearest to one that is refused anyway: short ones may be off too, by less than half. */
function nearestName(name: string, known: readonly string[]): string | undefined {
  return closest(name, known, ({ length }) => Math.min(maxEditDistance, Math.floor(length / 2)));
}

function closest(name: string, known: readonly string[], mayBeOff: (candidate: string) => number): string | undefined {
  const lower = name.toLowerCase();
  let best: { name: string; off: number } | undefined;
  for (const candidate of known) {
    const limit = mayBeOff(candidate);
    const off = leven(lower, candidate.toLowerCase(), { maxDistance: limit + 1 });
    if (off <= limit && (!best || off < best.off)) best = { name: candidate, off };
  }
  return best?.name;
}
