import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { z } from "zod";
import type { Exchange } from "../partners/exchange.js";
import type { PayoutContract } from "../plugins/payout-version.js";
import { payoutShape, statementShape, type statementLineShape } from "../plugins/payout-contract.js";

/** A partner that is certified, and how it is reached. */
export interface CertificationTarget {
  /** Base URL; a path is kept. */
  url: string;
  apiKey: string;
  /** Ours there. */
  account: string;
  exchange: Exchange;
  /** Of a payout connector; 1 where absent. */
  contract?: PayoutContract;
  /** How long an answer is waited for, ms. */
  timeoutMs?: number;
  /**
   * Where it is to call back, and whether a callback about a reference
   * came whose signature was right.
   */
  callbacks?: { url: string; has: (reference: string) => boolean | Promise<boolean> };
}

/** What the check saw, in one sentence. */
export class CheckFailed extends Error {}
/** The partner, or whoever certifies it, has no such thing. */
export class LeftOut extends Error {}

export type SeenPayout = z.output<typeof payoutShape>;
export type SeenLine = z.output<typeof statementLineShape>;
export type SeenStatus = SeenPayout["status"];

/** What the partner is to do with an order. */
export interface ForcedOrder {
  behaviour: string;
  settleMs?: number;
  delayMs?: number;
  reason?: string;
  kept?: string;
}

export interface Answer {
  status: number;
  body: unknown;
}

const prefix = "certification-";
const waitMs = 15_000;
const pollMs = 50;
const maxPages = 200;

/** Whether a payout is a check's: nothing of it is in our books. */
export const isCertificationReference = (reference: string): boolean => reference.startsWith(prefix);

export const newReference = (): string => `${prefix}${randomUUID()}`;

export interface PartnerRequest {
  body?: object;
  timeoutMs?: number;
  apiKey?: string;
}

/**
 * Asks the partner. Undefined where there was no answer: the time was
 * over, or the connection was cut.
 */
export type SendToPartner = (method: string, path: string, requested?: PartnerRequest) => Promise<Answer | undefined>;

export function createPartnerClient({
  url,
  account,
  exchange,
  timeoutMs: defaultMs = 3_000,
  apiKey: key,
}: CertificationTarget): SendToPartner {
  const base = url.replace(/\/+$/, "");
  return async (method, path, { body, timeoutMs = defaultMs, apiKey = key } = {}) => {
    const json = body !== undefined && { "content-type": "application/json" };
    const headers = { authorization: `Bearer ${apiKey}`, "x-account": account, ...json };
    const signal = AbortSignal.timeout(timeoutMs);
    const sent = body === undefined ? null : JSON.stringify(body);
    let answer;
    try {
      answer = await exchange(new URL(`${base}${path}`), { method, headers, body: sent, signal });
    } catch {
      return undefined;
    }
    try {
      return { status: answer.status, body: JSON.parse(answer.text) as unknown };
    } catch {
      if (answer.status >= 500) return { status: answer.status, body: undefined };
      throw new CheckFailed(`${method} ${path} was answered ${answer.status} and not in JSON`);
    }
  };
}

export type TestPartner = ReturnType<typeof createTestPartner>;

