import type { Role } from "../services/kernel/grpc/context.js";
import { printJson } from "../services/kernel/json.js";
import { Refusal, refusalTable, type RefusalCode } from "../services/kernel/refusal.js";

// Faults behind the edge are not explained to clients, however a service words them.
const opaque: Partial<Record<number, string>> = {
  500: "Something went wrong on our side. Nothing is known to have been changed; the interaction id finds the cause.",
  503:
    "The service is temporarily unavailable. What was asked for may have been done all the same: " +
    "repeat the request shortly with the same idempotency key to learn its outcome.",
  504: "The answer took too long. Repeat the request with the same idempotency key to learn its outcome.",
};
const ofReads: Partial<Record<number, string>> = {
  503: "The service is temporarily unavailable. Try again shortly.",
  504: "The answer took too long. Nothing was changed: a read may be repeated.",
};

const errorNames: Partial<Record<number, string>> = { 401: "Unauthorized", 403: "Forbidden" };

export interface Failure {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/**
 * The answer to a refusal: one table gives the status; 401 and 403 have a shape
 * of their own. A read has no key.
 */
export function failureOf(refusal: Refusal, role?: Role, isRead = false): Failure {
  const { code, details } = refusal;
  const status = refusalTable[code].http;
  const message = (isRead ? ofReads[status] : undefined) ?? opaque[status] ?? refusal.message;
  const error = errorNames[status];
  const figures = status < 500 ? figuresFor(refusal, role) : undefined;
  const body = error
    ? { error, message, role: role ?? null, status: "FAILED", code, figures }
    : { status: "FAILED", message, code, errors: details?.errors, figures };
  return { status, headers: failureHeaders(refusal, status), body: printJson(body) };
}

/**
 * Leaves a wallet's balance out where staff pay from it: they learn that it is too low, not what it
 * is.
 */
function figuresFor({ code, details }: Refusal, role?: Role): Record<string, string> | undefined {
  const figures = details?.figures;
  // What an agent has left is the agent's own.
  const isOwn = code === "AGENT_LIMIT" || (role !== "CASHIER" && role !== "AGENT");
  if (figures === undefined || isOwn) return figures;
  const { available: _available, ...rest } = figures;
  return Object.keys(rest).length === 0 ? undefined : rest;
}

function failureHeaders({ code, details }: Refusal, status: number): Record<string, string> {
  const headers: Record<string, string> = {};
  const passes = status === 503 || status === 429 || code === "IDEMPOTENCY_IN_FLIGHT";
  const waitS = details?.retryAfterS ?? (passes ? 1 : undefined);
  if (waitS !== undefined) headers["Retry-After"] = String(Math.max(1, Math.ceil(waitS)));
  if (status === 401) headers["WWW-Authenticate"] = "Bearer";
  return headers;
}

// A service that refuses the gateway itself is our fault, not the client's.
const internalCodes: ReadonlySet<RefusalCode> = new Set(["CALLER_NOT_ALLOWED", "INTERNAL"] as const);

/** True for what the client caused. */
export function isCallersFault(error: unknown): error is Refusal {
  return error instanceof Refusal && !internalCodes.has(error.code);
}

const ofEveryRoute = { idempotencyKey: "headers.x-idempotency-key" };

/**
 * Fault paths of a service in the contract's spelling: first by the route's renames, else as they
 * are. "fees.minimumMinor" renames a name below another one.
 */
export function renamed(refusal: Refusal, renames: Readonly<Record<string, string>> = {}): Refusal {
  const errors = refusal.details?.errors;
  if (!errors) return refusal;
  const bySimpleName = new Map(
    Object.entries({ ...ofEveryRoute, ...renames }).map(([inner, outer]) => [simple(inner), outer]),
  );
  const rename = (path: string) =>
    path
      .replaceAll(/\[(\d+)\]/g, ".$1")
      .split(".")
      .map((name, index, parts) => {
        const above = parts.slice(0, index).findLast((part) => !/^\d+$/.test(part));
        return bySimpleName.get(simple(`${above}.${name}`)) ?? bySimpleName.get(simple(name)) ?? camel(name);
      })
      .join(".");
  const outer = errors.map(({ path, message }) => ({ path: rename(path), message }));
  // Messages of bad input begin with the path they speak of.
  const first = errors[0]?.path;
  const message =
    first && refusal.message.startsWith(first) ? rename(first) + refusal.message.slice(first.length) : refusal.message;
  return new Refusal(refusal.code, message, { ...refusal.details, errors: outer });
}

function simple(name: string): string {
  return name.toLowerCase().replaceAll("_", "");
}

function camel(name: string): string {
  return name.replaceAll(/_([a-z0-9])/g, (_match, letter: string) => letter.toUpperCase());
}
