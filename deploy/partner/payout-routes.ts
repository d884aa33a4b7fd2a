import { createHash, timingSafeEqual } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type Router from "@koa/router";
import type { Context, Next } from "koa";
import { z } from "zod";
import { partiesShape, type OrderParties } from "../../services/platform/plugins/party-contract.js";
import { isSandbox } from "../../services/platform/sandbox/sandbox.js";
import { forcedSchema, type Behaviour, type Rules } from "./behaviours.js";
import type { Books } from "./books.js";
import { cutConnection, readBody, refuse } from "./http.js";
import { payoutView, recordedOf, type PayoutDesk } from "./payouts.js";

interface Deps {
  desk: PayoutDesk;
  books: Books;
  rules: Rules;
  apiKey: string;
  windowMs: number;
}

const decimalText = z.string().regex(/^(0|[1-9]\d{0,18})(\.\d{1,4})?$/);
const partyMembers = Object.keys(partiesShape.shape);
const orderSchema = z.object({
  ...partiesShape.partial().shape,
  reference: z.string().regex(/^[A-Za-z0-9._:-]{1,128}$/),
  amount: decimalText,
  currency: z.string().regex(/^[A-Z]{3}$/),
  method: z.enum(["ACCOUNTPAYMENT", "MOBILE_MONEY", "CASH_PICKUP", "WALLET"]),
  creditParty: z.record(z.string(), z.string()),
  callbackUrl: z.url().or(z.literal("")).default(""),
  forced: forcedSchema.optional(),
});

type Order = z.infer<typeof orderSchema>;

const batchSchema = z.object({
  batchReference: z.string().min(1).max(128),
  payouts: z.array(orderSchema).min(1).max(1_000),
});

/**
 * The network's API. Every call presents the API key and names the account (the platform's tenant)
 * it acts for.
 */
export function addPayoutRoutes(router: Router, deps: Deps): void {
  const { desk, books, rules } = deps;
  const guarded = authenticated(deps);

  router.post("/v1/payouts", guarded, async (ctx) => {
    const order = await readBody(ctx, orderSchema);
    if (order === undefined) return;
    if (isForcedInEarnest(ctx, [order])) return refuseForced(ctx);
    await answerOrder(ctx, deps, order);
  });

  router.post("/v1/payout-batches", guarded, async (ctx) => {
    const batch = await readBody(ctx, batchSchema);
    if (batch === undefined) return;
    if (isForcedInEarnest(ctx, batch.payouts)) return refuseForced(ctx);
    const account = accountOf(ctx);
    const results = batch.payouts.map((order) => {
      const behaviour = behaviourFor(rules, account, order);
      // In a batch there is one answer for all: a rule that withholds answers withholds this order
      // from the books.
      if (["HANG", "AWAY", "SERVER_ERROR"].includes(behaviour.name))
        return { reference: order.reference, status: "NOT_RECORDED" };
      const payout = desk.submit(account, { ...order, parties: partiesOf(order) }, behaviour);
      return payout === undefined ? { reference: order.reference, status: "CONFLICT" } : payoutView(payout);
    });
    ctx.body = { batchReference: batch.batchReference, payouts: results };
  });

  router.get("/v1/payouts/:reference", guarded, (ctx) => {
    const payout = desk.find(accountOf(ctx), ctx.params["reference"] ?? "");
    if (payout === undefined) return refuse(ctx, 404, "no such payout");
    ctx.body = { ...payoutView(payout), ...recordedOf(books, payout) };
  });

  router.post("/v1/payouts/:reference/recall", guarded, (ctx) => {
    const { recalled, payout } = desk.recall(accountOf(ctx), ctx.params["reference"] ?? "");
    ctx.status = recalled ? 200 : 409;
    ctx.body = payoutView(payout);
  });

  router.get("/v1/window", guarded, (ctx) => {
    const opensAt = Math.ceil(Date.now() / deps.windowMs) * deps.windowMs;
    ctx.body = { opensAt: new Date(opensAt).toISOString() };
  });

  router.get("/v1/statement", guarded, (ctx) => statement(ctx, deps));
}

