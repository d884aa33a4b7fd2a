import type Router from "@koa/router";
import { z } from "zod";
import type { BankBooks } from "./bank-books.js";
import { bvnSchema, creditSchema } from "./bank-control-routes.js";
import { isSandbox } from "../../services/platform/sandbox/sandbox.js";
import { ruleSchema, type Rules } from "./behaviours.js";
import { returnSchema } from "./control-routes.js";
import { readBody, refuse } from "./http.js";
import { accountOf, recognised } from "./payout-routes.js";
import { payoutView, type PayoutDesk } from "./payouts.js";

interface Deps {
  desk: PayoutDesk;
  bank: BankBooks;
  rules: Rules;
  apiKey: string;
}

const settleSchema = z.strictObject({
  status: z.enum(["PAID", "REFUSED"]),
  reason: z.string().max(200).default("refused in the sandbox"),
});
const arrivingSchema = creditSchema
  .omit({ account: true })
  .extend({ collection: z.string().min(1).max(40) })
  .required({ creditId: true });
const outcomeSchema = ruleSchema.omit({ account: true }).required({ of: true });

/**
 * What an account of a sandbox asks for itself: how its next payouts and checks end, and whose a
 * BVN is.
 */
export function addOutcomeRoutes(router: Router, { desk, bank, rules, apiKey }: Deps): void {
  const known = recognised(apiKey);
  const listed = (account: string) =>
    rules.listOf(account).map(({ id, rule: { account: _account, ...rest } }) => ({ id: ownId(account, id), ...rest }));

  router.get("/v1/sandbox/outcomes", known, (ctx) => {
    ctx.body = { outcomes: listed(accountOf(ctx)) };
  });

  router.put("/v1/sandbox/outcomes/:id", known, async (ctx) => {
    const outcome = await readBody(ctx, outcomeSchema);
    if (outcome === undefined) return;
    const { id = "" } = ctx.params;
    const account = accountOf(ctx);
    const added = rules.add({ ...outcome, account }, `${account}:${id}`);
    if (added === "other") return refuse(ctx, 409, "this id stands for another outcome");
    ctx.body = { id, isNew: added === "new" };
  });

  router.delete("/v1/sandbox/outcomes", known, (ctx) => {
    const { id, of } = ctx.query;
    const account = accountOf(ctx);
    const which = {
      ...(typeof id === "string" && { id: `${account}:${id}` }),
      ...(typeof of === "string" && { kinds: of.split(",") }),
    };
    ctx.body = { ended: rules.clearOf(account, which) };
  });

  router.post("/v1/sandbox/credits", known, async (ctx) => {
    const body = await readBody(ctx, arrivingSchema);
    if (body === undefined) return;
    const account = accountOf(ctx);
    if (!isSandbox(account)) return refuse(ctx, 403, "credits are made to arrive in sandboxes only");
    if (bank.findCredit(body.creditId) === undefined) bank.addCredit({ ...body, account, receivedAt: Date.now() });
    ctx.status = 201;
    ctx.body = { creditId: body.creditId };
  });

  router.post("/v1/sandbox/payouts/:reference/settle", known, async (ctx) => {
    const body = await readBody(ctx, settleSchema);
    if (body === undefined) return;
    const payout = desk.settle(accountOf(ctx), ctx.params["reference"] ?? "", body.status, body.reason);
    if (payout === "unknown") return refuse(ctx, 404, "no such payout");
    if (payout === undefined) return refuse(ctx, 409, "only an accepted payout can be settled");
    ctx.body = payoutView(payout);
  });

  router.post("/v1/sandbox/payouts/:reference/return", known, async (ctx) => {
    const body = await readBody(ctx, returnSchema);
    if (body === undefined) return;
    const [account, reference] = [accountOf(ctx), ctx.params["reference"] ?? ""];
    const before = desk.find(account, reference);
    if (before === undefined) return refuse(ctx, 404, "no such payout");
    // Asked again it has been returned already.
    const isDone = before.status === "RETURNED";
    const payout = isDone ? before : desk.sendBack(account, reference, body.kept);
    if (payout === undefined) return refuse(ctx, 409, "only a paid payout can be returned");
    ctx.body = payoutView(payout);
  });

  router.put("/v1/sandbox/bvns", known, async (ctx) => {
    const entry = await readBody(ctx, bvnSchema);
    if (entry === undefined) return;
    bank.putBvn({ ...entry, account: accountOf(ctx) });
    ctx.body = entry;
  });
}

/** As the account gave it; ids of two accounts may be the same. */
function ownId(account: string, id: string): string {
  return id.startsWith(`${account}:`) ? id.slice(account.length + 1) : id;
}
