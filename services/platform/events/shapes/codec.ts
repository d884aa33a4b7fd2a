// Between the JSON of an operation and the message of an rpc. What a member becomes follows from
// its schema and from what the message has by its name; both directions are made once, at start.
import { z } from "zod";
import type { FieldOf, FieldsOf, Message, Unnamed, Whole, WireMoney } from "./field-types.js";
import { base64, forms, type Codec } from "./leaf-codecs.js";
import { fieldAt, protoOf, put, readerAt, type FoundField, type Proto } from "./message-fields.js";
import type { MessageType } from "../../../kernel/grpc/definition.js";
import { enumName, filled } from "./wire.js";

// Members are looked up by name here; that they are there, the types of field-types.ts have seen.
// oxlint-disable-next-line typescript/no-explicit-any -- as said
type Any = any;
type Fields = Readonly<Record<string, FieldOf<Any, Any>>>;

interface Shaped {
  message: unknown;
  codec: Codec;
  proto: Proto;
}
const shapes = z.registry<Shaped>();

/**
 * An object as it is in JSON, with the message that it comes from or goes to. Throws at start where
 * a member has no field.
 */
export function shape<W, S extends z.ZodObject>(
  message: Message<W>,
  schema: S,
  ...[fields]: [Unnamed<z.output<S>, W>] extends [never] ? [FieldsOf<z.output<S>, W>?] : [FieldsOf<z.output<S>, W>]
): S & Whole<W> {
  const proto = protoOf(message as MessageType<W>);
  const codec = codecOf(schema.shape, proto, fields as Fields);
  shapes.add(schema, { message, codec, proto });
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
  const proto = protoOf(message as MessageType<W>);
  const outer = codecOf(Object.fromEntries(own), proto, fields as Fields | undefined);
  const { codec } = shapes.get(inner)!;
  shapes.add(schema, {
    message,
    proto,
    codec: {
      oneWay: [...(codec.oneWay ?? []), ...(outer.oneWay ?? [])],
      toWire: (json, ...rest) => ({ [field]: codec.toWire(json, ...rest), ...outer.toWire(json, ...rest) }),
      fromWire: (wire) => ({ ...codec.fromWire(filled(wire[field], field)), ...outer.fromWire(wire) }),
    },
  });
  return schema as S & Whole<W>;
}

