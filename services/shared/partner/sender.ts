import { Refusal } from "../refusal.js";
import { createBreakers, type BreakerOptions } from "./breakers.js";

/** On whose behalf and time a partner is asked. */
export interface PartnerCall {
  /** The partner keeps an account per tenant. */
  tenantId: string;
  signal?: AbortSignal;
}

export interface SenderOptions {
  /**
   * Base URL of the partner's API and our key there, of a tenant; undefined where it has no
   * partner: what it wants waits.
   */
  accessOf: (tenantId: string) => { url: string; apiKey: string } | undefined;
  /** How long an answer is waited for, ms. */
  timeoutMs?: number;
  breaker?: BreakerOptions;
}

export interface PartnerAnswer {
  status: number;
  body: unknown;
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
 * JSON over HTTP to a partner. Throws Refusal UNAVAILABLE while nobody knows what came of it: no
 * answer, a cut connection, 5xx, 408, 429, half an answer, a breaker that is open.
 */
export function createSender({ accessOf, timeoutMs = 3_000, breaker }: SenderOptions) {
  const { through } = createBreakers(breaker);

  async function once(method: string, path: string, call: PartnerCall, body?: object): Promise<PartnerAnswer> {
    const access = accessOf(call.tenantId);
    if (access === undefined) throw new Refusal("UNAVAILABLE", "this sandbox has no such partner");
    const timeout = AbortSignal.timeout(timeoutMs);
    let response: Response;
    let text: string;
    try {
      response = await fetch(new URL(path, access.url), {
        method,
        headers: {
          authorization: `Bearer ${access.apiKey}`,
          "x-account": call.tenantId,
          ...(body !== undefined && { "content-type": "application/json" }),
        },
        body: body === undefined ? null : JSON.stringify(body),
        signal: call.signal === undefined ? timeout : AbortSignal.any([timeout, call.signal]),
        redirect: "error",
      });
      text = await response.text();
    } catch (error) {
      throw unknownOutcome((error as Error).name);
    }
    if (response.status >= 500 || response.status === 408 || response.status === 429) {
      throw unknownOutcome(`status ${response.status}`);
    }
    try {
      return { status: response.status, body: JSON.parse(text) as unknown };
    } catch {
      // The answer was cut off half-way, or something in between spoke for itself.
      throw unknownOutcome("an answer that is not JSON");
    }
  }

  return (method: string, path: string, call: PartnerCall, body?: object): Promise<PartnerAnswer> =>
    through(call.tenantId, () => once(method, path, call, body));
}

function unknownOutcome(why: string): Refusal {
  return new Refusal("UNAVAILABLE", `the partner's answer is unknown: ${why}`);
}
