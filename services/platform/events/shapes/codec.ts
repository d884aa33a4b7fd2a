// Between the JSON of an operation and the message of an rpc. What a member becomes follows from
// its schema and from what the message has by its name; both directions are made once, at start.
import { z } from "zod";
import type { FieldOf, FieldsOf, Message, Unnamed, Whole, WireMoney } from "./field-types.js";
import { base64, forms, type Codec } from "./leaf-codecs.js";
import { enumName, filled } from "./wire.js";

// Members are looked up by name here; that they are there, the types of field-types.ts have seen.
// oxlint-disable-next-line typescript/no-explicit-any -- as said
type Any = any;
type Fields = Readonly<Record<string, FieldOf<Any, Any>>>;

const shapes = z.registry<{ codec: Codec }>();

/**
 * An object as it is in JSON, with the message that it comes from or goes to. Throws at start where
 * a member has no field.
 */
export function shape<W, S extends z.ZodObject>(
  message: Message<W>,
  schema: S,
  ...[fields]: [Unnamed<z.output<S>, W>] extends [never] ? [FieldsOf<z.output<S>, W>?] : [FieldsOf<z.output<S>, W>]
): S & Whole<W> {
  shapes.add(schema, { codec: codecOf(schema.shape, message.fromPartial({} as never), fields as Fields) });
  return schema as S & Whole<W>;
}

/**
 * A shape of which a whole one lies in a field of the message, and the other members beside that.
 * Throws at start where one of them has no field.
 */
export function beside<W, I extends z.ZodObject, S extends z.ZodObject>(
  message: Message<W>,
  field: keyof W & string,
  inner: I,
  schema: S,
  ...[fields]: [Unnamed<Omit<z.output<S>, keyof z.output<I>>, W>] extends [never]
    ? [undefined?]
    : [FieldsOf<Omit<z.output<S>, keyof z.output<I>>, W>]
): S & Whole<W> {
  const own = Object.entries(schema.shape).filter(([name]) => !(name in inner.shape));
  const outer = codecOf(Object.fromEntries(own), message.fromPartial({} as never), fields as Fields | undefined);
  const { codec } = shapes.get(inner)!;
  shapes.add(schema, {
    codec: {
      toWire: (json, ...rest) => ({ [field]: codec.toWire(json, ...rest), ...outer.toWire(json, ...rest) }),
      fromWire: (wire) => ({ ...codec.fromWire(filled(wire[field], field)), ...outer.fromWire(wire) }),
    },
  });
  return schema as S & Whole<W>;
}

/** The codec of an object's members; `empty` is the message as it is when nothing is in it. */
export function codecOf(members: z.ZodRawShape, empty: Any, fields: Fields = {}): Codec {
  const named: Fields = { ...Object.fromEntries(Object.keys(members).map((name) => [name, name])), ...fields };
  const made = Object.entries(members).map(([name, schema]) => memberOf(name, schema as z.ZodType, empty, named));
  return {
    toWire: (json, path, currency) => {
      const wire = {};
      const here = { currency: (json.currency as string | undefined) ?? currency, path: path ? `${path}.` : "" };
      for (const { toWire } of made) toWire(json, wire, here);
      return wire;
    },
    fromWire: (wire, currency) => {
      const json: Any = {};
      const here = typeof wire.currency === "string" ? (wire.currency as string) : currency;
      for (const { name, fromWire } of made) json[name] = fromWire(wire, here);
      return json;
    },
  };
}

/** What the members of an object go by: its currency, or that of what it lies in, and its path. */
interface Here {
  currency: string | undefined;
  path: string;
}

interface Member {
  name: string;
  toWire(json: Any, wire: Any, here: Here): void;
  fromWire(wire: Any, currency: string | undefined): unknown;
}

