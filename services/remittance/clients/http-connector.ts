import type { z } from "zod";
import { formatMoney, parseMoney, type Money } from "../../kernel/money.js";
import {
  amendmentAnswerShape,
  payoutShape,
  recordedShape,
  statementShape,
  windowShape,
} from "../../platform/plugins/payout-contract.js";
import { createSender, type IsOurs, type PartnerCall, type SenderOptions } from "../../platform/partners/sender.js";
import { Refusal } from "../../kernel/refusal.js";
import { isSandbox } from "../../platform/sandbox/sandbox.js";
import type { PartnerPayout } from "../domain/payout.js";
import type { PartnerStatementLine } from "../domain/reconcile.js";
import type { PayoutContract } from "../../platform/plugins/payout-version.js";
import { PartiesUntold, StatementFault, type PayoutConnector, type PayoutOrder } from "./payout-connector.js";

export interface HttpConnectorOptions extends SenderOptions {
  /** Which contract the partner speaks for a tenant. */
  contractOf: (tenantId: string) => PayoutContract;
}

/**
 * The partner's HTTP API. A status that it does not document is a bug (Error), never an answer
 * about the payout.
 */
export function createHttpConnector(options: HttpConnectorOptions): PayoutConnector {
  const { contractOf } = options;
  const send = createSender(options);

  /** What was fixed while it spoke 2 would be dropped by it, or refused. */
  const isTold = ({ parties }: PayoutOrder, { tenantId }: PartnerCall): boolean =>
    parties === undefined || contractOf(tenantId) === 2;

  const orderBody = (order: PayoutOrder, { tenantId }: PartnerCall) => {
    const { reference, amount, method, creditParty, callbackUrl, parties, forced } = order;
    return {
      reference,
      amount: formatMoney(amount),
      currency: amount.currency,
      method,
      creditParty: Object.fromEntries(creditParty.map(({ key, value }) => [key, value])),
      ...(callbackUrl !== undefined && { callbackUrl }),
      ...parties,
      // Whoever pays in earnest is never told how to end it.
      ...(forced !== undefined && isSandbox(tenantId) && { forced }),
    };
  };

  return {
    async submit(order, call) {
      if (!isTold(order, call)) throw new PartiesUntold("the partner speaks contract 1, and the order says who pays");
      const { reference, amount } = order;
      const subject = { operation: "submit", reference };
      const isOurs = isPayoutOf(reference, amount.currency, [200, 422]);
      const { status, body } = await send("POST", "/v1/payouts", call, orderBody(order, call), subject, isOurs);
      if (status === 200 || status === 422) return payoutOf(body);
      if (status === 409)
        throw new Refusal("STATE_CONFLICT", `the partner has another payout under ${order.reference}`);
      throw unexpected("submit", status);
    },

    async submitBatch(batchReference, orders, call) {
      const payouts = orders.filter((order) => isTold(order, call)).map((order) => orderBody(order, call));
      if (payouts.length === 0) return;
      const { status } = await send(
        "POST",
        "/v1/payout-batches",
        call,
        { batchReference, payouts },
        {
          operation: "submit-batch",
          reference: batchReference,
        },
      );
      if (status !== 200) throw unexpected("a batch", status);
    },

    async find(reference, call) {
      const path = `/v1/payouts/${encodeURIComponent(reference)}`;
      const isOurs = isPayoutOf(reference, call.currency, [200]);
      const { status, body } = await send("GET", path, call, undefined, { operation: "find", reference }, isOurs);
      if (status === 404) return undefined;
      if (status !== 200) throw unexpected("a look at a payout", status);
      return { ...payoutOf(body), ...recordedOf(body) };
    },

    async recall(reference, call) {
      const path = `/v1/payouts/${encodeURIComponent(reference)}/recall`;
      const isOurs = isPayoutOf(reference, call.currency, [200, 409]);
      const { status, body } = await send("POST", path, call, undefined, { operation: "recall", reference }, isOurs);
      if (status !== 200 && status !== 409) throw unexpected("a recall", status);
      return payoutOf(body);
    },

    async amend(reference, amendment, call) {
      const path = `/v1/payouts/${encodeURIComponent(reference)}/amendments`;
      const isOurs = isAmendmentOf(reference, amendment.amendmentId);
      const { status, body } = await send("POST", path, call, amendment, { operation: "amend", reference }, isOurs);
      if (status === 404) return undefined;
      if (status === 409) throw new Refusal("STATE_CONFLICT", "the partner has another amendment under this id");
      if (status !== 200 && status !== 422) throw unexpected("an amendment", status);
      const { status: outcome, reason = "" } = amendmentAnswerShape.parse(body);
      return { status: outcome, reason: reason.slice(0, 200) };
    },

    async nextWindow(call) {
      const { status, body } = await send("GET", "/v1/window", call, undefined, about("window"));
      if (status !== 200) throw unexpected("a look at the window", status);
      return new Date(windowShape.parse(body).opensAt);
    },

    async *statement({ from, to }, call) {
      let cursor: string | undefined;
      const pages = pagesThatMoveOn();
      do {
        const query = new URLSearchParams({
          ...(from && { from: from.toISOString() }),
          ...(to && { to: to.toISOString() }),
          ...(cursor !== undefined && { cursor }),
        });
        const { status, body } = await send(
          "GET",
          `/v1/statement?${query.toString()}`,
          call,
          undefined,
          about("statement"),
        );
        if (status !== 200) throw unexpected("the statement", status);
        const page = statementShape.parse(body);
        yield* page.lines.map(lineOf).filter(({ at }) => !((from && at < from) || (to && at >= to)));
        pages.assertNext(page);
        cursor = page.cursor;
      } while (cursor !== undefined);
    },
  };
}

