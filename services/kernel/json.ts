import { formatMoney, type Money } from "./money.js";
import { Refusal, invalidInput } from "./refusal.js";

const numberGrammar = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

// Node has source text access and raw JSON; TypeScript's library does not know them yet.
const exactJson = JSON as unknown as {
  parse(text: string, reviver: (key: string, value: unknown, context: { source?: string }) => unknown): unknown;
  rawJSON(text: string): object;
};

/** A JSON number as the text it was written with: nothing is lost to a double. */
export class JsonNumber {
  readonly text: string;

  constructor(text: string) {
    if (!numberGrammar.test(text)) throw new TypeError("not a JSON number");
    this.text = text;
  }

  /** Makes even a plain JSON.stringify print the exact digits. */
  toJSON(): object {
    return exactJson.rawJSON(this.text);
  }
}

export interface JsonLimits {
  /** Nesting of arrays and objects. */
  maxDepth: number;
}

/**
 * Parses JSON with every number as JsonNumber. Depth is checked before parsing, which would
 * recurse. A member named __proto__ is dropped. Refuses INVALID_INPUT: too deep, not JSON, a
 * duplicate key, text that is not well-formed Unicode or holds NUL. The message never quotes the
 * text, which may hold a password.
 */
export function parseJson(text: string, limits: JsonLimits = { maxDepth: 64 }): unknown {
  scan(text, limits.maxDepth);
  try {
    return exactJson.parse(text, reviveExactly);
  } catch (error) {
    if (error instanceof Refusal) throw error;
    const position = /position (\d+)/.exec(error instanceof Error ? error.message : "")?.[1];
    throw invalidInput(
      "body",
      position === undefined ? "is not valid JSON" : `is not valid JSON at position ${position}`,
    );
  }
}

/** Compact JSON: JsonNumber and bigint as exact digits, undefined members left out. */
export function printJson(value: unknown): string {
  const text = JSON.stringify(value, (_key, item: unknown) => {
    if (typeof item === "bigint") return exactJson.rawJSON(item.toString());
    if (typeof item === "number" && !Number.isFinite(item)) throw new TypeError("JSON has no such number");
    return item;
  });
  if (text === undefined) throw new TypeError("JSON has no such value");
  return text;
}

/** An amount where the contract says number: 25.00 USD prints as 25.00. */
export function moneyNumber(amount: Money): JsonNumber {
  return new JsonNumber(formatMoney(amount));
}

function reviveExactly(key: string, value: unknown, context: { source?: string }): unknown {
  if (key === "__proto__") return undefined;
  if (!isPlainText(key)) throw badText();
  if (typeof value === "number") return new JsonNumber(context.source ?? String(value));
  if (typeof value === "string" && !isPlainText(value)) throw badText();
  return value;
}

function isPlainText(text: string): boolean {
  return text.isWellFormed() && !text.includes("\0");
}

function badText(): Refusal {
  return invalidInput("body", "holds text that is not well-formed");
}

/**
 * Walks the brackets and keys of a text that may not be JSON at all; JSON.parse judges the rest.
 */
function scan(text: string, maxDepth: number): void {
  // One entry per open bracket: the keys of an object, undefined for an array.
  const open: (Set<string> | undefined)[] = [];
  let expectsKey = false;
  for (let at = 0; at < text.length; at++) {
    switch (text[at]) {
      case "{":
      case "[":
        if (open.length >= maxDepth) throw invalidInput("body", `is nested deeper than ${maxDepth} levels`);
        open.push(text[at] === "{" ? new Set() : undefined);
        expectsKey = text[at] === "{";
        break;
      case "}":
      case "]":
        open.pop();
        expectsKey = false;
        break;
      case ",":
        expectsKey = open.at(-1) !== undefined;
        break;
      case '"': {
        const end = endOfString(text, at);
        if (expectsKey) noteKey(text.slice(at, end + 1), open.at(-1));
        expectsKey = false;
        at = end;
        break;
      }
    }
  }
}

function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === "\\") at++;
    else if (text[at] === '"') return at;
  }
  return text.length;
}

function noteKey(literal: string, keys: Set<string> | undefined): void {
  const key = literal.includes("\\") ? decoded(literal) : literal.slice(1, -1);
  if (keys?.has(key) === true) {
    throw invalidInput(key.slice(0, 64).toWellFormed().replaceAll("\0", "�"), "is given more than once");
  }
  keys?.add(key);
}

function decoded(literal: string): string {
  try {
    return JSON.parse(literal) as string;
  } catch {
    return literal;
  }
}