async function answerOrder(ctx: Context, { desk, rules }: Deps, order: Order): Promise<void> {
  const account = accountOf(ctx);
  const known = desk.find(account, order.reference);
  // A rule is for a new payout; asking again by reference is answered from the books.
  const behaviour = known === undefined ? behaviourFor(rules, account, order) : undefined;
  if (behaviour?.name === "AWAY") return cutConnection(ctx);
  if (behaviour?.name === "SERVER_ERROR") return refuse(ctx, 500, "a fault of the network's own");
  if (behaviour?.name === "HANG") {
    // No answer and no record: the client's own timeout ends it.
    ctx.respond = false;
    return;
  }
  const payout = desk.submit(
    account,
    { ...order, parties: partiesOf(order) },
    behaviour ?? { name: "ACCEPT", settleMs: 0, delayMs: 0, reason: "", kept: "" },
  );
  if (payout === undefined) return refuse(ctx, 409, "this reference stands for another payout");
  if (behaviour?.name === "LOSE_ANSWER") return cutConnection(ctx);
  if (behaviour?.name === "ANSWER_LATE") await sleep(behaviour.delayMs);
  ctx.status = payout.status === "REFUSED" ? 422 : 200;
  ctx.body = payoutView(payout);
}

/** What an order of contract 2 has beside that of contract 1. */
function partiesOf(order: Order): Partial<OrderParties> | undefined {
  const stated = Object.entries(order).filter(([name]) => partyMembers.includes(name));
  return stated.length === 0 ? undefined : Object.fromEntries(stated);
}

/** What the order says comes before the partner's own rules, which stay for others. */
function behaviourFor(rules: Rules, account: string, { reference, forced }: Order): Behaviour {
  return forced === undefined ? rules.take("PAYOUT", account, reference) : rules.behaviourOf(forced);
}

/** Nobody's money ends by a word in its order, whoever sent it. */
function isForcedInEarnest(ctx: Context, orders: readonly Order[]): boolean {
  return !isSandbox(accountOf(ctx)) && orders.some(({ forced }) => forced !== undefined);
}

function refuseForced(ctx: Context): void {
  refuse(ctx, 403, "outcomes are forced for sandboxes only");
}

function statement(ctx: Context, { books }: Deps): void {
  const from = Date.parse(String(ctx.query["from"] ?? "1970-01-01"));
  const to = Date.parse(String(ctx.query["to"] ?? "9999-12-31"));
  const after = Number(ctx.query["cursor"] ?? 0);
  if (![from, to, after].every(Number.isFinite))
    return refuse(ctx, 400, "from and to are ISO 8601, cursor is a number");
  const limit = Math.min(500, Math.max(1, Number(ctx.query["limit"] ?? 500) || 500));
  const lines = books.lines(accountOf(ctx), from, to, after, limit);
  const last = lines.at(-1);
  ctx.body = {
    lines: lines.map(({ reference, payoutId, kind, amount, currency, at }) => ({
      reference,
      payoutId,
      kind,
      amount,
      currency,
      at: new Date(at).toISOString(),
    })),
    ...(lines.length === limit && last !== undefined ? { cursor: String(last.lineId) } : {}),
  };
}

/** The platform's tenant that a call acts for. */
export function accountOf(ctx: Context): string {
  return ctx.get("x-account");
}

/**
 * Passes requests with the API key and an account; cuts the connection while the partner is away
 * for that account.
 */
export function authenticated({ apiKey, rules }: Pick<Deps, "apiKey" | "rules">) {
  const known = recognised(apiKey);
  return (ctx: Context, next: Next) =>
    known(ctx, () => (rules.isAway(accountOf(ctx)) ? Promise.resolve(cutConnection(ctx)) : next()));
}

/** Also while the partner is away, so that a rule can bring it back. */
export function recognised(apiKey: string) {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  const expected = digest(`Bearer ${apiKey}`);
  return async (ctx: Context, next: Next): Promise<unknown> => {
    if (!timingSafeEqual(digest(ctx.get("authorization")), expected)) return refuse(ctx, 401, "unknown API key");
    if (!/^[a-z0-9-]{1,64}$/.test(accountOf(ctx))) return refuse(ctx, 400, "x-account names the account");
    return next();
  };
}
