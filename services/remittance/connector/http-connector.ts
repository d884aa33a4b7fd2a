import { z } from "zod";
import { formatMoney, parseMoney, type Money } from "../../shared/money.js";
import { Refusal } from "../../shared/refusal.js";
import type { PartnerPayout } from "../payout.js";
import { createBreakers, type BreakerOptions } from "./breakers.js";
import type { PartnerCall, PartnerStatementLine, PayoutConnector, PayoutOrder } from "./payout-connector.js";

export interface HttpConnectorOptions {
  /** Base URL of the partner's API and our key there, of a tenant; undefined where it has no partner: its payouts wait. */
  accessOf: (tenantId: string) => { url: string; apiKey: string } | undefined;
  /** Where the partner is to send callbacks; a tenant's id is added to its path. Empty asks for none. */
  callbackBaseUrl: string;
  /** How long an answer is waited for, ms. */
  timeoutMs?: number;
  breaker?: BreakerOptions;
}

const decimalText = z.string().regex(/^\d{1,19}(\.\d{1,4})?$/);
const payoutSchema = z.object({
  reference: z.string(),
  amount: decimalText,
  currency: z.string(),
  status: z.enum(["ACCEPTED", "PAID", "REFUSED", "RECALLED", "RETURNED"]),
  reason: z.string().default(""),
  kept: decimalText.optional(),
});
const windowSchema = z.object({ opensAt: z.iso.datetime() });
const statementSchema = z.object({
  lines: z.array(
    z.object({
      reference: z.string(),
      kind: z.enum(["PAYOUT", "RETURN"]),
      amount: decimalText,
      currency: z.string(),
      at: z.iso.datetime(),
    }),
  ),
  cursor: z.string().optional(),
});

/** The partner's HTTP API. A status that it does not document is a bug (Error), never an answer about the payout. */
export function createHttpConnector(options: HttpConnectorOptions): PayoutConnector {
  const { callbackBaseUrl } = options;
  const send = createSender(options);

  const orderBody = ({ reference, amount, method, creditParty }: PayoutOrder, { tenantId }: PartnerCall) => ({
    reference,
    amount: formatMoney(amount),
    currency: amount.currency,
    method,
    creditParty: Object.fromEntries(creditParty.map(({ key, value }) => [key, value])),
    ...(callbackBaseUrl !== "" && { callbackUrl: `${callbackBaseUrl}/callbacks/payouts/${tenantId}` }),
  });

  return {
    async submit(order, call) {
      const { status, body } = await send("POST", "/v1/payouts", call, orderBody(order, call));
      if (status === 200 || status === 422) return payoutOf(body);
      if (status === 409)
        throw new Refusal("STATE_CONFLICT", `the partner has another payout under ${order.reference}`);
      throw unexpected("submit", status);
    },

    async submitBatch(batchReference, orders, call) {
      const payouts = orders.map((order) => orderBody(order, call));
      const { status } = await send("POST", "/v1/payout-batches", call, { batchReference, payouts });
      if (status !== 200) throw unexpected("a batch", status);
    },

    async find(reference, call) {
      const { status, body } = await send("GET", `/v1/payouts/${encodeURIComponent(reference)}`, call);
      if (status === 404) return undefined;
      if (status !== 200) throw unexpected("a look at a payout", status);
      return payoutOf(body);
    },

    async recall(reference, call) {
      const { status, body } = await send("POST", `/v1/payouts/${encodeURIComponent(reference)}/recall`, call);
      if (status !== 200 && status !== 409) throw unexpected("a recall", status);
      return payoutOf(body);
    },

    async nextWindow(call) {
      const { status, body } = await send("GET", "/v1/window", call);
      if (status !== 200) throw unexpected("a look at the window", status);
      return new Date(windowSchema.parse(body).opensAt);
    },

    async *statement({ from, to }, call) {
      let cursor: string | undefined;
      do {
        const query = new URLSearchParams({
          ...(from && { from: from.toISOString() }),
          ...(to && { to: to.toISOString() }),
          ...(cursor !== undefined && { cursor }),
        });
        const { status, body } = await send("GET", `/v1/statement?${query.toString()}`, call);
        if (status !== 200) throw unexpected("the statement", status);
        const page = statementSchema.parse(body);
        yield* page.lines.map(lineOf);
        cursor = page.cursor;
      } while (cursor !== undefined);
    },
  };
}

interface Answer {
  status: number;
  body: unknown;
}

function createSender({ accessOf, timeoutMs = 3_000, breaker }: HttpConnectorOptions) {
  const through = createBreakers(breaker);

  async function once(method: string, path: string, call: PartnerCall, body?: object): Promise<Answer> {
    const access = accessOf(call.tenantId);
    if (access === undefined) throw new Refusal("UNAVAILABLE", "this sandbox has no payout partner");
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
      // Cut off half-way, or something in between that speaks for itself.
      throw unknownOutcome("an answer that is not JSON");
    }
  }

  return (method: string, path: string, call: PartnerCall, body?: object): Promise<Answer> =>
    through(call.tenantId, () => once(method, path, call, body));
}

function payoutOf(body: unknown): PartnerPayout {
  const { status, reason, amount, currency, kept } = payoutSchema.parse(body);
  return {
    status,
    reason: reason.slice(0, 200),
    // A recall of what never arrived knows no amount.
    ...(currency !== "" && { amount: moneyOf(amount, currency) }),
    ...(kept !== undefined && { kept: moneyOf(kept, currency) }),
  };
}

function lineOf(line: z.output<typeof statementSchema>["lines"][number]): PartnerStatementLine {
  const { reference, kind, amount, currency, at } = line;
  return { reference, kind, amount: moneyOf(amount, currency), at: new Date(at) };
}

// Its JSON holds amounts as decimal text, so nothing here goes through a float.
function moneyOf(text: string, currency: string): Money {
  return parseMoney(text, currency);
}

function unknownOutcome(why: string): Refusal {
  return new Refusal("UNAVAILABLE", `the partner's answer is unknown: ${why}`);
}

function unexpected(what: string, status: number): Error {
  return new Error(`the partner answered ${what} with status ${status}`);
}
