import { isDecimal, numberText } from "./decimal.js";
import { InputError } from "./errors.js";
import { wire } from "./generated/wire.js";

/** How members of answers are to be read. */
export type Wire = typeof wire;

type Reviver = (this: unknown, key: string, value: unknown, context?: { source?: string }) => unknown;
const parse = JSON.parse as (text: string, reviver: Reviver) => unknown;

const knowsSource = parse("0", (_key, _value, context) => context?.source === "0") === true;

/**
 * Reads JSON without losing a digit: an amount, and every number that is not a whole one which
 * JavaScript holds exactly, comes as its text. Throws a SyntaxError.
 */
export function readJson(text: string, { amounts, plain, free }: Wire = wire, bySource = knowsSource): unknown {
  const read = (key: string, source: string): unknown => {
    const value = Number(source);
    return amounts.has(key) || !Number.isSafeInteger(value) || String(value) !== source ? source : value;
  };
  const content = bySource
    ? parse(text, (key, value, context) => (typeof value === "number" ? read(key, context?.source ?? "") : value))
    : parse(quoteNumbers(text), (key, value) => (typeof value === "string" ? unquoted(key, value, read) : value));
  for (const odd of plain.keys()) if (text.includes(`"${odd}"`)) return renamed(content, plain, free);
  return content;
}

// Node 20 does not show a reviver the source of a number: it is read as
// text that begins with NUL and n.
const tokens = /("(?:[^"\\]|\\.)*")(\s*:)?|-?\d[\d.eE+-]*/g;

function quoteNumbers(text: string): string {
  // What is no JSON must not become JSON by the quotes.
  JSON.parse(text);
  return text.replace(tokens, (token: string, string: string | undefined, colon: string | undefined) => {
    if (string === undefined) return `"\\u0000n${token}"`;
    return colon === undefined && string.startsWith('"\\u0000') ? `"\\u0000s${string.slice(1)}` : token;
  });
}

function unquoted(key: string, value: string, read: (key: string, source: string) => unknown): unknown {
  if (!value.startsWith("\0")) return value;
  return value[1] === "n" ? read(key, value.slice(2)) : value.slice(2);
}

function renamed(value: unknown, plain: Wire["plain"], free: Wire["free"]): unknown {
  if (Array.isArray(value)) return value.map((item) => renamed(item, plain, free));
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).map(([name, member]): [string, unknown] => [
    plain.get(name) ?? name,
    free.has(name) ? member : renamed(member, plain, free),
  ]);
  return Object.fromEntries(members);
}

/**
 * Writes a request's body, each amount as it is. `odd` has the wire's names of members of the body
 * itself, `numbers` those that the wire wants as JSON numbers. Throws an InputError that names the
 * member.
 */
export function writeBody(
  body: object,
  odd: Readonly<Record<string, string>> = {},
  numbers: readonly string[] = [],
  within = "",
): string {
  const members = Object.entries(body).filter(([, value]) => value !== undefined);
  const texts = members.map(([name, value]) => {
    const text = numbers.includes(name) ? writtenNumber(value, name) : written(value, within + name);
    return `${JSON.stringify(Object.hasOwn(odd, name) ? odd[name] : name)}:${text}`;
  });
  return `{${texts.join(",")}}`;
}

function writtenNumber(value: unknown, path: string): string {
  if (typeof value !== "string") return written(value, path);
  if (isDecimal(value)) return value;
  throw new InputError(`${path} is not decimal text such as "20.00"`);
}

function written(value: unknown, path: string): string {
  if (typeof value === "number") return numberText(value, path);
  if (typeof value === "bigint") return String(value);
  if (Array.isArray(value))
    return `[${value.map((item, index) => written(item ?? null, `${path}.${index}`)).join(",")}]`;
  if (typeof value === "object" && value !== null && !(value instanceof Date))
    return writeBody(value, {}, [], `${path}.`);
  const text = JSON.stringify(value) as string | undefined;
  if (text === undefined) throw new InputError(`${path} is a ${typeof value}, which JSON cannot say`);
  return text;
}
