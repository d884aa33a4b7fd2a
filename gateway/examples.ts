import { z } from "zod";
import { shownBy } from "../services/platform/events/shapes/schema.js";

const later = /^(expires|due|nextDue|maturity|takesEffect|to)|until/i;
const dates: Readonly<Record<string, { now: string; later: string }>> = {
  "date-time": { now: "2026-11-21T10:15:00.000Z", later: "2026-11-21T10:45:00.000Z" },
  date: { now: "2026-11-21", later: "2026-12-21" },
};

/** What zod keeps of a schema, as far as an example is made of it. */
interface Def {
  type: string;
  innerType: z.ZodType;
  in: z.ZodType;
  element: z.ZodType;
  options: readonly z.ZodType[];
  shape: Readonly<Record<string, z.ZodType>>;
  valueType: z.ZodType;
  entries: Readonly<Record<string, string>>;
  values: readonly unknown[];
  format?: string;
  getter: () => z.ZodType;
}

interface Meta {
  format?: string;
  enum?: readonly unknown[];
  minimum?: number;
  examples?: readonly unknown[];
  override?: Meta;
}

/** Where a schema stands: its member's name, and the objects around it. */
interface Place {
  name: string;
  within: readonly unknown[];
  /** Which of several forms is shown: the last is the one that waits. */
  choice: 0 | -1;
}

/**
 * Always the same one for the same schema: what its leaves show, of lists one item, of choices the
 * first, or the last for what `waits`. What holds itself is left out, or it would never end.
 */
export function exampleOf(schema: z.ZodType, waits = false): unknown {
  return valueOf(schema, { name: "", within: [], choice: waits ? -1 : 0 });
}

/**
 * An example with what is said beside it: members that are undefined there are left out, items of a
 * list are the made item each, and whatever names every member stands in its own order.
 */
export function withOwn(made: unknown, own: unknown): unknown {
  if (own === undefined) return made;
  if (Array.isArray(own)) return own.map((item) => withOwn(Array.isArray(made) ? made[0] : undefined, item));
  if (!isObject(own) || !isObject(made)) return own;
  const isWhole = Object.keys(made).every((name) => name in own);
  const members = Object.entries({ ...(!isWhole && made), ...own }).map(([name, value]) => [
    name,
    name in own && value !== undefined ? withOwn(made[name], value) : value,
  ]);
  return Object.fromEntries(members.filter(([, value]) => value !== undefined)) as object;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function valueOf(schema: z.ZodType, place: Place): unknown {
  const own = shownBy(schema);
  if (own !== undefined) return own;
  const def = schema._zod.def as unknown as Def;
  switch (def.type) {
    case "optional":
    case "nullable":
    case "default":
    case "readonly":
      return valueOf(def.innerType, place);
    case "pipe":
      return valueOf(def.in, place);
    case "lazy":
      return valueOf(def.getter(), place);
    case "union":
      return valueOf(def.options.at(place.choice)!, { ...place, choice: 0 });
    case "array": {
      const item = valueOf(def.element, place);
      return item === undefined ? [] : [item];
    }
    case "record":
      return { code: valueOf(def.valueType, { ...place, name: "code" }) };
    case "object":
      return place.within.includes(def.shape) ? undefined : objectOf(def.shape, place.within);
    case "enum":
      return Object.values(def.entries)[0];
    case "literal":
      return def.values[0];
    default:
      return leafOf(def, metaOf(schema), place.name);
  }
}

function objectOf(shape: Def["shape"], within: readonly unknown[]): Record<string, unknown> {
  const members = Object.entries(shape).map(([name, member]) => [
    name,
    valueOf(member, { name, within: [...within, shape], choice: 0 }),
  ]);
  return Object.fromEntries(members.filter(([, value]) => value !== undefined)) as Record<string, unknown>;
}

function metaOf(schema: z.ZodType): Meta {
  const meta = (z.globalRegistry.get(schema) ?? {}) as Meta;
  return { ...meta, ...meta.override };
}

/** Of a leaf that shows nothing of its own. */
function leafOf(
  { type, format: ofType }: Def,
  { examples, enum: choices, format = ofType, minimum = 1 }: Meta,
  name: string,
): unknown {
  if (examples?.[0] !== undefined) return examples[0];
  if (choices !== undefined) return choices[0];
  if (type === "boolean") return true;
  if (type === "number" || type === "bigint") return Math.max(1, minimum);
  const day = dates[format === "datetime" ? "date-time" : (format ?? "")];
  if (day !== undefined) return later.test(name) ? day.later : day.now;
  return textOf(name);
}

function textOf(name: string): string {
  if (/(Id|Ids|_id)$/.test(name)) return idOf(name.replace(/Ids$/, "Id"));
  if (/[cC]ountry$/.test(name)) return "NGA";
  if (/([cC]urrency|CurrencyCode)$/.test(name)) return "USD";
  const words = name.replaceAll(/([A-Z])/g, " $1").toLowerCase();
  return words.trim() || "value";
}

/** A UUID of its own for each name, and the same one for the same name. */
function idOf(name: string): string {
  let hash = 0;
  for (const character of name) hash = (hash * 31 + character.codePointAt(0)!) % 2 ** 40;
  return `0199d0c2-0000-7000-8000-${hash.toString(16).padStart(12, "0")}`;
}
