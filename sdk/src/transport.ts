import {
  apiError,
  ConnectionError,
  DeadlineError,
  InputError,
  type ApiError,
  type Refusal,
  type Sent,
} from "./errors.js";
import { wire } from "./generated/wire.js";
import { readJson, writeBody } from "./json.js";
import type { Answer, CallOptions, Meta, Operation } from "./operation.js";
import { SessionKeeper, type Credentials, type Session } from "./session.js";

/** One call, read from its arguments. */
export interface Request {
  /** Of the operation, such as "transactions.create". */
  name: string;
  operation: Operation;
  path: string;
  headers: Record<string, string>;
  body: object | undefined;
  options: CallOptions;
}

export interface TransportOptions {
  baseUrl: string;
  credentials: Credentials;
  fetch: typeof fetch;
  timeoutMs: number;
  retries: number;
  headers: Record<string, string>;
  onSession?: (session: Session) => void;
}

/** `content` is the whole answer, envelope included. */
export type Content = Answer<unknown> & { content: unknown };

const firstPauseMs = 250;
const passing = new Set([408, 429, 502, 503, 504]);

export class Transport {
  readonly keeper: SessionKeeper;

  readonly #own: TransportOptions;

  constructor(own: TransportOptions) {
    this.#own = own;
    const send = async (operation: Operation, body: object) => {
      const { path } = operation;
      return (
        await this.send({
          name: path.slice(path.lastIndexOf("/") + 1),
          operation,
          path,
          headers: {},
          body,
          options: {},
        })
      ).data;
    };
    this.keeper = new SessionKeeper(own.credentials, send, own.onSession);
  }

  /** Sends, and again where that is safe and may help, until the one deadline. */
  async send(request: Request): Promise<Content> {
    return this.open(request, async (response, meta) => {
      const content = await contentOf(response);
      const isBare = request.operation.bare === true || !isJson(response);
      return { content, data: isBare ? content : (content as { data: unknown }).data, meta };
    });
  }

  /** The same, where the caller reads the answer. */
  async open<T>(request: Request, read: (response: Response, meta: Meta) => Promise<T>): Promise<T> {
    const { name, operation, options } = request;
    if (options.idempotencyKey !== undefined && !operation.keyed)
      throw new InputError(`${name} takes no idempotency key`);
    const key = operation.keyed ? (options.idempotencyKey ?? crypto.randomUUID()) : undefined;
    const interactionId = request.headers["x-fapi-interaction-id"] ?? options.interactionId ?? crypto.randomUUID();
    const sent: Sent = {
      operation: name,
      interactionId,
      attempts: 0,
      ...(key !== undefined && { idempotencyKey: key }),
    };
    const headers = this.#headersOf(request, sent);
    const init: RequestInit = { method: operation.method, headers, redirect: "error", credentials: "omit" };
    if (request.body !== undefined) init.body = writeBody(request.body, operation.odd, operation.numbers);

    const endsAt = performance.now() + (options.timeoutMs ?? this.#own.timeoutMs);
    const late = AbortSignal.timeout(options.timeoutMs ?? this.#own.timeoutMs);
    const signal = options.signal ? AbortSignal.any([options.signal, late]) : late;
    const mayRepeat = !operation.once && (operation.method !== "POST" || key !== undefined);
    let token = operation.open ? undefined : await this.#within(signal, sent, options, this.keeper.token());
    let isRenewed = false;
    for (let repeats = 0; ;) {
      if (token !== undefined) headers["X-Auth-Token"] = token;
      sent.attempts += 1;
      const failure = await this.#attempt({ ...init, signal }, request, sent, read);
      if ("read" in failure) return failure.read;
      this.#throwIfOver(signal, sent, options);
      const { error } = failure;
      if ("status" in error && error.status === 401 && token !== undefined && !isRenewed) {
        isRenewed = true;
        const spent: string = token;
        token = await this.#within(signal, sent, options, this.keeper.token(spent));
        if (token !== spent) continue;
      }
      const waitMs = pauseMs(repeats, "status" in error ? error.retryAfterS : undefined);
      repeats += 1;
      if (!mayRepeat || !mayPass(error) || repeats > this.#own.retries || performance.now() + waitMs >= endsAt)
        throw error;
      await this.#within(signal, sent, options, new Promise((resolve) => void setTimeout(resolve, waitMs)));
    }
  }

  async #attempt<T>(
    init: RequestInit,
    { path }: Request,
    sent: Sent,
    read: (response: Response, meta: Meta) => Promise<T>,
  ): Promise<{ read: T } | { error: ApiError | ConnectionError }> {
    try {
      const response = await this.#own.fetch(this.#own.baseUrl + path, init);
      if (response.ok) return { read: await read(response, metaOf(response, sent)) };
      const told = response.headers.get("x-fapi-interaction-id");
      const refusal = refusalOf(response.status, await contentOf(response).catch(() => undefined));
      return {
        error: apiError(
          response.status,
          refusal,
          told === null ? { ...sent } : { ...sent, interactionId: told },
          retryAfterS(response),
        ),
      };
    } catch (cause) {
      const why = cause instanceof SyntaxError ? "the answer was cut off" : "no answer came";
      return {
        error: new ConnectionError(`${sent.operation}: ${why}${reasonOf(cause)} (interaction ${sent.interactionId})`, {
          ...sent,
        }),
      };
    }
  }

  #headersOf(
    { operation, options, headers, body }: Request,
    { idempotencyKey, interactionId }: Sent,
  ): Record<string, string> {
    const all: Record<string, string> = { ...this.#own.headers, ...headers, "x-fapi-interaction-id": interactionId };
    if (body !== undefined) all["Content-Type"] = "application/json";
    if (idempotencyKey !== undefined) all["x-idempotency-key"] = idempotencyKey;
    if (operation.dated) all["x-fapi-auth-date"] = new Date().toISOString();
    if (options.ipAddress !== undefined) all["ipAddress"] = all["x-fapi-customer-ip-address"] = options.ipAddress;
    if (options.lastEventId !== undefined) all["last-event-id"] = options.lastEventId;
    // A header is bytes; the server reads these as UTF-8.
    if (options.password !== undefined)
      all["password"] = String.fromCharCode(...new TextEncoder().encode(options.password));
    for (const [header, value] of Object.entries(all)) {
      if (/[\0\r\n]/.test(value)) throw new InputError(`header ${header} cannot hold a line break`);
    }
    return all;
  }

  #throwIfOver(signal: AbortSignal, sent: Sent, options: CallOptions): void {
    if (options.signal?.aborted) throw options.signal.reason;
    if (signal.aborted)
      throw new DeadlineError(
        `${sent.operation}: its deadline passed; it may have been done (interaction ${sent.interactionId})`,
        sent,
      );
  }

  /** What others share goes on where this caller leaves. */
  async #within<T>(signal: AbortSignal, sent: Sent, options: CallOptions, work: Promise<T>): Promise<T> {
    let leave = (): void => undefined;
    const left = new Promise<never>((_resolve, reject) => {
      leave = () => reject(signal.reason);
      if (signal.aborted) leave();
      signal.addEventListener("abort", leave);
    });
    try {
      return await Promise.race([work, left]);
    } catch (error) {
      this.#throwIfOver(signal, sent, options);
      throw error;
    } finally {
      signal.removeEventListener("abort", leave);
    }
  }
}

