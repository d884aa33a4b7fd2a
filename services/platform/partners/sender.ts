import { boundedJson } from "../../kernel/formats/bounded-json.js";
import { Refusal } from "../../kernel/refusal.js";
import { createBreakers, type BreakerOptions, type Breakers } from "./breakers.js";
import { fetchExchange, type Exchange, type ExchangeAnswer } from "./exchange.js";

/** On whose behalf and time a partner is asked. */
export interface PartnerCall {
  /** The partner keeps an account per tenant. */
  tenantId: string;
  signal?: AbortSignal;
}

export interface SenderAccess {
  url: string;
  apiKey: string;
  /** Put before every path, such as "/api"; of the URL itself no path counts. */
  pathPrefix?: string;
  /** What the partner calls our account; the tenant's id where absent. */
  account?: string;
}

export interface SenderOptions {
  /**
   * Base URL of the partner's API and our key there, of a tenant; undefined where it has no
   * partner: what it wants waits.
   */
  accessOf: (tenantId: string) => SenderAccess | undefined;
  /** How long an answer is waited for, ms. */
  timeoutMs?: number;
  breaker?: BreakerOptions;
  /** In place of breakers of its own. */
  breakers?: Breakers;
  /** In place of fetch. */
  exchange?: Exchange;
  /** Told of each call that was made; never of a body. */
  onCall?: (made: MadeCall) => void;
}

export interface PartnerAnswer {
  status: number;
  body: unknown;
  /** The body as it came. */
  text: string;
}

/** What a call is about, to whoever notes it. */
export interface CallSubject {
  /** Such as "submit". */
  operation: string;
  /** Ours. */
  reference: string;
}

export interface MadeCall extends CallSubject {
  at: Date;
  /** 0 where there was no answer. */
  status: number;
  durationMs: number;
  outcome: "OK" | "REFUSED" | "UNKNOWN";
}

export type Sender = ReturnType<typeof createSender>;

/**
 * JSON over HTTP to a partner. Throws Refusal UNAVAILABLE while nobody knows what came
 * of it: no answer, a cut connection, 5xx, 408, 429, half an answer, one about
 * something else, a breaker that is open.
 */
export function createSender(options: SenderOptions) {
  const { accessOf, timeoutMs = 3_000, exchange = fetchExchange, onCall } = options;
  const breakers = options.breakers ?? createBreakers(options.breaker);

  async function once(method: string, path: string, call: PartnerCall, body?: object): Promise<ExchangeAnswer> {
    const access = accessOf(call.tenantId);
    if (access === undefined) throw new Refusal("UNAVAILABLE", "this sandbox has no such partner");
    const timeout = AbortSignal.timeout(timeoutMs);
    try {
      return await exchange(new URL(`${access.pathPrefix ?? ""}${path}`, access.url), {
        method,
        headers: {
          authorization: `Bearer ${access.apiKey}`,
          "x-account": access.account ?? call.tenantId,
          ...(body !== undefined && { "content-type": "application/json" }),
        },
        body: body === undefined ? null : JSON.stringify(body),
        signal: call.signal === undefined ? timeout : AbortSignal.any([timeout, call.signal]),
      });
    } catch (error) {
      throw unknownOutcome((error as Error).name);
    }
  }

  async function noted(subject: CallSubject, isOurs: IsOurs, work: () => Promise<ExchangeAnswer>) {
    const at = new Date();
    const startedAt = performance.now();
    let status = 0;
    let outcome: MadeCall["outcome"] = "UNKNOWN";
    try {
      const answer = await work();
      ({ status } = answer);
      const read = answerOf(answer);
      if (!isOurs(read)) throw unknownOutcome("an answer about something else than was asked");
      // A reference that the partner does not know is what was asked.
      const isAnswer = status < 400 || (status === 404 && subject.operation === "find");
      outcome = isAnswer ? "OK" : "REFUSED";
      return read;
    } finally {
      onCall?.({ ...subject, at, status, durationMs: Math.round(performance.now() - startedAt), outcome });
    }
  }

  return (
    method: string,
    path: string,
    call: PartnerCall,
    body?: object,
    subject: CallSubject = { operation: method, reference: "" },
    isOurs: IsOurs = () => true,
  ): Promise<PartnerAnswer> =>
    breakers.through(call.tenantId, () => noted(subject, isOurs, () => once(method, path, call, body)));
}

/** Whether an answer is about what was asked: one that is not says nothing, as no answer does. */
export type IsOurs = (answer: PartnerAnswer) => boolean;

/** Answers of these statuses repeat what was asked, field by field. */
export function repeats(requested: Readonly<Record<string, string>>, statuses: readonly number[] = [200, 202]): IsOurs {
  return ({ status, body }) => {
    if (!statuses.includes(status)) return true;
    const stated = (body ?? {}) as Readonly<Record<string, unknown>>;
    return Object.entries(requested).every(([field, value]) => stated[field] === value);
  };
}

function answerOf({ status, text }: ExchangeAnswer): PartnerAnswer {
  if (status >= 500 || status === 408 || status === 429) throw unknownOutcome(`status ${status}`);
  try {
    return { status, body: boundedJson(text), text };
  } catch {
    // The answer was cut off half-way, something in between spoke for
    // itself, or nobody can read so much.
    throw unknownOutcome("an answer that is not JSON, or too large or deep to be read");
  }
}

function unknownOutcome(why: string): Refusal {
  return new Refusal("UNAVAILABLE", `the partner's answer is unknown: ${why}`);
}
