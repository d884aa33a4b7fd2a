import type Router from "@koa/router";
import { z } from "zod";
import { ruleSchema, type Rules } from "./behaviours.js";
import { readBody, refuse } from "./http.js";
import { payoutView, type PayoutDesk } from "./payouts.js";

export const returnSchema = z.strictObject({
  kept: z
    .string()
    .regex(/^(0|[1-9]\d{0,18})(\.\d{1,4})?$/)
    .default("0"),
});

/**
 * What tests and people use to force outcomes. It exists in the sandbox only and takes no
 * credential: it listens on loopback.
 */
export function addControlRoutes(router: Router, { desk, rules }: { desk: PayoutDesk; rules: Rules }): void {
  router.get("/control/health", (ctx) => {
    ctx.body = { status: "ok" };
  });
  router.get("/control/rules", (ctx) => {
    ctx.body = { rules: rules.list() };
  });
  router.post("/control/rules", async (ctx) => {
    const rule = await readBody(ctx, ruleSchema);
    if (rule === undefined) return;
    rules.add(rule);
    ctx.status = 201;
    ctx.body = { rules: rules.list() };
  });
  router.delete("/control/rules", (ctx) => {
    const account = ctx.query["account"];
    rules.clear(typeof account === "string" ? account : undefined);
    ctx.body = { rules: rules.list() };
  });
  router.post("/control/payouts/:account/:reference/return", async (ctx) => {
    const body = await readBody(ctx, returnSchema);
    if (body === undefined) return;
    const { account = "", reference = "" } = ctx.params;
    const payout = desk.sendBack(account, reference, body.kept);
    if (payout === undefined) return refuse(ctx, 409, "only a paid payout can be returned");
    ctx.body = payoutView(payout);
  });
}
