import type Router from "@koa/router";
import { z } from "zod";
import { isSandbox } from "../../services/platform/sandbox/sandbox.js";
import type { Rules } from "./behaviours.js";
import { readBody, refuse } from "./http.js";
import { accountOf, authenticated } from "./payout-routes.js";

const text = z.string().min(1).max(200);
const checkSchema = z.object({
  reference: z.string().min(1).max(256),
  person: z.object({ firstName: text, lastName: text, dateOfBirth: z.iso.date() }),
  document: z.object({ type: text, number: text }),
  forced: z.object({ behaviour: z.enum(["VERIFIED", "NOT_VERIFIED", "REFER", "PENDING"]) }).optional(),
});

interface StoredCheck {
  status: "VERIFIED" | "NOT_VERIFIED" | "REFER";
  /** Until then it is PENDING. */
  decidedAt: number;
}

const maxStored = 10_000;

/**
 * The provider that knows whether people are who their documents say: all are but those whose
 * document's number ends in 000, unless what is asked says how it ends. What is forced to be
 * PENDING is decided after `settleMs`. Answers live as long as the process: whoever asks by a
 * reference that is not known any more asks in full, and is answered the same.
 */
export function addIdentityRoutes(router: Router, deps: { rules: Rules; apiKey: string; settleMs: number }): void {
  const checks = new Map<string, StoredCheck>();
  const keyOf = (account: string, reference: string) => `${account} ${reference}`;

  router.post("/v1/identity-checks", authenticated(deps), async (ctx) => {
    const requested = await readBody(ctx, checkSchema);
    if (requested === undefined) return;
    const { reference, document, forced } = requested;
    const account = accountOf(ctx);
    if (forced !== undefined && !isSandbox(account)) {
      return refuse(ctx, 403, "outcomes are forced for sandboxes only");
    }
    const key = keyOf(account, reference);
    if (checks.size >= maxStored) checks.clear();
    const stored = checks.get(key) ?? decided(document.number, forced?.behaviour, deps.settleMs);
    checks.set(key, stored);
    ctx.body = viewOf(reference, stored);
  });

  router.get("/v1/identity-checks/:reference", authenticated(deps), (ctx) => {
    const { reference = "" } = ctx.params;
    const stored = checks.get(keyOf(accountOf(ctx), reference));
    if (stored === undefined) return refuse(ctx, 404, "no such check");
    ctx.body = viewOf(reference, stored);
  });
}

function decided(number: string, forced: StoredCheck["status"] | "PENDING" | undefined, settleMs: number): StoredCheck {
  const own = number.endsWith("000") ? "NOT_VERIFIED" : "VERIFIED";
  if (forced === "PENDING") return { status: own, decidedAt: Date.now() + settleMs };
  return { status: forced ?? own, decidedAt: 0 };
}

function viewOf(reference: string, { status, decidedAt }: StoredCheck) {
  if (Date.now() < decidedAt) return { reference, status: "PENDING" };
  return { reference, status, ...(status !== "VERIFIED" && { reason: "decided by the sandbox" }) };
}
