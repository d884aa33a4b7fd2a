import type Router from "@koa/router";
import { z } from "zod";
import { foldedName } from "../../services/kernel/people/person-names.js";
import { payeeChecksPath, payeeCheckShape, type PayeeResult } from "../../services/platform/plugins/payee-contract.js";
import { isSandbox } from "../../services/platform/sandbox/sandbox.js";
import { taken } from "./bank-routes.js";
import type { Rules } from "./behaviours.js";
import { readBody, refuse } from "./http.js";
import { accountOf, authenticated } from "./payout-routes.js";

const holderSchema = z.strictObject({
  account: z.string().regex(/^[a-z0-9-]{1,64}$/),
  accountNumber: z.string().min(1).max(40),
  accountName: z.string().min(1).max(140),
});
const maxStored = 10_000;

// Last words of a name by which it says itself how it ends.
const results: Readonly<Record<string, PayeeResult>> = { differs: "CMTC", nobody: "NMTC", unknown: "NOAP" };

/**
 * The provider that knows whether an account is a payee's. It is whose the control says, else of
 * whoever is asked about; a name that ends in "Differs", "Nobody" or "Unknown" is CMTC, NMTC or
 * NOAP. Holders live as long as the process.
 */
export function addPayeeRoutes(router: Router, deps: { rules: Rules; apiKey: string }): void {
  const holders = new Map<string, string>();
  const keyOf = (account: string, number: string) => `${account} ${number.replaceAll(/\s/g, "")}`;

  router.post(payeeChecksPath, authenticated(deps), async (ctx) => {
    const requested = await readBody(ctx, payeeCheckShape);
    if (requested === undefined) return;
    const { checkReference, account, name, forced } = requested;
    const tenant = accountOf(ctx);
    if (forced !== undefined && !isSandbox(tenant)) return refuse(ctx, 403, "outcomes are forced for sandboxes only");
    const number = account.bankaccountno ?? account.mobilenumber ?? "";
    const behaviour = await taken(ctx, deps.rules, "PAYEE_CHECK", number);
    if (behaviour === undefined) return;
    if (behaviour.name === "SERVER_ERROR") return refuse(ctx, 500, "a fault of the provider's own");
    const holder = forced?.accountName ?? holders.get(keyOf(tenant, number));
    const known = behaviour.name === "REFUSE" ? { result: "NMTC" as const } : compared(name, holder);
    const { result = known.result } = forced ?? {};
    const accountName = result === "CMTC" ? (holder ?? known.accountName ?? name) : undefined;
    ctx.body = { checkReference, account, result, ...(accountName !== undefined && { accountName }) };
  });

  router.post("/control/payees", async (ctx) => {
    const holder = await readBody(ctx, holderSchema);
    if (holder === undefined) return;
    if (holders.size >= maxStored) holders.clear();
    holders.set(keyOf(holder.account, holder.accountNumber), holder.accountName);
    ctx.status = 201;
    ctx.body = holder;
  });
}

/** A name that shares a word with the one on the account is close to it. */
function compared(name: string, holder: string | undefined): { result: PayeeResult; accountName?: string } {
  const words = wordsOf(name);
  if (holder === undefined) {
    const result = results[words.at(-1) ?? ""] ?? "MTCH";
    return { result, accountName: name.trim().replace(/\s*\S+$/, "") || name };
  }
  const others = wordsOf(holder);
  if (words.join(" ") === others.join(" ")) return { result: "MTCH" };
  return words.some((word) => others.includes(word)) ? { result: "CMTC" } : { result: "NMTC" };
}

const wordsOf = (name: string) => foldedName(name).split(/[\s-]+/u);
