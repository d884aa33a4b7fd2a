// Between the JSON of an operation and the message of an rpc. What a member becomes follows from
// its schema and from what the message has by its name; both directions are made once, at start.
import { z } from "zod";
import type { JsonNumber } from "../services/kernel/json.js";
import { formatMoney, money, moneyToWire, parseSignedMoney } from "../services/kernel/money.js";
import { invalidInput } from "../services/kernel/refusal.js";
import type { FieldOf, FieldsOf, Message, Unnamed, WireMoney } from "./field-types.js";
import { decimalText, instant, instantIn, moneyNumber, moneyNumberIn, moneyTextOrNumberIn } from "./schema.js";
import { enumName, filled, moneyAsNumber } from "./wire.js";

// Members are looked up by name here; that they are there, the types of field-types.ts have seen.
// oxlint-disable-next-line typescript/no-explicit-any -- as said
type Any = any;
type Fields = Readonly<Record<string, FieldOf<Any, Any>>>;

export interface Codec {
  /** Faults are named by `path` and what lies below it. */
  toWire(json: Any, path?: string): Any;
  fromWire(wire: Any): Any;
}

/** A leaf that is not the same in JSON and in a message; `currency` where it is money. */
interface Form {
  toWire(value: Any, path: string, currency?: string): unknown;
  fromWire(value: Any): unknown;
}

const forms = z.registry<Form>();
const shapes = z.registry<{ codec: Codec }>();

const time: Form = { toWire: (text: string) => new Date(text), fromWire: (at: Date) => at.toISOString() };
forms.add(instant, time);
forms.add(instantIn, time);
const decimal: Form = {
  toWire: moneyOf,
  fromWire: (value: string | WireMoney) =>
    typeof value === "string" ? value : formatMoney(money(value.amountMinor, value.currency)),
};
forms.add(decimalText, decimal);
forms.add(moneyTextOrNumberIn, decimal);
forms.add(moneyNumberIn, decimal);
forms.add(moneyNumber, {
  toWire: (value: JsonNumber, path, currency) => moneyOf(value.text, path, currency),
  fromWire: ({ amountMinor, currency }: WireMoney) => moneyAsNumber(amountMinor, currency),
});

/** Text with a pattern of its own, as the money that a message has of it. */
export function asMoney<S extends z.ZodType<string>>(schema: S): S {
  forms.add(schema, decimal);
  return schema;
}

/** Decimal text where the message has text for money. Refuses what the currency does not have. */
function moneyOf(text: string, path: string, currency: string | undefined): unknown {
  return currency === undefined ? text : moneyToWire(parseSignedMoney(text, currency, path));
}

type Prefix<E> = { [K in keyof E]: K extends `${infer P}UNSPECIFIED` ? P : never }[keyof E];
type Names<E> = { [K in keyof E]: K extends `${Prefix<E>}${infer N}` ? Exclude<N, "UNSPECIFIED"> : never }[keyof E];

/** The names of an enum of a service, without what they all begin with. */
export function enumOf<E extends Record<string, string>>(names: E): z.ZodType<Names<E>, Names<E>> {
  const { prefix, members } = namesOf(names);
  return formed(z.enum(members as [string, ...string[]]), prefix) as unknown as z.ZodType<Names<E>, Names<E>>;
}

/** The same where the document says text. */
export function textOf(names: Record<string, string>): z.ZodString {
  return formed(z.string(), namesOf(names).prefix);
}

function formed<S extends z.ZodType>(schema: S, prefix: string): S {
  forms.add(schema, {
    toWire: (name: string) => prefix + name,
    fromWire: (name: string) => enumName(name, prefix),
  });
  return schema;
}

function namesOf(names: Record<string, string>) {
  const all = Object.keys(names);
  const prefix = all.find((name) => name.endsWith("UNSPECIFIED"))!.slice(0, -"UNSPECIFIED".length);
  const members = all.filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length));
  return { prefix, members: members.filter((name) => name !== "UNSPECIFIED") };
}

/**
 * An object as it is in JSON, with the message that it comes from or goes to. Throws at start where
 * a member has no field.
 */
export function shape<W, S extends z.ZodObject>(
  message: Message<W>,
  schema: S,
  ...[fields]: [Unnamed<z.output<S>, W>] extends [never] ? [FieldsOf<z.output<S>, W>?] : [FieldsOf<z.output<S>, W>]
): S {
  shapes.add(schema, { codec: codecOf(schema.shape, message.fromPartial({} as never), fields as Fields) });
  return schema;
}

/** The codec of an object's members; `empty` is the message as it is when nothing is in it. */
export function codecOf(members: z.ZodRawShape, empty: Any, fields: Fields = {}): Codec {
  const made = Object.entries(members).map(([name, schema]) => memberOf(name, schema as z.ZodType, empty, fields));
  return {
    toWire: (json, path = "") => {
      const wire = {};
      for (const { name, toWire } of made) toWire(json, wire, path === "" ? name : `${path}.${name}`);
      return wire;
    },
    fromWire: (wire) => {
      const json: Any = {};
      for (const { name, fromWire } of made) json[name] = fromWire(wire);
      return json;
    },
  };
}

