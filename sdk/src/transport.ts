import { apiError, AuthenticationError, ConnectionError, DeadlineError, InputError, ManillaError } from "./errors.js";
import type { ApiError, Refusal } from "./errors.js";
import { readJson, writeBody } from "./json.js";
import type { Answer, Meta, Operation, Sent } from "./operation.js";
import type { CallOptions, Settings } from "./options.js";
import { SessionKeeper } from "./session.js";

/** One call, read from its arguments. */
export interface Request {
  /** Of the operation, such as "transactions.create". */
  name: string;
  operation: Operation;
  path: string;
  body: object | undefined;
  options: CallOptions;
}

/** `content` is the whole answer, envelope included. */
export type Content = Answer<unknown> & { content: unknown };
type Outcome = Content | ApiError | ConnectionError;

const firstPauseMs = 250;
const longestTimerMs = 2 ** 31 - 1;
const passing = new Set([408, 429, 502, 503, 504]);

export class Transport {
  readonly keeper: SessionKeeper;
  readonly settings: Settings;

  constructor(settings: Settings) {
    this.settings = settings;
    this.keeper = new SessionKeeper(settings, (request) => this.send(request));
  }

  /**
   * Sends, and again where that is safe and may help, until the one deadline. A
   * stream is answered as it begins.
   */
  async send(request: Request): Promise<Content> {
    const { name, operation, options } = request;
    if (options.idempotencyKey !== undefined && !operation.keyed)
      throw new InputError(`${name} takes no idempotency key`);
    const sent: Sent = { operation: name, interactionId: options.interactionId ?? crypto.randomUUID(), attempts: 0 };
    if (operation.keyed) sent.idempotencyKey = options.idempotencyKey ?? crypto.randomUUID();
    const init = initOf(request, sent, this.settings.platform);
    const mayRepeat = !operation.once && (operation.method !== "POST" || operation.keyed);

    const timeoutMs = Math.min(options.timeoutMs ?? this.settings.timeoutMs, longestTimerMs);
    const endsAt = performance.now() + timeoutMs;
    const deadline = new AbortController();
    const pass = () => deadline.abort(new DeadlineError("its deadline passed; it may have been done", sent));
    const timer = setTimeout(pass, timeoutMs);
    const signal = options.signal ? AbortSignal.any([options.signal, deadline.signal]) : deadline.signal;
    try {
      let token = operation.open ? undefined : await within(signal, this.keeper.token());
      let spent: string | undefined;
      for (let repeats = 0; ;) {
        if (token !== undefined) init.headers["X-Auth-Token"] = token;
        const outcome = await this.#attempt(request, { ...init, signal }, sent);
        if (!(outcome instanceof ManillaError)) return outcome;
        signal.throwIfAborted();
        if (outcome instanceof AuthenticationError && token !== undefined && spent === undefined) {
          spent = token;
          token = await within(signal, this.keeper.token(spent));
          if (token !== spent) continue;
        }
        const waitMs = pauseMs(repeats, outcome);
        repeats += 1;
        if (!mayRepeat || repeats > this.settings.retries || performance.now() + waitMs >= endsAt) throw outcome;
        await within(signal, new Promise((resolve) => void setTimeout(resolve, waitMs)));
      }
    } finally {
      clearTimeout(timer);
    }
  }

  async #attempt({ operation, path }: Request, init: RequestInit, sent: Sent): Promise<Outcome> {
    sent.attempts += 1;
    try {
      const response = await this.settings.fetch(this.settings.baseUrl + path, init);
      const told = { ...sent, interactionId: response.headers.get("x-fapi-interaction-id") ?? sent.interactionId };
      const { status } = response;
      const refused = (said?: unknown) => apiError(status, refusalOf(status, said), told, retryAfterS(response));
      if (!response.ok) return refused(await contentOf(response).catch(() => undefined));
      // A page of a proxy or of a hotel is no answer, whatever its status.
      const isAnswer = (operation.types ?? ["application/json"]).includes(typeOf(response));
      const content = operation.stream && isAnswer ? response.body : await contentOf(response);
      const isJson = typeOf(response) === "application/json";
      const data = isJson && !operation.bare ? (Object(content) as { data?: unknown }).data : content;
      if (!isAnswer || (isJson && !isDeclared(data, operation))) return refused();
      return { content, data, meta: metaOf(response, told) };
    } catch (cause) {
      const why = cause instanceof SyntaxError ? "the answer was cut off" : "no answer came";
      return new ConnectionError(why + reasonOf(cause), sent);
    }
  }
}