/** The codec of an object's members. Throws where one has no field in the message. */
export function codecOf(members: z.ZodRawShape, proto: Proto, fields: Fields = {}): Codec {
  const named: Fields = { ...Object.fromEntries(Object.keys(members).map((name) => [name, name])), ...fields };
  const made = Object.entries(members).map(([name, schema]) => memberOf(name, schema as z.ZodType, proto, named));
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
    byHand: Object.keys(named).filter((name) => typeof named[name] === "object" && "from" in named[name]!),
    oneWay: Object.keys(named).filter((name) => typeof named[name] === "function" || isPart(named[name], named)),
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

function memberOf(name: string, schema: z.ZodType, proto: Proto, fields: Fields): Member {
  const field = fields[name]!;
  if (typeof field === "function") return { name, fromWire: field, toWire: () => undefined };
  if (typeof field === "object" && "from" in field) return ownMember(name, field);
  if (typeof field === "object" && "group" in field) return groupMember(name, schema, proto, field.group as Fields);
  if (typeof field === "object" && "minor" in field) return minorMember(name, schema, proto, field, fields);
  const minor = `${name}Minor`;
  const empty = proto.of({});
  if (field === name && !(name in empty) && minor in empty) return minorMember(name, schema, proto, { minor }, fields);
  const { field: path, absent, currency: within } = typeof field === "object" ? field : { field };
  const { none, zero, inner } = fieldAt(proto, path as string, name);
  const { form, isOptional } = formOf(schema, { name, zero, inner });
  const isNone = (value: unknown) => isEmpty(value) || (value === none && none !== undefined);
  const currencyMember = memberAt(within ?? `${path}.currency`, fields);
  const isMessage = inner !== undefined;
  const isOfMoney = path.endsWith(".currency") && Object.values(fields).includes(path.slice(0, -".currency".length));
  const read = readerAt(path as string);
  const readCurrency = within === undefined ? undefined : readerAt(within);
  return {
    name,
    fromWire: (wire, currency) => {
      const value = read(wire);
      if (isOptional && isNone(value)) return undefined;
      return form.fromWire(filled(value, path as string), readCurrency ? readCurrency(wire) : currency);
    },
    toWire: (json, wire, here) => {
      const value = json[name] ?? absent;
      if (value === undefined || isOfMoney) return;
      // Money without a currency is refused: it would go as none.
      const currency = currencyMember ? (json[currencyMember] ?? "") : isMessage ? (here.currency ?? "") : undefined;
      put(wire, path as string, form.toWire(value, here.path + name, currency));
    },
  };
}

function minorMember(
  name: string,
  schema: z.ZodType,
  proto: Proto,
  { minor, currency = "currency", unless }: { minor: string; currency?: string; unless?: string },
  fields: Fields,
): Member {
  fieldAt(proto, minor, name);
  const { form, isOptional } = formOf(schema);
  const currencyMember = memberAt(currency, fields) ?? currency;
  const [readMinor, readCurrency] = [readerAt(minor), readerAt(currency)];
  const isNone = unless === undefined ? () => false : (wire: Any) => isEmpty(readerAt(unless)(wire));
  return {
    name,
    fromWire: (wire, inherited) => {
      const amountMinor = readMinor(wire);
      if (isOptional && (amountMinor === undefined || isNone(wire))) return undefined;
      return form.fromWire({
        amountMinor: filled(amountMinor, minor),
        currency: filled(readCurrency(wire) ?? inherited, currency),
      });
    },
    toWire: (json, wire, here) => {
      if (json[name] === undefined || isPart({ minor }, fields)) return;
      const sent = form.toWire(
        json[name],
        here.path + name,
        json[currencyMember] ?? readCurrency(wire) ?? here.currency ?? "",
      ) as WireMoney;
      put(wire, minor, sent.amountMinor);
    },
  };
}

function groupMember(name: string, schema: z.ZodType, proto: Proto, group: Fields): Member {
  let { def } = schema._zod as Any;
  const isOptional = def.type !== "object";
  while (def.type !== "object") def = def.innerType._zod.def;
  const codec = codecOf(def.shape as z.ZodRawShape, proto, group);
  const [first] = Object.keys(def.shape as object) as [string];
  const read = readerAt((group[first] ?? first) as string);
  return {
    name,
    fromWire: (wire, currency) => (isOptional && isEmpty(read(wire)) ? undefined : codec.fromWire(wire, currency)),
    toWire: (json, wire, { currency, path: outer }) =>
      void (json[name] !== undefined && Object.assign(wire, codec.toWire(json[name], outer + name, currency))),
  };
}

function ownMember(name: string, { from, to }: { from(wire: Any): unknown; to(json: Any, all: Any): Any }): Member {
  const toWire = (json: Any, wire: Any): void =>
    void (json[name] !== undefined && Object.assign(wire, to(json[name], json)));
  return { name, fromWire: from, toWire };
}

/** What lies in another member goes with that one. */
function isPart(field: unknown, fields: Fields): boolean {
  if (typeof field !== "object" || field === null || !("minor" in field)) return false;
  const [first, inner] = (field.minor as string).split(".") as [string, string | undefined];
  return inner !== undefined && memberAt(first, fields) !== undefined;
}

function memberAt(path: string, fields: Fields): string | undefined {
  return Object.keys(fields).find((name) => fields[name] === path);
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === "" || (Array.isArray(value) && value.length === 0);
}

/** Where a value lies in a message. */
interface Place extends Partial<FoundField> {
  name: string;
}

/** How a schema's values are changed. Throws where the field is of another kind. */
export function formOf(schema: z.ZodType, place: Place = { name: "" }): { form: Codec; isOptional: boolean } {
  const { zero, inner, name } = place;
  const named = forms.get(schema);
  if (named) return { form: named.codec, isOptional: false };
  const shaped = shapes.get(schema);
  if (shaped) return { form: ofSameMessage(shaped, place), isOptional: false };
  const { def } = schema._zod as Any;
  switch (def.type) {
    case "optional":
    case "nullable":
      return { ...formOf(def.innerType, place), isOptional: true };
    case "pipe":
      return formOf(def.in, place);
    case "object":
      if (inner === undefined) throw new Error(`${name}: its field is no message`);
      return { form: codecOf(def.shape, inner), isOptional: false };
    case "array":
      return { form: listOf(def.element, place), isOptional: false };
    default:
      if (inner !== undefined) throw new Error(`${name}: its field is a message`);
      return { form: plain(def.type, zero, name), isOptional: false };
  }
}

function ofSameMessage({ codec, proto }: Shaped, { inner, name }: Place): Codec {
  const fieldsOf = (one: Proto) => Object.keys(one.of({}) as object).join();
  if (inner !== undefined && fieldsOf(proto) !== fieldsOf(inner))
    throw new Error(`${name}: a shape of another message`);
  return codec;
}

function listOf(element: z.ZodType, place: Place): Codec {
  const { form } = formOf(element, place);
  const isText = forms.get(element) !== undefined;
  if (isText && place.inner !== undefined) throw new Error(`${place.name}: money in a list is a shape`);
  return {
    toWire: (items: unknown[], path = "", currency?) =>
      items.map((item, index) => form.toWire(item, `${path}.${index}`, isText ? undefined : currency)),
    fromWire: (items: unknown[], currency) => items.map((item) => form.fromWire(item, currency)),
  };
}

/** A leaf without its own form: an enum by what the unset field says, numbers in their width. */
function plain(type: string, zero: unknown, name: string): Codec {
  if (typeof zero === "string" && zero.endsWith("UNSPECIFIED")) {
    const prefix = zero.slice(0, -"UNSPECIFIED".length);
    return { toWire: (member) => prefix + member, fromWire: (member) => enumName(member, prefix) };
  }
  if (zero === "UNRECOGNIZED") throw new Error(`${name}: an enum that is optional or in a list is enumOf its names`);
  if (zero instanceof Date) throw new Error(`${name}: a time is an instant`);
  if (zero instanceof Uint8Array) return base64;
  return { toWire: widened(type, zero), fromWire: type === "bigint" ? (value) => value : narrowed };
}

/** A query holds text where a message has a number or a truth. */
function widened(type: string, zero: unknown): (value: Any) => unknown {
  if (typeof zero === "bigint") return BigInt;
  if (typeof zero === "number") return Number;
  if (typeof zero === "boolean" && type !== "boolean") return (value) => value === "true";
  return (value) => value;
}

/** Throws where a JSON number would be another one. */
function narrowed(value: unknown): unknown {
  if (typeof value !== "bigint") return value;
  const number = Number(value);
  if (!Number.isSafeInteger(number)) throw new Error(`${value} is no exact JSON number`);
  return number;
}

/** The message of a shape; undefined for any other schema. */
export const messageOf = (schema: z.ZodType): unknown => shapes.get(schema)?.message;

/** The codec of a shape; undefined for any other schema. */
export function shapeCodec(schema: z.ZodType): Codec | undefined {
  return shapes.get(schema)?.codec;
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
