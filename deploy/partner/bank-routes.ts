import { setTimeout as sleep } from "node:timers/promises";
import type Router from "@koa/router";
import type { Context } from "koa";
import { z } from "zod";
import { isSameName } from "../../services/kernel/people/person-names.js";
import { beneficiaryShape, originatorShape } from "../../services/platform/plugins/party-contract.js";
import { isSandbox } from "../../services/platform/sandbox/sandbox.js";
import { forcedSchema, type Behaviour, type Forced, type RuleKind, type Rules } from "./behaviours.js";
import { bankNameOf, type BankDesk } from "./bank.js";
import type { BankBooks } from "./bank-books.js";
import { cutConnection, readBody, refuse } from "./http.js";
import { accountOf, authenticated } from "./payout-routes.js";

interface Deps {
  desk: BankDesk;
  books: BankBooks;
  rules: Rules;
  apiKey: string;
}

const decimalText = z.string().regex(/^(0|[1-9]\d{0,18})(\.\d{1,4})?$/);
const currency = z.string().regex(/^[A-Z]{3}$/);
const line = z.string().min(1).max(200);
const checkSchema = z.object({
  reference: line,
  country: line,
  currency,
  bankCode: z.string().max(40),
  accountNumber: line,
  accountHolderName: line,
});
const lookupSchema = z.object({ reference: line, bvn: z.string().max(40), country: z.string().max(3) });
const transferSchema = z.object({
  amount: decimalText,
  currency,
  bankCode: z.string().max(40),
  accountNumber: line,
  accountHolderName: line,
  narration: z.string().max(200).default(""),
  originator: originatorShape.optional(),
  beneficiary: beneficiaryShape.optional(),
  forced: forcedSchema.optional(),
});
const chargeSchema = z.object({ cardToken: line, amount: decimalText, currency, forced: forcedSchema.optional() });

// Every sandbox customer has a card that pays, until one is registered.
const defaultCard = "tok_ok";

/** The bank's API: whose an account or a BVN is, transfers out, what has arrived, cards. */
export function addBankRoutes(router: Router, deps: Deps): void {
  const { desk, books, rules } = deps;
  const guarded = authenticated(deps);

  router.post("/v1/bank/account-checks", guarded, async (ctx) => {
    const check = await readBody(ctx, checkSchema);
    if (check === undefined) return;
    const behaviour = await taken(ctx, rules, "ACCOUNT_CHECK", check.accountNumber);
    if (behaviour === undefined) return;
    const { reference, bankCode, accountHolderName } = check;
    const refused = { verified: false, bankName: bankNameOf(bankCode), accountHolderName, reason: behaviour.reason };
    ctx.body = { reference, ...(behaviour.name === "REFUSE" ? refused : checkOf(books, check)) };
  });

  router.post("/v1/bank/bvn-lookups", guarded, async (ctx) => {
    const requested = await readBody(ctx, lookupSchema);
    if (requested === undefined) return;
    const { reference, bvn, country } = requested;
    const behaviour = await taken(ctx, rules, "BVN_LOOKUP", bvn);
    if (behaviour === undefined) return;
    const known = behaviour.name === "REFUSE" ? undefined : books.findBvn(accountOf(ctx), bvn, country);
    if (known === undefined) {
      ctx.body = { reference, found: false, bvn };
      return;
    }
    const { firstName, lastName, dateOfBirth, phoneNumber } = known;
    ctx.body = {
      reference,
      found: true,
      bvn,
      firstName,
      lastName,
      ...(dateOfBirth !== "" && { dateOfBirth }),
      ...(phoneNumber !== "" && { phoneNumber }),
    };
  });

  router.put("/v1/bank/transfers/:reference", guarded, async (ctx) => {
    const body = await readBody(ctx, transferSchema);
    if (body === undefined) return;
    const { forced, ...order } = body;
    const [account, reference] = [accountOf(ctx), ctx.params["reference"] ?? ""];
    const isKnown = desk.find(account, reference) !== undefined;
    const kind = "BANK_TRANSFER";
    await behaving(ctx, rules, { kind, isKnown, reference, forced }, (behaviour) => {
      const transfer = desk.submit(account, reference, order, behaviour);
      if (transfer === undefined) return undefined;
      return { status: transfer.status === "ACCEPTED" ? 202 : 200, body: viewOf(transfer) };
    });
  });

  router.get("/v1/bank/transfers/:reference", guarded, (ctx) => {
    const transfer = desk.find(accountOf(ctx), ctx.params["reference"] ?? "");
    if (transfer === undefined) return refuse(ctx, 404, "no such transfer");
    const parties = books.findParties(transfer.account, transfer.reference) ?? "{}";
    ctx.body = { ...viewOf(transfer), ...(JSON.parse(parties) as object) };
  });

  router.put("/v1/bank/card-charges/:reference", guarded, async (ctx) => {
    const body = await readBody(ctx, chargeSchema);
    if (body === undefined) return;
    const { forced, ...order } = body;
    const [account, reference] = [accountOf(ctx), ctx.params["reference"] ?? ""];
    const isKnown = books.findCharge(account, reference) !== undefined;
    const kind = "CARD_CHARGE";
    await behaving(ctx, rules, { kind, isKnown, reference, forced }, (behaviour) => {
      const charge = desk.charge(account, reference, order, behaviour);
      return charge === undefined ? undefined : { status: 200, body: viewOf(charge) };
    });
  });

  router.get("/v1/bank/customers/:customer/card", guarded, (ctx) => {
    const { customer: customerId = "" } = ctx.params;
    const cardToken = books.findCard(accountOf(ctx), customerId) ?? defaultCard;
    if (cardToken === "") return refuse(ctx, 404, "no stored card");
    ctx.body = { customerId, cardToken };
  });

  router.get("/v1/bank/card-charges/:reference", guarded, (ctx) => {
    const charge = books.findCharge(accountOf(ctx), ctx.params["reference"] ?? "");
    if (charge === undefined) return refuse(ctx, 404, "no such charge");
    ctx.body = viewOf(charge);
  });

  router.get("/v1/bank/credits", guarded, (ctx) => {
    const after = Number(ctx.query["after"] || 0);
    const limit = Number(ctx.query["limit"] || 100);
    const collection = String(ctx.query["collection"] ?? "");
    if (!Number.isSafeInteger(after) || !Number.isSafeInteger(limit) || limit < 1 || limit > 500) {
      return refuse(ctx, 400, "after is a cursor of ours, limit is 1 to 500");
    }
    const credits = books.credits(accountOf(ctx), collection, after, limit);
    ctx.body = {
      collection,
      credits: credits.map(({ sequence: _sequence, account: _account, receivedAt, ...credit }) => ({
        ...credit,
        receivedAt: new Date(receivedAt).toISOString(),
      })),
      nextCursor: String(credits.at(-1)?.sequence ?? after),
    };
  });
}