function initOf({ operation, body, options }: Request, sent: Sent, platform: string | undefined) {
  const { ipAddress, lastEventId, password } = options;
  const all = {
    platform,
    "x-fapi-interaction-id": sent.interactionId,
    "x-idempotency-key": sent.idempotencyKey,
    "x-fapi-auth-date": operation.dated && new Date().toISOString(),
    "x-fapi-customer-ip-address": ipAddress,
    ipAddress,
    "last-event-id": lastEventId,
    // A header is bytes; the server reads these as UTF-8.
    password: password && String.fromCharCode(...new TextEncoder().encode(password)),
    "Content-Type": body && "application/json",
  };
  const headers: Record<string, string> = {};
  for (const [header, value] of Object.entries(all)) {
    if (value === undefined) continue;
    // The platform would refuse it too, as if no answer had come.
    if (/[^\t\x20-\x7e\x80-\xff]/.test(value)) throw new InputError(`header ${header} has characters that none has`);
    headers[header] = value;
  }
  const text = body && writeBody(body, operation.odd, operation.numbers);
  return { method: operation.method, headers, body: text ?? null, redirect: "error", credentials: "omit" } as const;
}

/** What work resolves to, unless the signal comes first; what others share goes on. */
export function within<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const leave = () => reject(signal.reason as Error);
    if (signal.aborted) leave();
    signal.addEventListener("abort", leave);
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", leave));
  });
}

/** How long before it is sent again; without end where that does not help. */
function pauseMs(repeats: number, error: ApiError | ConnectionError): number {
  const refusal = error instanceof ConnectionError ? undefined : error;
  if (refusal && !passing.has(refusal.status) && refusal.code !== "IDEMPOTENCY_IN_FLIGHT") return Infinity;
  if (refusal?.retryAfterS !== undefined) return refusal.retryAfterS * 1000 + Math.random() * firstPauseMs;
  return firstPauseMs * 2 ** repeats * (0.5 + Math.random() / 2);
}

function retryAfterS({ headers }: Response): number | undefined {
  const text = headers.get("retry-after") ?? "";
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, seconds) : undefined;
}

function metaOf({ status, headers }: Response, { idempotencyKey, interactionId, attempts }: Sent): Meta {
  const [limit, remaining, resetS] = ["limit", "remaining", "reset"].map((name) => headers.get(`ratelimit-${name}`));
  const replayed = headers.get("idempotency-replayed") === "true";
  const rateLimit = { limit: Number(limit), remaining: Number(remaining), resetS: Number(resetS) };
  return { status, replayed, interactionId, idempotencyKey, attempts, ...(limit && { rateLimit }) };
}

/**
 * Whether it is an array or an object, as the document says of this
 * operation; of a page, with its items.
 */
const isDeclared = (data: unknown, { array = false, list }: Operation): boolean =>
  Object(data) === data && Array.isArray(data) === array && (!list?.[0] || Array.isArray((data as never)[list[0]]));

function typeOf({ headers }: Response): string {
  return /^[^;\s]*/.exec(headers.get("content-type") ?? "")![0].toLowerCase();
}

async function contentOf(response: Response): Promise<unknown> {
  const type = typeOf(response);
  if (type === "application/json") return readJson(await response.text());
  return type.startsWith("text/") ? response.text() : new Uint8Array(await response.arrayBuffer());
}

function refusalOf(status: number, content: unknown): Refusal {
  const { code, message, errors = [], figures = {} } = (content ?? {}) as Partial<Refusal>;
  if (typeof code === "string" && typeof message === "string") return { code, message, errors, figures };
  return { code: "UNEXPECTED_ANSWER", message: `answered ${status}, and not by Manilla` };
}

/** The system's code of what went wrong; its text may have an address or a header in it. */
function reasonOf(cause: unknown): string {
  const { code } = ((cause as Error | undefined)?.cause ?? {}) as { code?: unknown };
  return typeof code === "string" ? ` (${code})` : "";
}
