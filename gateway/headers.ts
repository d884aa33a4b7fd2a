import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import { z } from "zod";
import { interactionIdPattern } from "../services/kernel/grpc/metadata.js";
import { asUtc } from "../services/kernel/time/iso-time.js";
import { Refusal } from "../services/kernel/refusal.js";
import { check } from "./schema.js";
import * as leaf from "../services/platform/events/shapes/leaves.js";

export type Presence = "required" | "optional";

// In the document all of them are text with a pattern: generators refuse headers of other types.
const interactionId = z
  .string()
  .regex(interactionIdPattern, "must be 1 to 128 letters, digits or - _ . :")
  .meta({
    description: "Identifies the interaction; made when absent, echoed, and written on every ledger entry.",
    examples: [leaf.ids.interactionId],
  });
const idempotencyKey = z
  .string()
  .regex(/^[\x20-\x7e]{1,255}$/, "must be 1 to 255 printable characters")
  .meta({
    description: "Unique per request: a retry with the same key gets the same answer.",
    examples: ["transfer-2026-0042"],
  });
const ipAddress = z
  .string()
  .refine((value) => isIP(value) !== 0 && !value.includes("%"), "must be an IPv4 or IPv6 address")
  .meta({ description: "An IPv4 or IPv6 address.", pattern: "^[0-9A-Fa-f.:]{2,45}$", examples: ["203.0.113.7"] });
const instantPattern = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d(:\d\d([.,]\d{1,9})?)?([Zz]|[+-]\d\d(:?\d\d)?)?$/;
const authDate = z
  .string()
  .refine(isInstant, "must be an ISO 8601 instant, such as 2026-11-21T10:15:00Z")
  .meta({
    pattern: instantPattern.source,
    description: "When the request was initiated, ISO 8601; UTC where it names no offset.",
    examples: ["2026-11-21T10:15:00Z"],
  });

const lastEventId = z
  .string()
  .max(128)
  .meta({
    description: "The last id that was received: events after it. Without it events come from now on.",
    examples: ["0199d0c2-5d1f-7b3a-8c44-3f5e9a7d2b10"],
  });

function recorded(fallback: string, description: string) {
  return z
    .string()
    .optional()
    .transform((value) => value || fallback)
    .meta({ description, override: { type: "string", default: fallback, examples: [fallback] } });
}

function present<S extends z.ZodType>(schema: S, presence: Presence | undefined): S | z.ZodOptional<S> {
  return presence === "required" ? schema : z.optional(schema);
}

export interface HeaderRules {
  interactionId?: Presence;
  idempotencyKey?: Presence;
  authDate?: Presence;
  customerIp?: Presence;
  ipAddress?: Presence;
  password?: Presence;
  lastEventId?: Presence;
}

export interface RequestHeaders {
  platform: string;
  uuid: string;
  "x-fapi-interaction-id"?: string | undefined;
  "x-fapi-auth-date"?: string | undefined;
  "x-fapi-customer-ip-address"?: string | undefined;
  "x-idempotency-key"?: string | undefined;
  ipAddress?: string | undefined;
  password?: string | undefined;
  "last-event-id"?: string | undefined;
}

/** The headers of one operation. Every header of the contract is checked whenever it is present. */
export function headersSchema(rules: HeaderRules): z.ZodObject<z.ZodRawShape> {
  return z.object({
    platform: recorded("MANILLA", "Recorded; never used to authorise."),
    uuid: recorded("200", "Recorded; never used to deduplicate."),
    "x-fapi-interaction-id": present(interactionId, rules.interactionId),
    "x-fapi-auth-date": present(authDate, rules.authDate),
    "x-fapi-customer-ip-address": present(ipAddress, rules.customerIp),
    "x-idempotency-key": present(idempotencyKey, rules.idempotencyKey),
    ipAddress: present(ipAddress, rules.ipAddress),
    ...(rules.password && {
      password: present(z.string().max(1024), rules.password).meta({
        description: "The caller's password.",
        examples: ["Correct-horse-battery-1"],
      }),
    }),
    ...(rules.lastEventId && { "last-event-id": present(lastEventId, rules.lastEventId) }),
  });
}

/** What of a schema does not change from request to request. */
interface Prepared {
  /** Names as the schema has them, with those of Node. */
  names: [string, string][];
  /** What a request that sends none of them is read as; undefined where one is required. */
  ofNone: RequestHeaders | undefined;
}

const prepared = new WeakMap<object, Prepared>();

function prepare(schema: z.ZodObject<z.ZodRawShape>): Prepared {
  const known = prepared.get(schema);
  if (known !== undefined) return known;
  const names = Object.keys(schema.shape).map((name): [string, string] => [name, name.toLowerCase()]);
  const none = check(schema, {});
  const fresh = { names, ofNone: none.ok ? Object.freeze(none.value as unknown as RequestHeaders) : undefined };
  prepared.set(schema, fresh);
  return fresh;
}

/**
 * Reads the headers by their schema. Refuses HEADER_REQUIRED and HEADER_INVALID naming every faulty
 * header.
 */
export function readHeaders(schema: z.ZodObject<z.ZodRawShape>, request: IncomingMessage): RequestHeaders {
  const { names, ofNone } = prepare(schema);
  if (ofNone !== undefined && names.every(([, name]) => request.headers[name] === undefined)) return ofNone;
  const sent: Record<string, string> = {};
  for (const [name, ofNode] of names) {
    const values = new Set(request.headersDistinct[ofNode]);
    if (values.size > 1) throw headerFault("HEADER_INVALID", [{ path: name, message: "is sent more than once" }]);
    const [value] = values;
    if (value !== undefined) sent[name] = name === "password" ? utf8IfItIs(value) : value;
  }
  const result = check(schema, sent);
  if (result.ok) return result.value as unknown as RequestHeaders;
  const missing = result.faults.some(({ path }) => sent[path] === undefined);
  throw headerFault(missing ? "HEADER_REQUIRED" : "HEADER_INVALID", result.faults);
}

function headerFault(code: "HEADER_REQUIRED" | "HEADER_INVALID", faults: { path: string; message: string }[]): Refusal {
  const errors = faults.map(({ path, message }) => ({ path: `headers.${path}`, message }));
  return new Refusal(code, faults.map(({ path, message }) => `header ${path} ${message}`).join("; "), { errors });
}

/** Node reads header bytes as Latin-1; clients that send UTF-8 mean UTF-8. */
function utf8IfItIs(value: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.from(value, "latin1"));
  } catch {
    return value;
  }
}

function isInstant(text: string): boolean {
  if (!instantPattern.test(text)) return false;
  try {
    Temporal.Instant.from(asUtc(text));
    return true;
  } catch {
    return false;
  }
}