/** Of an answer of these statuses. A recall of what never arrived knows no currency. */
function isPayoutOf(reference: string, currency: string | undefined, statuses: readonly number[]): IsOurs {
  return ({ status, body }) => {
    const answer = statuses.includes(status) ? payoutShape.safeParse(body).data : undefined;
    // What is no payout at all is a fault of the partner's, and is told as one.
    if (answer === undefined) return true;
    if (answer.currency === "") return answer.reference === reference && answer.status === "RECALLED";
    return answer.reference === reference && (currency === undefined || answer.currency === currency);
  };
}

/** It says what its status does: 422 refuses, and 200 does not. */
function isAmendmentOf(reference: string, amendmentId: string): IsOurs {
  return ({ status, body }) => {
    const answer = status === 200 || status === 422 ? amendmentAnswerShape.safeParse(body).data : undefined;
    if (answer === undefined) return true;
    const isSame = answer.reference === reference && answer.amendmentId === amendmentId;
    return isSame && (answer.status === "REFUSED") === (status === 422);
  };
}

function payoutOf(body: unknown): PartnerPayout {
  const { status, reason = "", amount, currency, kept, keptCurrency = currency } = payoutShape.parse(body);
  const report = {
    status,
    reason: reason.slice(0, 200),
    // A recall of what never arrived knows no amount.
    ...(currency !== "" && { amount: moneyOf(amount, currency) }),
  };
  if (kept === undefined) return report;
  if (keptCurrency === currency) return { ...report, kept: moneyOf(kept, currency) };
  if (status !== "RETURNED") return report;
  return { ...report, status: "PAID", unclear: `came back, and a bank kept ${kept} ${keptCurrency}` };
}

/** Whom a partner of contract 2 has recorded; nothing of what nobody could read. */
function recordedOf(body: unknown): Pick<PartnerPayout, "recorded"> {
  const { originator, beneficiary } = body as Readonly<Record<string, unknown>>;
  const recorded = {
    ...recordedShape.pick({ originator: true }).safeParse({ originator }).data,
    ...recordedShape.pick({ beneficiary: true }).safeParse({ beneficiary }).data,
  };
  return Object.values(recorded).some((party) => party !== undefined) ? { recorded } : {};
}

/**
 * Refuses a page that has a next one and no line, and a cursor that came before:
 * nobody would ever be at the end.
 */
function pagesThatMoveOn() {
  let [count, marked] = [0, ""];
  return {
    assertNext({ lines, cursor }: z.output<typeof statementShape>): void {
      if (cursor === undefined) return;
      if (lines.length === 0) throw new StatementFault("a page without lines names a next one");
      if (cursor === marked) throw new StatementFault("its cursor does not move on");
      count += 1;
      // A circle of any length comes back to a cursor that is marked ever later.
      if ((count & (count - 1)) === 0) marked = cursor;
    },
  };
}

function lineOf(line: z.output<typeof statementShape>["lines"][number]): PartnerStatementLine {
  const { reference, kind, amount, currency, at } = line;
  return { reference, kind, amount: moneyOf(amount, currency), at: new Date(at) };
}

// Its JSON holds amounts as decimal text, so nothing here goes through a float.
function moneyOf(text: string, currency: string): Money {
  return parseMoney(text, currency);
}

const about = (operation: string) => ({ operation, reference: "" });

function unexpected(what: string, status: number): Error {
  return new Error(`the partner answered ${what} with status ${status}`);
}
