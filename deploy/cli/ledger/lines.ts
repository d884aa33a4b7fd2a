import type { Account, JournalRecord, JournalRefusal, JournalTransfer } from "../../../proto/gen/ledger/v1/ledger.js";

export const format = 1;

/**
 * What a line of an export is. A file begins with `journal` and ends with `end`; accounts come
 * before transfers, records last.
 */
export type Line =
  | { journal: JournalLine }
  | { account: Account }
  | { transfer: JournalTransfer }
  | { refusal: JournalRefusal }
  | { record: JournalRecord }
  | { end: { accounts: number; transfers: number; refusals: number; records: number } };

/** Where the journal and its records end in this file. */
export interface JournalLine {
  readonly format: number;
  readonly tenant: string;
  readonly sequence: bigint;
  readonly hash: Uint8Array;
  readonly records: bigint;
  readonly recordsHash: Uint8Array;
}

const int64Fields: ReadonlySet<string> = new Set([
  "sequence",
  "afterSequence",
  "number",
  "record",
  "records",
  "amountMinor",
  "debitBalanceMinor",
  "creditBalanceMinor",
  "availableMinor",
  "askedMinor",
]);
const bytesFields: ReadonlySet<string> = new Set(["hash", "recordsHash", "fingerprint", "content"]);
const timeFields: ReadonlySet<string> = new Set(["time", "dueAt", "effectiveAt", "decidedAt", "createdAt"]);

/**
 * One line of JSON: int64 as text, bytes as hexadecimal digits, times as ISO 8601, empty members
 * left out.
 */
export function lineToText(line: Line): string {
  return `${JSON.stringify(toJson(line))}\n`;
}

/** Throws an Error with a sentence for what is no line of an export. */
export function lineFromText(text: string): Line {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw new Error("is not JSON");
  }
  const line = fromJson(parsed) as Line;
  if (typeof line !== "object" || line === null || Object.keys(line).length !== 1)
    throw new Error("is no line of an export");
  return line;
}

function toJson(value: unknown): unknown {
  if (typeof value === "bigint") return String(value);
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Uint8Array) return Buffer.from(value).toString("hex");
  if (Array.isArray(value)) return value.map(toJson);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).filter(([, member]) => member !== undefined && member !== "");
  // Empty metadata is kept: it is not absent metadata.
  return Object.fromEntries(members.map(([name, member]) => [name, name === "metadata" ? member : toJson(member)]));
}

function fromJson(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(fromJson);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, memberFromJson(name, member)]));
}

function memberFromJson(name: string, member: unknown): unknown {
  // Names of metadata are the callers' own.
  if (name === "metadata" || typeof member !== "string") return name === "metadata" ? member : fromJson(member);
  if (int64Fields.has(name)) return int64FromText(name, member);
  if (bytesFields.has(name)) return Buffer.from(member, "hex");
  if (!timeFields.has(name)) return member;
  const time = new Date(member);
  if (Number.isNaN(time.getTime())) throw new Error(`${name} is not a time`);
  return time;
}

function int64FromText(name: string, text: string): bigint {
  if (!/^-?\d{1,19}$/.test(text)) throw new Error(`${name} is not a whole number`);
  return BigInt(text);
}