function memberOf(name: string, schema: z.ZodType, empty: Any, fields: Fields): Member {
  const field = fields[name]!;
  if (typeof field === "function") return computedMember(name, field);
  if (typeof field === "object" && "from" in field) return ownMember(name, field);
  if (typeof field === "object" && "group" in field) return groupMember(name, schema, empty, field.group as Fields);
  if (typeof field === "object" && "minor" in field) return minorMember(name, schema, field, fields);
  const minor = `${name}Minor`;
  if (field === name && empty !== undefined && !(name in empty) && minor in empty)
    return minorMember(name, schema, { minor }, fields);
  const { field: path, absent } = typeof field === "object" ? field : { field, absent: undefined };
  const [first, inner] = (path as string).split(".") as [string, string | undefined];
  if (empty !== undefined && !(first in empty)) throw new Error(`${name}: a message has no field ${path}`);
  const none = inner === undefined ? empty?.[first] : undefined;
  const { form, isOptional } = formOf(schema, none);
  const isNone = (value: unknown) => isEmpty(value) || (value === none && none !== undefined);
  const currencyMember = memberAt(`${path}.currency`, fields);
  const isMessage = empty !== undefined && inner === undefined && (none === undefined || Array.isArray(none));
  const isOfMoney = inner === "currency" && Object.values(fields).includes(first);
  return {
    name,
    fromWire: (wire, currency) => {
      const value = inner === undefined ? wire[first] : wire[first]?.[inner];
      if (isOptional && isNone(value)) return undefined;
      return form.fromWire(filled(value, path as string), currency);
    },
    toWire: (json, wire, here) => {
      const value = json[name] ?? absent;
      if (value === undefined || isOfMoney) return;
      const currency = currencyMember ? (json[currencyMember] ?? "") : isMessage ? here.currency : undefined;
      put(wire, path as string, form.toWire(value, here.path + name, currency));
    },
  };
}

function minorMember(
  name: string,
  schema: z.ZodType,
  { minor, currency = "currency", unless }: { minor: string; currency?: string; unless?: string },
  fields: Fields,
): Member {
  const { form, isOptional } = formOf(schema);
  const currencyMember = memberAt(currency, fields) ?? currency.split(".")[0]!;
  // What lies in another member goes with that one.
  const isPart = minor.includes(".") && memberAt(minor.split(".")[0]!, fields) !== undefined;
  if (isPart) computedMembers.add(name);
  return {
    name,
    fromWire: (wire, inherited) => {
      const amountMinor = at(wire, minor);
      if (isOptional && (amountMinor === undefined || (unless !== undefined && isEmpty(at(wire, unless)))))
        return undefined;
      return form.fromWire({
        amountMinor: filled(amountMinor, minor),
        currency: filled(at(wire, currency) ?? inherited, currency),
      });
    },
    toWire: (json, wire, here) => {
      if (json[name] === undefined || isPart) return;
      const sent = form.toWire(json[name], here.path + name, json[currencyMember] ?? here.currency ?? "") as WireMoney;
      put(wire, minor, sent.amountMinor);
    },
  };
}

function groupMember(name: string, schema: z.ZodType, empty: Any, group: Fields): Member {
  let { def } = schema._zod as Any;
  const isOptional = def.type !== "object";
  while (def.type !== "object") def = def.innerType._zod.def;
  const codec = codecOf(def.shape as z.ZodRawShape, empty, group);
  const [first] = Object.keys(def.shape as object) as [string];
  const path = (group[first] ?? first) as string;
  return {
    name,
    fromWire: (wire, currency) => (isOptional && isEmpty(at(wire, path)) ? undefined : codec.fromWire(wire, currency)),
    toWire: (json, wire, { currency, path: outer }) =>
      void (json[name] !== undefined && Object.assign(wire, codec.toWire(json[name], outer + name, currency))),
  };
}

function ownMember(name: string, { from, to }: { from(wire: Any): unknown; to(json: Any, all: Any): Any }): Member {
  const toWire = (json: Any, wire: Any): void =>
    void (json[name] !== undefined && Object.assign(wire, to(json[name], json)));
  return { name, fromWire: from, toWire };
}

