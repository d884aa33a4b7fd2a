import { namedValue } from "./example-values.js";

/** What of a JSON schema an example is made from. */
export interface Schema {
  $ref?: string;
  const?: unknown;
  enum?: readonly unknown[];
  anyOf?: readonly Schema[];
  type?: string | readonly string[];
  format?: string;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  examples?: readonly unknown[];
  description?: string;
  properties?: Readonly<Record<string, Schema>>;
  items?: Schema;
  additionalProperties?: boolean | Schema;
}

interface Place {
  /** Of the member; that of the list for what stands in one. */
  name: string;
  /** The schema or the member that it stands in. */
  owner: string;
  /** The schemas on the way here. */
  within: readonly string[];
}

const dates: Readonly<Record<string, { form: RegExp; now: string; later: string }>> = {
  "date-time": {
    form: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/,
    now: "2026-11-21T10:15:00.000Z",
    later: "2026-11-21T10:45:00.000Z",
  },
  date: { form: /^\d{4}-\d\d-\d\d$/, now: "2026-11-21", later: "2026-12-21" },
};

/**
 * Always the same one for the same schema: every member is there, lists have one item, choices are
 * the first.
 */
export function madeExample(schema: Schema, schemas: Readonly<Record<string, Schema>>): unknown {
  return valueOf(schema, { name: "", owner: "", within: [] }, schemas);
}

function valueOf(schema: Schema, place: Place, schemas: Readonly<Record<string, Schema>>): unknown {
  const { name, owner, within } = place;
  if (schema.$ref !== undefined) {
    const id = schema.$ref.split("/").at(-1)!;
    // A schema that holds itself is left out here, or its example would never end.
    if (within.includes(id)) return undefined;
    const named = schemas[id]!;
    return valueOf(named, { name: named.properties ? id : name, owner, within: [...within, id] }, schemas);
  }
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  if (schema.anyOf !== undefined) return valueOf(schema.anyOf[0]!, place, schemas);
  const type = typeof schema.type === "string" ? schema.type : schema.type?.[0];
  if (type === "object") return objectOf(schema, place, schemas);
  if (type === "array") {
    const item = valueOf(schema.items ?? {}, place, schemas);
    return item === undefined ? [] : [item];
  }
  const candidates = [namedValue(name, owner), schema.examples?.[0], plainValue(schema, type, name)];
  return candidates.map((value) => inType(value, type)).find((value) => fits(value, schema, type));
}

function objectOf(schema: Schema, { name: owner, within }: Place, schemas: Readonly<Record<string, Schema>>) {
  const { properties, additionalProperties } = schema;
  const members = Object.entries(properties ?? {}).map(([key, member]) => [
    key,
    valueOf(member, { name: key, owner, within }, schemas),
  ]);
  if (properties === undefined && typeof additionalProperties === "object") {
    const key = owner === "dynamicFields" ? "reference" : "code";
    members.push([key, valueOf(additionalProperties, { name: key, owner, within }, schemas)]);
  }
  return Object.fromEntries(members.filter(([, value]) => value !== undefined)) as Record<string, unknown>;
}

/** Numbers are named as decimal texts are. */
function inType(value: unknown, type: string | undefined): unknown {
  const isNumber = type === "number" || type === "integer";
  return isNumber && typeof value === "string" && value !== "" ? Number(value) : value;
}

function fits(value: unknown, { pattern, format, minimum, maximum }: Schema, type: string | undefined): boolean {
  switch (type) {
    case "string": {
      if (typeof value !== "string") return false;
      const form = dates[format ?? ""]?.form;
      return (pattern === undefined || new RegExp(pattern).test(value)) && (form === undefined || form.test(value));
    }
    case "integer":
    case "number":
      if (typeof value !== "number" || !Number.isFinite(value)) return false;
      if (type === "integer" && !Number.isSafeInteger(value)) return false;
      return value >= (minimum ?? -Infinity) && value <= (maximum ?? Infinity);
    case "boolean":
      return typeof value === "boolean";
    default:
      return value !== undefined;
  }
}

function plainValue(schema: Schema, type: string | undefined, name: string): unknown {
  if (type === "boolean") return true;
  if (type === "integer" || type === "number")
    return Math.min(Math.max(1, schema.minimum ?? 1), schema.maximum ?? Infinity);
  const date = dates[schema.format ?? ""];
  if (date !== undefined)
    return /^(expires|due|nextDue|maturity|takesEffect|to)|until/i.test(name) ? date.later : date.now;
  // A description that begins with its values, such as "OPEN, USED or EXPIRED.", names the first.
  const [, first] = /^([A-Z][A-Z_]+)\b/.exec(schema.description ?? "") ?? [];
  return first ?? wordsOf(name);
}

function wordsOf(name: string): string {
  return (
    name
      .replaceAll(/([A-Z])/g, " $1")
      .toLowerCase()
      .trim() || "value"
  );
}