/** Asks the partner as the contract says, and reads its answers strictly. */
export function createTestPartner(target: CertificationTarget) {
  const { timeoutMs: defaultMs = 3_000 } = target;
  const ask = createPartnerClient(target);

  const order = (reference: string, change: { amount?: string; account?: string; forced?: ForcedOrder } = {}) => ({
    reference,
    amount: change.amount ?? "10.00",
    currency: "NGN",
    method: "ACCOUNTPAYMENT",
    creditParty: { bankaccountno: change.account ?? "3001234567", recipientname: "Ngozi Okafor" },
    forced: change.forced ?? { behaviour: "ACCEPT", settleMs: 60_000 },
  });

  const submit = (body: object, timeoutMs = defaultMs) => ask("POST", "/v1/payouts", { body, timeoutMs });
  const pathOf = (reference: string) => `/v1/payouts/${encodeURIComponent(reference)}`;

  async function find(reference: string): Promise<SeenPayout | undefined> {
    const answer = expectStatus(await ask("GET", pathOf(reference)), [200, 404], "a look at a payout");
    return answer.status === 404 ? undefined : payoutOf(answer, reference);
  }

  return {
    ask,
    order,
    submit,
    find,
    callbacks: target.callbacks,
    /** Answered 200, with what became of it. */
    async accepted(body: ReturnType<typeof order> & Record<string, unknown>): Promise<SeenPayout> {
      return payoutOf(expectStatus(await submit(body), [200], "an order"), body.reference);
    },
    async recall(reference: string): Promise<{ status: number; payout: SeenPayout }> {
      const answer = expectStatus(await ask("POST", `${pathOf(reference)}/recall`), [200, 409], "a recall");
      return { status: answer.status, payout: payoutOf(answer, reference) };
    },
    /** What it has become, once it has. */
    async until(reference: string, status: SeenStatus): Promise<SeenPayout> {
      const giveUpAt = performance.now() + waitMs;
      for (;;) {
        const payout = await find(reference);
        if (payout?.status === status) return payout;
        if (performance.now() > giveUpAt) {
          throw new CheckFailed(`after ${waitMs / 1_000} s it is ${payout?.status ?? "unknown"} and not ${status}`);
        }
        await sleep(pollMs);
      }
    },
    /** Lines from a moment on, page by page, in the partner's order. */
    async statement(from: Date, limit?: number): Promise<SeenLine[]> {
      const lines: SeenLine[] = [];
      let cursor: string | undefined;
      for (let page = 0; page < maxPages; page += 1) {
        const query = new URLSearchParams({
          from: from.toISOString(),
          ...(limit !== undefined && { limit: String(limit) }),
          ...(cursor !== undefined && { cursor }),
        });
        const answer = expectStatus(await ask("GET", `/v1/statement?${query.toString()}`), [200], "the statement");
        const read = statementShape.safeParse(answer.body);
        if (!read.success) throw new CheckFailed(`a page of the statement: ${faultOf(read.error)}`);
        lines.push(...read.data.lines);
        if (read.data.cursor === undefined) return lines;
        expectThat(read.data.cursor !== cursor, "a page of the statement names itself as the next one");
        expectThat(read.data.lines.length > 0, "a page of the statement has no line and names a next one");
        cursor = read.data.cursor;
      }
      throw new CheckFailed(`the statement has no end within ${maxPages} pages`);
    },
  };
}

/** Refuses another status than those, and no answer at all. */
export function expectStatus(answer: Answer | undefined, statuses: readonly number[], what: string): Answer {
  if (answer === undefined) throw new CheckFailed(`${what} was not answered`);
  if (statuses.includes(answer.status)) return answer;
  throw new CheckFailed(`${what} was answered ${answer.status} and not ${statuses.join(" or ")}`);
}

/** Refuses an answer that does not say what it is about. */
export function expectRepeated(answer: Answer, field: string, requested: string): Answer {
  const stated = ((answer.body ?? {}) as Readonly<Record<string, unknown>>)[field];
  expectThat(stated === requested, `its ${field} is ${String(stated).slice(0, 100)} and not ${requested}`);
  return answer;
}

export function payoutOf({ body }: Answer, reference: string): SeenPayout {
  const read = payoutShape.safeParse(body);
  if (!read.success) throw new CheckFailed(`a payout: ${faultOf(read.error)}`);
  const { reference: named, currency, status } = read.data;
  expectThat(named === reference, `it names the reference ${named}`);
  expectThat(currency !== "" || status === "RECALLED", `it is ${status} and has no currency`);
  return read.data;
}

export function expectThat(holds: boolean, otherwise: string): void {
  if (!holds) throw new CheckFailed(otherwise);
}

export function faultOf({ issues: [first] }: z.ZodError): string {
  return `${first?.path.join(".") ?? ""}: ${first?.message ?? "invalid"}`;
}

/** Decimal text without zeros that say nothing. */
export const plain = (amount: string): string =>
  amount.includes(".") ? amount.replace(/0+$/, "").replace(/\.$/, "") : amount;
