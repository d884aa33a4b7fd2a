// What is wrong by a JSON Schema: for each field of a request, values that the schema does not
// allow.

/** A node of the OpenAPI document. */
// oxlint-disable-next-line typescript/no-explicit-any -- a JSON document
type Schema = any;

/** One field of a right body made wrong. */
export interface WrongBody {
  /** As a fault names it, such as items.0.amount. */
  path: string;
  what: string;
  body: unknown;
}

export type Resolve = (node: Schema) => Schema;

/** Follows references into the components of a document. */
export function resolverOf(document: Schema): Resolve {
  return (node) => {
    let found = node;
    while (found?.$ref !== undefined) {
      const [, ...path] = (found.$ref as string).split("/");
      found = path.reduce((at, part) => at?.[part], document);
    }
    return found;
  };
}

/**
 * Every field of `right` made wrong in each way that its schema knows; `types` of the wrong types
 * for each field.
 */
export function wrongBodies(schema: Schema, right: unknown, resolve: Resolve, types: number): WrongBody[] {
  const wrongs: WrongBody[] = [];
  for (const { path, node, isRequired } of fieldsOf(schema, resolve, [])) {
    const add = (what: string, value: unknown) =>
      wrongs.push({ path: path.join("."), what, body: withValue(right, path, value) });
    if (isRequired) add("missing", undefined);
    for (const [what, value] of wrongValues(node, resolve, types)) add(what, value);
  }
  return wrongs;
}

interface Field {
  path: string[];
  node: Schema;
  isRequired: boolean;
}

function fieldsOf(schema: Schema, resolve: Resolve, above: string[]): Field[] {
  const fields: Field[] = [];
  for (const variant of variantsOf(schema, resolve)) {
    for (const [name, node] of Object.entries(variant.properties ?? {})) {
      const path = [...above, name];
      fields.push({ path, node, isRequired: variant.required?.includes(name) ?? false });
      fields.push(...fieldsOf(node, resolve, path));
    }
    if (variant.items && above.length > 0) {
      const path = [...above, "0"];
      fields.push({ path, node: variant.items, isRequired: false });
      fields.push(...fieldsOf(variant.items, resolve, path));
    }
  }
  return fields;
}

/** What a value may be one of, references followed. */
function variantsOf(schema: Schema, resolve: Resolve): Schema[] {
  const node = resolve(schema);
  const choices = node?.anyOf ?? node?.oneOf;
  // Some say the type beside the choice, which then is of the form only.
  if (choices === undefined || node.type !== undefined) return [node];
  return choices.flatMap((choice: Schema) => variantsOf(choice, resolve));
}

type JsonType = "object" | "array" | "string" | "number" | "boolean" | "null";

/** Types that a value may have; undefined where any will do. */
function typesOf(node: Schema, resolve: Resolve): Set<JsonType> | undefined {
  const types = new Set<JsonType>();
  for (const variant of variantsOf(node, resolve)) {
    const listed = [variant.type ?? []].flat() as string[];
    const values = (variant.enum ?? (variant.const === undefined ? [] : [variant.const])) as unknown[];
    if (listed.length === 0 && values.length === 0) return undefined;
    for (const type of listed) types.add(type === "integer" ? "number" : (type as JsonType));
    for (const value of listed.length > 0 ? [] : values)
      types.add(value === null ? "null" : (typeof value as JsonType));
  }
  return types;
}

const ofType: [JsonType, unknown][] = [
  ["object", { a: "text" }],
  ["boolean", true],
  ["array", ["text"]],
  ["string", "text"],
  ["number", 5],
];

function wrongValues(node: Schema, resolve: Resolve, types: number): [string, unknown][] {
  const allowed = typesOf(node, resolve);
  if (allowed === undefined) return [];
  const wrong: [string, unknown][] = ofType
    .filter(([type]) => !allowed.has(type))
    .slice(0, types)
    .map(([type, value]) => [`of type ${type}`, value]);
  if (!allowed.has("null")) wrong.push(["null", null]);
  const variants = variantsOf(node, resolve).filter((variant) => variant.type !== "null");
  if (variants.length !== 1) return wrong;
  return [...wrong, ...beyond(variants[0], allowed)];
}

/** Of the right type, and outside of what else the schema says. */
function beyond(schema: Schema, allowed: ReadonlySet<JsonType>): [string, unknown][] {
  const wrong: [string, unknown][] = [];
  const { maxLength, minLength, minimum, maximum, maxItems, minItems, type } = schema;
  if (allowed.has("string")) {
    if (schema.enum) wrong.push(["not one of the list", "NOT_ONE_OF_THEM"]);
    if (maxLength !== undefined && maxLength < 100_000) wrong.push(["too long", "a".repeat(maxLength + 1)]);
    if (minLength > 0) wrong.push(["empty", ""]);
    if (["uuid", "date", "date-time"].includes(schema.format)) wrong.push(["of another form", "neither"]);
    if (schema.pattern && !new RegExp(schema.pattern, "u").test("~ \n~")) wrong.push(["of another form", "~ \n~"]);
  }
  if (allowed.has("number")) {
    wrong.push(["huge", 1e300]);
    if (type === "integer") wrong.push(["no whole number", 1.5]);
    if (minimum !== undefined) wrong.push(["too small", minimum - 1]);
    if (maximum !== undefined) wrong.push(["too large", maximum + 1]);
  }
  if (allowed.has("array")) {
    if (maxItems !== undefined) wrong.push(["too many", Array.from({ length: maxItems + 1 }, () => "a")]);
    if (minItems > 0) wrong.push(["too few", []]);
  }
  return wrong;
}

/**
 * A copy with `value` at the path, and objects and lists made on the way where there are none;
 * undefined takes it out.
 */
function withValue(right: unknown, path: readonly string[], value: unknown): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return value;
  if (name === "0") {
    const [first, ...others] = Array.isArray(right) ? (right as unknown[]) : [];
    return [withValue(first, rest, value), ...others];
  }
  const copy: Record<string, unknown> = typeof right === "object" && right !== null ? { ...right } : {};
  copy[name] = withValue(copy[name], rest, value);
  return copy;
}
