import { JsonNumber, parseJson } from "../../services/kernel/json.js";
import type { Field, Schema } from "./schema.js";

/** A fault in the JSON of a request, with its path. */
export class RequestFault extends Error {
  override readonly name = "RequestFault";
}

const integerRanges: Record<string, [bigint, bigint]> = {
  int32: [-(2n ** 31n), 2n ** 31n - 1n],
  sint32: [-(2n ** 31n), 2n ** 31n - 1n],
  sfixed32: [-(2n ** 31n), 2n ** 31n - 1n],
  uint32: [0n, 2n ** 32n - 1n],
  fixed32: [0n, 2n ** 32n - 1n],
  int64: [-(2n ** 63n), 2n ** 63n - 1n],
  sint64: [-(2n ** 63n), 2n ** 63n - 1n],
  sfixed64: [-(2n ** 63n), 2n ** 63n - 1n],
  uint64: [0n, 2n ** 64n - 1n],
  fixed64: [0n, 2n ** 64n - 1n],
};

/**
 * The request that `text` describes, ready to be encoded. Throws RequestFault naming the path of
 * what does not fit.
 */
export function requestFromJson(schema: Schema, message: string, text: string): object {
  let parsed: unknown;
  try {
    parsed = parseJson(text);
  } catch (error) {
    throw new RequestFault(`the request is not JSON: ${(error as Error).message}`);
  }
  return messageFrom(schema, message, parsed, "");
}

function messageFrom(schema: Schema, name: string, value: unknown, path: string): object {
  if (name === "google.protobuf.Timestamp") return timestampFrom(value, path);
  if (name === "google.protobuf.Duration") return durationFrom(value, path);
  const fields = new Map(schema.messages.get(name)?.fields.map((field) => [field.name, field]));
  const result: Record<string, unknown> = {};
  for (const [given, member] of Object.entries(objectOf(value, path))) {
    const field = fields.get(given) ?? fields.get(camelCase(given));
    const at = path === "" ? given : `${path}.${given}`;
    if (!field) throw new RequestFault(`${at}: ${name} has no such field, only ${[...fields.keys()].join(", ")}`);
    if (member !== null) result[field.name] = fieldFrom(schema, field, member, at);
  }
  return result;
}

function fieldFrom(schema: Schema, field: Field, value: unknown, path: string): unknown {
  const { mapValue } = field;
  if (mapValue) {
    const entries = Object.entries(objectOf(value, path));
    return Object.fromEntries(
      entries.map(([key, item]) => [key, singleFrom(schema, mapValue, item, `${path}.${key}`)]),
    );
  }
  if (!field.repeated) return singleFrom(schema, field, value, path);
  if (!Array.isArray(value)) throw new RequestFault(`${path}: must be an array`);
  return value.map((item, index) => singleFrom(schema, field, item, `${path}[${index}]`));
}

function singleFrom(schema: Schema, field: Field, value: unknown, path: string): unknown {
  if (field.kind === "message") return messageFrom(schema, field.type, value, path);
  if (field.kind === "enum") {
    const names = schema.enums.get(field.type) ?? [];
    if (typeof value === "string" && names.includes(value)) return value;
    throw new RequestFault(`${path}: must be one of ${names.join(", ")}`);
  }
  const range = integerRanges[field.type];
  if (range) return integerFrom(value, range, field.type, path);
  switch (field.type) {
    case "bool":
      if (typeof value === "boolean") return value;
      break;
    case "string":
      if (typeof value === "string") return value;
      break;
    case "bytes":
      if (typeof value === "string" && /^[A-Za-z0-9+/]*={0,2}$/.test(value)) return value;
      throw new RequestFault(`${path}: must be base64`);
    default:
      if (value instanceof JsonNumber) return Number(value.text);
  }
  throw new RequestFault(`${path}: must be a ${field.type}`);
}

/** Given as a number or, as protobuf's JSON has it for 64 bits, as a string; exact either way. */
function integerFrom(value: unknown, [least, most]: [bigint, bigint], type: string, path: string): string | number {
  const text = value instanceof JsonNumber ? value.text : value;
  if (typeof text === "string" && /^-?\d{1,20}$/.test(text)) {
    const integer = BigInt(text);
    if (integer >= least && integer <= most) return type.endsWith("64") ? integer.toString() : Number(integer);
  }
  throw new RequestFault(`${path}: must be an ${type}`);
}

function timestampFrom(value: unknown, path: string): object {
  const at = typeof value === "string" ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(at)) throw new RequestFault(`${path}: must be a time such as 2026-11-21T09:30:00Z`);
  return { seconds: String(Math.floor(at / 1000)), nanos: (((at % 1000) + 1000) % 1000) * 1_000_000 };
}

function durationFrom(value: unknown, path: string): object {
  const parts = typeof value === "string" ? /^(-?)(\d{1,12})(?:\.(\d{1,9}))?s$/.exec(value) : null;
  if (!parts) throw new RequestFault(`${path}: must be a duration such as 90s or 1.5s`);
  const [, sign = "", seconds = "0", fraction = ""] = parts;
  return { seconds: `${sign}${seconds}`, nanos: Number(`${sign}${fraction.padEnd(9, "0")}`) };
}

function objectOf(value: unknown, path: string): object {
  const plain = typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof JsonNumber);
  if (!plain) throw new RequestFault(`${path === "" ? "the request" : path}: must be an object`);
  return value;
}

function camelCase(name: string): string {
  return name.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

/**
 * A decoded answer as plain JSON values: times as ISO 8601, durations as "1.5s", 64-bit integers as
 * strings; what is absent is left out.
 */
export function answerToJson(schema: Schema, name: string, answer: unknown): unknown {
  if (name === "google.protobuf.Timestamp") {
    const { seconds, nanos } = answer as { seconds: string; nanos: number };
    return new Date(Number(seconds) * 1000 + nanos / 1_000_000).toISOString();
  }
  if (name === "google.protobuf.Duration") {
    const { seconds, nanos } = answer as { seconds: string; nanos: number };
    const fraction = nanos === 0 ? "" : `.${String(Math.abs(nanos)).padStart(9, "0").replace(/0+$/, "")}`;
    return `${seconds === "0" && nanos < 0 ? "-0" : seconds}${fraction}s`;
  }
  const members = answer as Record<string, unknown>;
  const result: Record<string, unknown> = {};
  for (const field of schema.messages.get(name)?.fields ?? []) {
    const value = members[field.name];
    if (value !== null && value !== undefined) result[field.name] = fieldToJson(schema, field, value);
  }
  return result;
}

function fieldToJson(schema: Schema, field: Field, value: unknown): unknown {
  const { mapValue } = field;
  if (mapValue) {
    const entries = Object.entries(value as object);
    return Object.fromEntries(entries.map(([key, item]) => [key, fieldToJson(schema, mapValue, item)]));
  }
  if (Array.isArray(value)) return value.map((item) => fieldToJson(schema, { ...field, repeated: false }, item));
  return field.kind === "message" ? answerToJson(schema, field.type, value) : value;
}
