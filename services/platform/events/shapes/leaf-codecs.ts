// What is not the same in JSON and in a message, however it is called: times, money, enums.
import { z } from "zod";
import type { JsonNumber } from "../../../kernel/json.js";
import { formatMoney, money, moneyToWire, parseSignedMoney } from "../../../kernel/money.js";
import { invalidInput } from "../../../kernel/refusal.js";
import type { WireMoney } from "./field-types.js";
import { decimalText, instant, moneyNumber } from "./schema.js";
import { enumName, moneyAsNumber } from "./wire.js";

// What a leaf is, its schema says.
// oxlint-disable-next-line typescript/no-explicit-any -- as said
type Any = any;

/** A leaf or an object that is not the same in JSON and in a message. */
export interface Codec {
  /** Faults are named by `path` and what lies below it; `currency` is that of what it lies in. */
  toWire(json: Any, path?: string, currency?: string): Any;
  fromWire(wire: Any, currency?: string): Any;
  /** Members of an object that answers have and messages do not. */
  oneWay?: readonly string[];
  /** Those that go both ways by functions of their own. */
  byHand?: readonly string[];
}

/** `names` are what there is to choose from. */
export const forms = z.registry<{ codec: Codec; names?: readonly string[] }>();

const leaves = new Map<z.ZodType, Codec>([
  [instant, { toWire: (text: string) => new Date(text), fromWire: (at: Date) => at.toISOString() }],
  [
    decimalText,
    {
      toWire: moneyOf,
      fromWire: (value: string | WireMoney) =>
        typeof value === "string" ? value : formatMoney(money(value.amountMinor, value.currency)),
    },
  ],
  [
    moneyNumber,
    {
      toWire: (value: JsonNumber | number, path, currency) =>
        moneyOf(typeof value === "number" ? String(value) : value.text, path, currency),
      fromWire: ({ amountMinor, currency }: WireMoney) => moneyAsNumber(amountMinor, currency),
    },
  ],
]);
for (const [leaf, codec] of leaves) forms.add(leaf, { codec });

/** Decimal text where the message has text for money. Refuses what the currency does not have. */
function moneyOf(text: string, path: string | undefined, currency: string | undefined): unknown {
  return currency === undefined ? text : moneyToWire(parseSignedMoney(text, currency, path));
}

/** Text with a pattern of its own, as the money that a message has of it. */
export function asMoney<S extends z.ZodType<string>>(schema: S): S {
  goesAs(schema, decimalText);
  return schema;
}

/** Bytes of a message. Refuses text that stands for none. */
export const base64: Codec = {
  toWire: (text: string, path = "") => {
    const bytes = Buffer.from(text, "base64");
    if (bytes.length === 0) throw invalidInput(path, "must not be empty");
    return bytes;
  },
  fromWire: (bytes: Uint8Array) => Buffer.from(bytes).toString("base64"),
};

/** Lets a leaf of requests go to messages as one of answers comes from them. */
export function goesAs(leaf: z.ZodType, other: z.ZodType): void {
  forms.add(leaf, { codec: leaves.get(other)! });
}

type Prefix<E> = { [K in keyof E]: K extends `${infer P}UNSPECIFIED` ? P : never }[keyof E];
type Names<E> = { [K in keyof E]: K extends `${Prefix<E>}${infer N}` ? Exclude<N, "UNSPECIFIED"> : never }[keyof E];

/** The names of an enum of a service, without what they all begin with. */
export function enumOf<E extends Record<string, string>>(names: E): z.ZodType<Names<E>, Names<E>> {
  const { prefix, members } = namesOf(names);
  return formed(z.enum(members as [string, ...string[]]), { prefix, members }) as unknown as z.ZodType<
    Names<E>,
    Names<E>
  >;
}

/** The same where the document says text. */
export function textOf(names: Record<string, string>): z.ZodString {
  return formed(z.string(), namesOf(names));
}

function formed<S extends z.ZodType>(schema: S, { prefix, members }: ReturnType<typeof namesOf>): S {
  const codec = { toWire: (name: string) => prefix + name, fromWire: (name: string) => enumName(name, prefix) };
  forms.add(schema, { codec, names: members });
  return schema;
}

function namesOf(names: Record<string, string>) {
  const all = Object.keys(names);
  const prefix = all.find((name) => name.endsWith("UNSPECIFIED"))!.slice(0, -"UNSPECIFIED".length);
  const members = all.filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length));
  return { prefix, members: members.filter((name) => name !== "UNSPECIFIED") };
}