/**
 * What its own word, else a rule, makes of a new order; asking again by
 * reference is answered from the books.
 */
async function behaving(
  ctx: Context,
  rules: Rules,
  {
    kind,
    isKnown,
    reference,
    forced,
  }: { kind: RuleKind; isKnown: boolean; reference: string; forced: Forced | undefined },
  record: (behaviour: ReturnType<Rules["take"]>) => { status: number; body: object } | undefined,
): Promise<void> {
  const plain = { name: "ACCEPT", settleMs: 0, delayMs: 0, reason: "", kept: "" } as const;
  // Nobody's money ends by a word in its order, whoever sent it.
  if (forced !== undefined && !isSandbox(accountOf(ctx))) {
    return refuse(ctx, 403, "outcomes are forced for sandboxes only");
  }
  const wanted = () => (forced === undefined ? rules.take(kind, accountOf(ctx), reference) : rules.behaviourOf(forced));
  const behaviour = isKnown ? plain : wanted();
  if (isSilent(ctx, behaviour)) return;
  if (behaviour.name === "SERVER_ERROR") return refuse(ctx, 500, "a fault of the bank's own");
  const recorded = record(behaviour);
  if (recorded === undefined) return refuse(ctx, 409, "this reference stands for something else");
  if (behaviour.name === "LOSE_ANSWER") return cutConnection(ctx);
  if (behaviour.name === "ANSWER_LATE") await sleep(behaviour.delayMs);
  ctx.status = recorded.status;
  ctx.body = recorded.body;
}

/** What a rule makes of a question; undefined where it is not answered. */
export async function taken(
  ctx: Context,
  rules: Rules,
  kind: RuleKind,
  subject: string,
): Promise<Behaviour | undefined> {
  const behaviour = rules.take(kind, accountOf(ctx), subject);
  if (isSilent(ctx, behaviour)) return undefined;
  if (behaviour.name === "LOSE_ANSWER") return cutConnection(ctx);
  if (behaviour.name === "ANSWER_LATE") await sleep(behaviour.delayMs);
  return behaviour;
}

function isSilent(ctx: Context, { name }: Behaviour): boolean {
  if (name === "AWAY") cutConnection(ctx);
  // No answer and no record: the client's own timeout ends it.
  if (name === "HANG") ctx.respond = false;
  return name === "AWAY" || name === "HANG";
}

function viewOf({ reference, status, reason }: { reference: string; status: string; reason: string }): object {
  return { reference, status, ...(reason !== "" && status !== "PAID" && { reason }) };
}

/**
 * Numbers that end in 0000 do not exist; a registered account is its holder's; any other is the
 * named person's.
 */
function checkOf(books: BankBooks, check: z.infer<typeof checkSchema>): object {
  const { bankCode, accountNumber, accountHolderName } = check;
  const known = books.findAccount(bankCode, accountNumber);
  const answer = { bankName: bankNameOf(bankCode), accountHolderName: known?.accountHolderName ?? accountHolderName };
  if (known === undefined && accountNumber.endsWith("0000")) {
    return { verified: false, ...answer, accountHolderName: "", reason: "NO_SUCH_ACCOUNT" };
  }
  if (known !== undefined && known.status !== "OPEN") return { verified: false, ...answer, reason: "ACCOUNT_CLOSED" };
  if (known !== undefined && !isSameName(known.accountHolderName, accountHolderName)) {
    return { verified: false, ...answer, reason: "NAME_MISMATCH" };
  }
  return { verified: true, ...answer };
}
