import { pino, stdSerializers, type DestinationStream, type Logger } from "pino";

import { isDuplicateKeyError, stackWithoutValues, withoutValues } from "../text/error-text.js";
import { createLogOutput } from "./log-output.js";
import { traceFields } from "../telemetry/tracing.js";

export type { Logger } from "pino";

const redacted = "[redacted]";
const maxDepth = 8;

// Names are compared in lower case without "-" and "_".
const secretNames = /(password|passphrase|secret|token|authorization|cookie|bvn|masterkey|privatekey|apikey|jwk)$/;
const secretExactly = new Set(["otp", "pin", "transactionpin", "iddocumentnumber", "documentnumber", "passwordhash"]);
const accountNames = /(accountnumber|bankaccountno|walletaccountno|iban)$/;

// What slips into messages and bindings as text: a member of JSON printed into a string, a JWT, a
// password in a URI.
const secretMember =
  /(\\*"[A-Za-z_-]*(?:password|secret|token|authorization|otp|pin|bvn|cookie)\\*"\s*:\s*\\*")(?!\[redacted\])[^"\\]+/gi;
const jwt = /\beyJ[\w-]+\.[\w-]+\.[\w-]*/g;
const uriPassword = /(\b[a-z][a-z0-9+.-]*:\/\/[^\s:/@"]*:)[^\s@/"]+@/gi;

export interface LoggerOptions {
  service: string;
  level: string;
  /** Standard output when absent. */
  destination?: DestinationStream;
  /**
   * Writes lines together, every tenth of a second at the latest: a process that writes one per
   * request then asks the kernel once for many. Those of its last tenth are lost when it is killed,
   * not when it exits.
   */
  isBusy?: boolean;
}

/**
 * JSON logger that never prints a secret or a whole account number, at any depth of what it is
 * given.
 */
export function createLogger({ service, level, destination, isBusy = false }: LoggerOptions): Logger {
  const options = {
    level,
    base: { service },
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: {
      level: (label: string) => ({ level: label }),
      log: (fields: Record<string, unknown>) => withoutSecrets(fields, 0, new Set()) as Record<string, unknown>,
    },
    // The walk above has already made plain objects of errors.
    serializers: { err: (value: unknown) => value },
    mixin: traceFields,
    hooks: { streamWrite: scrub },
  };
  return pino(options, destination ?? createLogOutput({ isBusy }));
}

function scrub(line: string): string {
  return line.replace(secretMember, `$1${redacted}`).replace(jwt, redacted).replace(uriPassword, `$1${redacted}@`);
}

function withoutSecrets(value: unknown, depth: number, above: Set<object>): unknown {
  if (typeof value === "bigint") return value.toString();
  if (typeof value !== "object" || value === null || value instanceof Date) return value;
  if (above.has(value)) return "[circular]";
  if (depth >= maxDepth) return "[deeper]";
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  above.add(value);
  const clean = cleanObject(value, depth, above);
  above.delete(value);
  return clean;
}

function cleanObject(value: object, depth: number, above: Set<object>): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutSecrets(item, depth + 1, above));
  if (value instanceof Set) return [...value].map((item) => withoutSecrets(item, depth + 1, above));
  let entries: [string, unknown][];
  if (value instanceof Map) entries = [...value].map(([key, item]) => [String(key), item]);
  else if (value instanceof Error) entries = errorEntries(value);
  else entries = Object.entries(value);
  const clean: Record<string, unknown> = {};
  for (const [name, item] of entries) clean[name] = cleanMember(name, item, depth, above);
  return clean;
}

function errorEntries(error: Error): [string, unknown][] {
  const { raw: _raw, ...plain } = stdSerializers.err(error) as unknown as Record<string, unknown>;
  const logged = {
    ...plain,
    message: withoutValues(messageOnce(error)),
    stack: stackWithoutValues(String(plain["stack"])),
  };
  // Of MongoDB's own members some are what was to be stored, such as writeErrors and errInfo.
  if (!error.name.startsWith("Mongo") && !isDuplicateKeyError(error)) return Object.entries(logged);
  const { type, code } = plain;
  return Object.entries({ type, message: logged.message, code, stack: logged.stack });
}

/** An error's message and those of its causes, without what it says already. */
function messageOnce(error: Error): string {
  let text = error.message;
  let { cause } = error;
  for (let depth = 0; depth < maxDepth && typeof cause === "object" && cause !== null; depth++) {
    const { message, cause: below } = cause as Partial<Error>;
    if (typeof message === "string" && !text.includes(message)) text += `: ${message}`;
    cause = below;
  }
  return text;
}

function cleanMember(name: string, item: unknown, depth: number, above: Set<object>): unknown {
  const plainName = name.toLowerCase().replaceAll(/[-_]/g, "");
  if (item === undefined || item === null) return item;
  if (secretExactly.has(plainName) || secretNames.test(plainName)) return redacted;
  if (accountNames.test(plainName)) return typeof item === "string" ? masked(item) : redacted;
  return withoutSecrets(item, depth + 1, above);
}

function masked(accountNumber: string): string {
  return accountNumber.length <= 4 ? redacted : `***${accountNumber.slice(-4)}`;
}
