import { createHash } from "node:crypto";
import type Router from "@koa/router";
import type { z } from "zod";
import { amendmentShape } from "../../services/platform/plugins/payout-contract.js";
import type { Behaviour, Rules } from "./behaviours.js";
import { taken } from "./bank-routes.js";
import type { AmendmentRecord, Books, PayoutRecord } from "./books.js";
import { readBody, refuse } from "./http.js";
import { accountOf, authenticated } from "./payout-routes.js";
import { recordedOf } from "./payouts.js";

type Requested = z.output<typeof amendmentShape>;

interface Deps {
  books: Books;
  rules: Rules;
  apiKey: string;
}

/** What contract 2 adds: who is paid may be put right while the payout is open. */
export function addAmendmentRoutes(router: Router, { books, rules, apiKey }: Deps): void {
  router.post("/v1/payouts/:reference/amendments", authenticated({ apiKey, rules }), async (ctx) => {
    const requested = await readBody(ctx, amendmentShape);
    if (requested === undefined) return;
    const [account, reference] = [accountOf(ctx), ctx.params["reference"] ?? ""];
    const payout = books.find(account, reference);
    if (payout === undefined) return refuse(ctx, 404, "no such payout");
    const known = books.findAmendment(account, reference, requested.amendmentId);
    // What was accepted stays so until a rule ends it.
    const isLeft =
      known !== undefined && (known.status !== "ACCEPTED" || !rules.isForced("AMENDMENT", account, reference));
    const behaviour = isLeft
      ? rules.behaviourOf({ behaviour: "STALL" })
      : await taken(ctx, rules, "AMENDMENT", reference);
    if (behaviour === undefined) return;
    const amendment = amend(books, payout, requested, behaviour);
    if (amendment === undefined) return refuse(ctx, 409, "this id stands for another amendment");
    const { amendmentId, status, reason } = amendment;
    ctx.status = status === "REFUSED" ? 422 : 200;
    ctx.body = { amendmentId, reference, status, ...(reason !== "" && { reason }) };
  });
}

/**
 * What came of an amendment, the same for the same id. Undefined: the id stands for another one.
 */
function amend(
  books: Books,
  payout: PayoutRecord,
  requested: Requested,
  behaviour: Behaviour,
): AmendmentRecord | undefined {
  const { account, reference } = payout;
  const { amendmentId, beneficiary, accountHolderName: holder } = requested;
  const content = createHash("sha256").update(JSON.stringify(requested)).digest("hex");
  return books.inTransaction(() => {
    const known = books.findAmendment(account, reference, amendmentId);
    if (known !== undefined && known.content !== content) return undefined;
    if (known !== undefined && (known.status !== "ACCEPTED" || behaviour.name === "STALL")) return known;
    const fault = faultOf(books, payout, requested) ?? (behaviour.name === "REFUSE" ? behaviour.reason : undefined);
    const status = fault !== undefined ? "REFUSED" : behaviour.name === "STALL" ? "ACCEPTED" : "DONE";
    const amendment: AmendmentRecord = { account, reference, amendmentId, content, status, reason: fault ?? "" };
    books.putAmendment(amendment);
    const parties = books.findParties(account, reference);
    if (status === "DONE" && parties !== undefined) {
      books.putParties({ ...parties, beneficiary: JSON.stringify(beneficiary) });
      if (holder !== undefined) books.putHolder({ account, reference, holder });
    }
    return amendment;
  });
}

function faultOf(books: Books, payout: PayoutRecord, { beneficiary }: Requested): string | undefined {
  const { beneficiary: recorded } = recordedOf(books, payout);
  if (recorded === undefined) return "its order named nobody";
  if (payout.status !== "ACCEPTED") return `it is ${payout.status}`;
  const isSamePlace = recorded.account === beneficiary.account && recorded.country === beneficiary.country;
  return isSamePlace ? undefined : "account and country stay those of the order";
}
