import { randomUUID } from "node:crypto";
import type Router from "@koa/router";
import { z } from "zod";
import type { BankBooks } from "./bank-books.js";
import { readBody, refuse } from "./http.js";

const name = z.string().min(1).max(100);
export const creditSchema = z.strictObject({
  account: z.string().regex(/^[a-z0-9-]{1,64}$/),
  collection: z.enum(["wallet", "lending"]),
  reference: z.string().max(128),
  amount: z.string().regex(/^(0|[1-9]\d{0,18})(\.\d{1,4})?$/),
  currency: z.string().regex(/^[A-Z]{3}$/),
  senderName: name,
  senderAccountNumber: z.string().max(40).default(""),
  /** The same id again is the same credit. */
  creditId: z
    .string()
    .regex(/^[A-Za-z0-9._:-]{1,64}$/)
    .optional(),
});
export const bvnSchema = z.strictObject({
  bvn: z.string().regex(/^\d{11}$/),
  country: z
    .string()
    .regex(/^[A-Z]{3}$/)
    .default("NGA"),
  firstName: name,
  lastName: name,
  dateOfBirth: z.iso.date().or(z.literal("")).default(""),
  phoneNumber: z.string().max(20).default(""),
});
const accountSchema = z.strictObject({
  bankCode: z.string().max(40),
  accountNumber: z.string().min(1).max(40),
  accountHolderName: name,
  status: z.enum(["OPEN", "CLOSED"]).default("OPEN"),
});
const cardSchema = z.strictObject({
  account: z.string().regex(/^[a-z0-9-]{1,64}$/),
  /** Without one it is the card of every customer of the account who has none. */
  customer: z.string().max(128).default(""),
  /** "" where there is to be none. */
  cardToken: z.string().max(200),
});
const settleSchema = z.strictObject({
  status: z.enum(["CAPTURED", "REFUSED"]),
  reason: z.string().max(200).default(""),
});

/**
 * Makes a bank transfer arrive, and registers the holder of a BVN, an account or a card. Sandbox
 * only.
 */
export function addBankControlRoutes(router: Router, { books }: { books: BankBooks }): void {
  router.post("/control/bank/credits", async (ctx) => {
    const body = await readBody(ctx, creditSchema);
    if (body === undefined) return;
    const { creditId = randomUUID() } = body;
    if (books.findCredit(creditId) === undefined) books.addCredit({ ...body, creditId, receivedAt: Date.now() });
    ctx.status = 201;
    ctx.body = { creditId };
  });
  router.post("/control/bank/bvns", async (ctx) => {
    const body = await readBody(ctx, bvnSchema);
    if (body === undefined) return;
    books.putBvn({ ...body, account: "" });
    ctx.status = 201;
    ctx.body = body;
  });
  router.post("/control/bank/accounts", async (ctx) => {
    const body = await readBody(ctx, accountSchema);
    if (body === undefined) return;
    books.putAccount(body);
    ctx.status = 201;
    ctx.body = body;
  });
  router.post("/control/bank/cards", async (ctx) => {
    const body = await readBody(ctx, cardSchema);
    if (body === undefined) return;
    books.putCard(body);
    ctx.status = 201;
    ctx.body = body;
  });
  router.post("/control/bank/card-charges/:account/:reference", async (ctx) => {
    const body = await readBody(ctx, settleSchema);
    if (body === undefined) return;
    const { account = "", reference = "" } = ctx.params;
    if (!books.settleCharge(account, reference, body.status, body.reason)) {
      return refuse(ctx, 409, "only a pending charge can be settled");
    }
    ctx.body = { reference, ...body };
  });
}
