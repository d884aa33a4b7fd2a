import { createHash } from "node:crypto";
import type Router from "@koa/router";
import { z } from "zod";
import type { Rules } from "./behaviours.js";
import { taken } from "./bank-routes.js";
import { readBody } from "./http.js";
import { accountOf, authenticated } from "./payout-routes.js";

const contactSchema = z.object({
  reference: z.string().min(1).max(256),
  type: z.enum(["EMAIL", "PHONE_NUMBER"]),
  value: z.string().min(1).max(320),
});

/**
 * The provider that knows whether a contact is somebody's. An address with "unverified" in it and a
 * number that ends in 0000 are not; everything else is, unless a rule refuses it. The same question
 * gets the same answer.
 */
export function addVerificationRoutes(router: Router, deps: { rules: Rules; apiKey: string }): void {
  router.post("/v1/contact-verifications", authenticated(deps), async (ctx) => {
    const contact = await readBody(ctx, contactSchema);
    if (contact === undefined) return;
    const { reference, type, value } = contact;
    const behaviour = await taken(ctx, deps.rules, "CONTACT_VERIFICATION", value);
    if (behaviour === undefined) return;
    const isTheirs =
      behaviour.name !== "REFUSE" && !(type === "EMAIL" ? value.includes("unverified") : value.endsWith("0000"));
    const id = createHash("sha256")
      .update(`${accountOf(ctx)} ${reference}`)
      .digest("hex")
      .slice(0, 24);
    ctx.body = {
      id,
      reference,
      type,
      status: isTheirs ? "VERIFIED" : "UNVERIFIED",
      checks: { syntax: "PASS", owner: isTheirs ? "PASS" : "FAIL" },
    };
  });
}