function memberOf(name: string, schema: z.ZodType, empty: Any, fields: Fields) {
  const field = fields[name] ?? name;
  if (typeof field === "function") return computedMember(name, field);
  if (typeof field === "object" && "from" in field) return ownMember(name, field);
  if (typeof field === "object" && "minor" in field) return minorMember(name, field, fields);
  const { field: path, absent } = typeof field === "object" ? field : { field, absent: undefined };
  const [first, inner] = (path as string).split(".") as [string, string | undefined];
  if (empty !== undefined && !(first in empty)) throw new Error(`${name}: a message has no field ${path}`);
  const none = inner === undefined ? empty?.[first] : undefined;
  const { form, isOptional } = formOf(schema, none);
  const isNone = (value: unknown) =>
    value === undefined || value === "" || (value === none && none !== undefined) || isEmptyList(value);
  const currencyMember = memberAt(`${path}.currency`, fields);
  const isOfMoney = inner === "currency" && Object.values(fields).includes(first);
  return {
    name,
    fromWire: (wire: Any) => {
      const value = inner === undefined ? wire[first] : wire[first]?.[inner];
      if (isOptional && isNone(value)) return undefined;
      return form.fromWire(filled(value, path as string));
    },
    toWire: (json: Any, wire: Any, at: string) => {
      const value = json[name] ?? absent;
      if (value === undefined || isOfMoney) return;
      const sent = form.toWire(value, at, currencyMember && (json[currencyMember] ?? ""));
      if (inner === undefined) wire[first] = sent;
      else wire[first] = { ...wire[first], [inner]: sent };
    },
  };
}

function minorMember(name: string, { minor, currency }: { minor: string; currency: string }, fields: Fields) {
  const [first, inner] = currency.split(".") as [string, string | undefined];
  const currencyMember = memberAt(currency, fields) ?? first;
  return {
    name,
    fromWire: (wire: Any) => {
      if (wire[minor] === undefined) return undefined;
      return formatMoney(money(wire[minor], inner === undefined ? wire[first] : filled(wire[first], first)[inner]));
    },
    toWire: (json: Any, wire: Any, at: string) => {
      if (json[name] !== undefined) wire[minor] = parseSignedMoney(json[name], json[currencyMember], at).minor;
    },
  };
}

function ownMember(name: string, { from, to }: { from: (wire: Any) => unknown; to: (json: Any) => Any }) {
  const toWire = (json: Any, wire: Any): void => void (json[name] !== undefined && Object.assign(wire, to(json[name])));
  return { name, fromWire: from, toWire };
}

/** Members that answers have and messages do not: no message goes back to them. */
export const computedMembers = new Set<string>();

function computedMember(name: string, fromWire: (wire: Any) => unknown) {
  computedMembers.add(name);
  return { name, fromWire, toWire: () => undefined };
}

function memberAt(path: string, fields: Fields): string | undefined {
  return Object.keys(fields).find((name) => fields[name] === path);
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

/** How a schema's values are changed; `none` is what its field has when it is not set. */
export function formOf(schema: z.ZodType, none?: unknown): { form: Form; isOptional: boolean } {
  const named = forms.get(schema) ?? shapes.get(schema)?.codec;
  if (named) return { form: named, isOptional: false };
  const { def } = schema._zod as Any;
  switch (def.type) {
    case "optional":
    case "nullable":
      return { ...formOf(def.innerType, none), isOptional: true };
    case "pipe":
      return formOf(def.in, none);
    case "object":
      return { form: codecOf(def.shape, undefined), isOptional: false };
    case "array": {
      const { form } = formOf(def.element);
      const toWire = (items: unknown[], at: string) => items.map((item, index) => form.toWire(item, `${at}.${index}`));
      const fromWire = (items: unknown[]) => items.map((item) => form.fromWire(item));
      return { form: { toWire, fromWire }, isOptional: false };
    }
    default:
      return { form: plain(def.type, none), isOptional: false };
  }
}

/** A leaf without its own form: an enum by what the unset field says, numbers in their width. */
function plain(type: string, none: unknown): Form {
  if (typeof none === "string" && none.endsWith("UNSPECIFIED")) {
    const prefix = none.slice(0, -"UNSPECIFIED".length);
    return { toWire: (name) => prefix + name, fromWire: (name) => enumName(name, prefix) };
  }
  if (none instanceof Uint8Array) return base64;
  return { toWire: widened(type, none), fromWire: type === "bigint" ? (value) => value : narrowed };
}

/** Bytes of a message. Refuses text that stands for none. */
const base64: Form = {
  toWire: (text: string, path) => {
    const bytes = Buffer.from(text, "base64");
    if (bytes.length === 0) throw invalidInput(path, "must not be empty");
    return bytes;
  },
  fromWire: (bytes: Uint8Array) => Buffer.from(bytes).toString("base64"),
};

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