/** Members that answers have and messages do not: no message goes back to them. */
export const computedMembers = new Set<string>();

function computedMember(name: string, fromWire: (wire: Any) => unknown): Member {
  computedMembers.add(name);
  return { name, fromWire, toWire: () => undefined };
}

function at(wire: Any, path: string): Any {
  const [first, inner] = path.split(".") as [string, string | undefined];
  return inner === undefined ? wire[first] : wire[first]?.[inner];
}

function put(wire: Any, path: string, value: unknown): void {
  const [first, inner] = path.split(".") as [string, string | undefined];
  wire[first] = inner === undefined ? value : { ...wire[first], [inner]: value };
}

function memberAt(path: string, fields: Fields): string | undefined {
  return Object.keys(fields).find((name) => fields[name] === path);
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === "" || (Array.isArray(value) && value.length === 0);
}

/** How a schema's values are changed; `none` is what its field has when it is not set. */
export function formOf(schema: z.ZodType, none?: unknown): { form: Codec; isOptional: boolean } {
  const named = forms.get(schema) ?? shapes.get(schema);
  if (named) return { form: named.codec, isOptional: false };
  const { def } = schema._zod as Any;
  switch (def.type) {
    case "optional":
    case "nullable":
      return { ...formOf(def.innerType, none), isOptional: true };
    case "pipe":
      return formOf(def.in, none);
    case "object":
      return { form: codecOf(def.shape, undefined), isOptional: false };
    case "array":
      return { form: listOf(def.element), isOptional: false };
    default:
      return { form: plain(def.type, none), isOptional: false };
  }
}

function listOf(element: z.ZodType): Codec {
  const { form } = formOf(element);
  const isText = forms.get(element) !== undefined;
  return {
    toWire: (items: unknown[], path = "", currency?) =>
      items.map((item, index) => form.toWire(item, `${path}.${index}`, isText ? undefined : currency)),
    fromWire: (items: unknown[], currency) => items.map((item) => form.fromWire(item, currency)),
  };
}

/** A leaf without its own form: an enum by what the unset field says, numbers in their width. */
function plain(type: string, none: unknown): Codec {
  if (typeof none === "string" && none.endsWith("UNSPECIFIED")) {
    const prefix = none.slice(0, -"UNSPECIFIED".length);
    return { toWire: (name) => prefix + name, fromWire: (name) => enumName(name, prefix) };
  }
  if (none instanceof Uint8Array) return base64;
  return { toWire: widened(type, none), fromWire: type === "bigint" ? (value) => value : narrowed };
}

/** A query holds text where a message has a number or a truth. */
function widened(type: string, none: unknown): (value: Any) => unknown {
  if (typeof none === "bigint") return BigInt;
  if (typeof none === "number") return Number;
  if (typeof none === "boolean" && type !== "boolean") return (value) => value === "true";
  return (value) => value;
}

/** Throws where a JSON number would be another one. */
function narrowed(value: unknown): unknown {
  if (typeof value !== "bigint") return value;
  const number = Number(value);
  if (!Number.isSafeInteger(number)) throw new Error(`${value} is no exact JSON number`);
  return number;
}

export function hasShape(schema: z.ZodType): boolean {
  return shapes.get(schema) !== undefined;
}

/** Makes a shape, or a list of them, of what a service answered. Throws where that is absent. */
export function readerOf<S extends z.ZodType>(schema: S): (wire: object | undefined) => z.output<S> {
  const { form } = formOf(schema);
  return (wire) => form.fromWire(filled(wire, "what was asked for")) as z.output<S>;
}

/** Makes the message of a shape. Refuses amounts that their currency does not have. */
export function writerOf<S extends z.ZodType>(schema: S): (json: z.output<S>) => object {
  const { form } = formOf(schema);
  return (json) => form.toWire(json, "") as object;
}