function mayPass(error: ApiError | ConnectionError): boolean {
  if (!("status" in error)) return true;
  return passing.has(error.status) || (error.status === 409 && error.code === "IDEMPOTENCY_IN_FLIGHT");
}

/** Doubling, half of it by chance; what the server asks for comes first. */
function pauseMs(repeats: number, askedS: number | undefined): number {
  const stepMs = firstPauseMs * 2 ** repeats;
  return askedS === undefined ? stepMs * (0.5 + Math.random() / 2) : askedS * 1000 + Math.random() * firstPauseMs;
}

function retryAfterS({ headers }: Response): number | undefined {
  const text = headers.get("retry-after");
  if (text === null) return undefined;
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, seconds) : undefined;
}

function metaOf({ status, headers }: Response, { idempotencyKey, interactionId, attempts }: Sent): Meta {
  const [limit, remaining, resetS] = ["limit", "remaining", "reset"].map((name) => headers.get(`ratelimit-${name}`));
  return {
    status,
    replayed: headers.get("idempotency-replayed") === "true",
    interactionId: headers.get("x-fapi-interaction-id") ?? interactionId,
    attempts,
    ...(idempotencyKey !== undefined && { idempotencyKey }),
    ...(limit && { rateLimit: { limit: Number(limit), remaining: Number(remaining), resetS: Number(resetS) } }),
  };
}

function isJson({ headers }: Response): boolean {
  return /^application\/json\b/i.test(headers.get("content-type") ?? "");
}

async function contentOf(response: Response): Promise<unknown> {
  if (isJson(response)) return readJson(await response.text(), wire);
  const isText = /^text\//i.test(response.headers.get("content-type") ?? "");
  return isText ? response.text() : new Uint8Array(await response.arrayBuffer());
}

function refusalOf(status: number, content: unknown): Refusal {
  const { code, message, errors, figures } = (
    typeof content === "object" && content !== null ? content : {}
  ) as Partial<Refusal>;
  if (typeof code !== "string" || typeof message !== "string") {
    return { code: "UNEXPECTED_ANSWER", message: `answered ${status}, and not by Manilla` };
  }
  return { code, message, ...(errors && { errors }), ...(figures && { figures }) };
}

/** The system's code of what went wrong; its text may have an address or a header in it. */
function reasonOf(cause: unknown): string {
  const { code } = ((cause as { cause?: unknown } | undefined)?.cause ?? {}) as { code?: unknown };
  return typeof code === "string" ? ` (${code})` : "";
}
