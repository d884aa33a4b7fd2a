import { z } from "zod";
import type { BankCredit as WireCredit, TopUp as WireTopUp } from "../../proto/gen/wallet/v1/money_in.js";
import { outgoing } from "../../services/kernel/grpc/client.js";
import { route } from "../route.js";
import { currencyCode, decimalText, instant, maybe, moneyTextOrNumberIn, text, shown } from "../schema.js";
import { absentIfEmpty, filled, moneyOf, moneyText, timeText } from "../wire.js";
import { cursorQuery, idIn, nextCursorOf, pageOf, reasonIn } from "./cursor-pages.js";
import { keyOf, replaying } from "./keyed-call.js";
import { paymentsBase } from "./wallet-accounts.js";
import * as leaf from "../../services/platform/events/shapes/leaves.js";

const TopUp = z
  .object({
    topUpId: z.string(),
    accountId: leaf.accountId,
    amount: decimalText,
    currency: z.string(),
    status: shown(z.string(), "PENDING").meta({
      description: "PENDING while the card has not been charged, DONE or FAILED.",
    }),
    newBalance: leaf.balance.optional(),
    createdAt: instant,
    reason: leaf.reason.optional(),
  })
  .meta({ id: "TopUp" });

/** Ours */
const topUpByCard = route({
  method: "post",
  path: `${paymentsBase}/card-top-ups`,
  operationId: "topUpByCard",
  tag: "Payments",
  summary: "Charge a card and put the money into one's wallet",
  access: ["CUSTOMER"],
  peopleOnly: "cardholder",
  sdk: { answer: "topUp" },
  headers: { idempotencyKey: "required" },
  body: z
    .object({
      accountId: idIn,
      amount: moneyTextOrNumberIn,
      cardToken: text(255).meta({
        description: "From the acquirer; tok_ok, tok_refused or tok_pending in the sandbox.",
      }),
    })
    .meta({ id: "TopUpByCardRequest" }),
  answer: TopUp,
  message: "Top-up",
  example: {
    as: "amina@demo.example",
    headers: { "x-idempotency-key": "top-up-1" },
    body: { accountId: "the-account", amount: "20.00", cardToken: "tok_ok" },
    from: { "body.accountId": "listWalletAccounts data.4.accountId" },
  },
  run: async ({ body, headers, call, clients }) =>
    topUpOf(await clients.wallet.topUpByCard({ ...keyOf(headers), ...body }, replaying(call))),
});

/** Ours */
const readTopUp = route({
  method: "get",
  path: `${paymentsBase}/card-top-ups/:topUpId`,
  operationId: "readTopUp",
  tag: "Payments",
  summary: "Read a top-up",
  access: ["CUSTOMER", "CASHIER", "MANAGER"],
  scopes: ["accounts:read"],
  params: z.object({ topUpId: idIn }),
  answer: TopUp,
  message: "Top-up",
  example: {
    as: "amina@demo.example",
    params: { topUpId: "the-top-up" },
    from: { "params.topUpId": "topUpByCard data.topUpId" },
  },
  run: async ({ params, call, clients }) => topUpOf(await clients.wallet.getTopUp(params, outgoing(call))),
});

const BankCredit = z
  .object({
    creditId: z.string(),
    reference: leaf.reference,
    amount: decimalText,
    currency: z.string(),
    senderName: leaf.name,
    senderAccountNumber: leaf.senderAccountNumber.meta({ description: "Its last four digits." }),
    receivedAt: instant,
    status: shown(z.string(), "TAKEN").meta({
      description: "TAKEN until it is booked; BOOKED into a wallet, or UNMATCHED in suspense until it is ASSIGNED.",
    }),
    reason: leaf.reason.optional(),
    accountId: leaf.accountId.optional(),
  })
  .meta({ id: "BankCredit" });

const HeldArrival = z
  .object({
    heldId: z.string(),
    accountId: leaf.accountId,
    customerId: leaf.customerId,
    amount: decimalText,
    currency: z.string(),
    kind: shown(z.string(), "PAYMENT_RECEIVED").meta({
      description: "How it came, such as BANK_CREDIT_RECEIVED or PAYMENT_RECEIVED.",
    }),
    status: shown(z.string(), "HELD").meta({ description: "HELD, or RELEASED once the customer may have it." }),
    heldAt: instant,
    releasedAt: instant.optional(),
  })
  .meta({ id: "HeldArrival" });

/** Ours */
const listUnmatchedCredits = route({
  method: "get",
  path: `${paymentsBase}/unmatched-credits`,
  operationId: "listUnmatchedCredits",
  tag: "Payments",
  summary: "List bank transfers that arrived and nobody was found for",
  access: ["CASHIER", "MANAGER"],
  scopes: ["payments:process", "accounts:read"],
  query: cursorQuery,
  answer: z.object({ credits: z.array(BankCredit), nextCursor: leaf.nextCursor.optional() }),
  message: "Unmatched credits",
  example: { as: "manager@demo.example" },
  run: async ({ query, call, clients }) => {
    const answer = await clients.wallet.listUnmatchedCredits(pageOf(query), outgoing(call));
    return { credits: answer.credits.map(creditFromWire), ...nextCursorOf(answer) };
  },
});

/** Ours */
const listHeldArrivals = route({
  method: "get",
  path: `${paymentsBase}/held-arrivals`,
  operationId: "listHeldArrivals",
  tag: "Payments",
  summary: "List what arrived for customers who may not have it yet, and is reserved in their wallets until they may",
  access: ["MANAGER"],
  scopes: ["accounts:read"],
  query: cursorQuery.extend({ all: z.enum(["true", "false"]).optional() }),
  answer: z.object({ arrivals: z.array(HeldArrival), nextCursor: leaf.nextCursor.optional() }),
  message: "Held arrivals",
  example: { as: "manager@demo.example" },
  run: async ({ query, call, clients }) => {
    const request = { ...pageOf(query), all: query.all === "true" };
    const answer = await clients.wallet.listHeldArrivals(request, outgoing(call));
    const arrivals = answer.arrivals.map((one) => ({
      heldId: one.heldId,
      accountId: one.accountId,
      customerId: one.customerId,
      amount: moneyText(one.amount, "amount"),
      currency: moneyOf(one.amount, "amount").currency,
      kind: one.kind,
      status: one.status,
      heldAt: timeText(one.heldAt, "held_at"),
      releasedAt: one.releasedAt === undefined ? undefined : timeText(one.releasedAt, ""),
    }));
    return { arrivals, ...nextCursorOf(answer) };
  },
});

/** Ours */
const assignCredit = route({
  method: "post",
  path: `${paymentsBase}/unmatched-credits/:creditId/assign`,
  operationId: "assignCredit",
  tag: "Payments",
  summary: "Give such a bank transfer to a wallet",
  access: ["MANAGER"],
  peopleOnly: "judgement",
  headers: { idempotencyKey: "required" },
  params: z.object({ creditId: idIn }),
  body: z.object({ accountId: idIn, reason: reasonIn }).meta({ id: "AssignCreditRequest" }),
  answer: BankCredit,
  message: "Credit assigned",
  example: {
    as: "manager@demo.example",
    headers: { "x-idempotency-key": "assign-1" },
    params: { creditId: "00000000-0000-7000-8000-000000000000" },
    body: { accountId: "00000000-0000-7000-8000-000000000000", reason: "The sender called" },
    answers: 404,
  },
  run: async ({ params, body, headers, call, clients }) => {
    const request = { ...keyOf(headers), ...params, ...body };
    const { credit } = await clients.wallet.assignCredit(request, replaying(call));
    return creditFromWire(filled(credit, "credit"));
  },
});

/** Ours: only under /sandbox. */
const receiveBankTransfer = route({
  method: "post",
  path: `${paymentsBase}/bank-transfers`,
  operationId: "receiveBankTransfer",
  tag: "Payments",
  summary: "Let a bank transfer arrive in a sandbox; the account number in its reference says whose it is",
  access: ["MANAGER", "CUSTOMER"],
  scopes: ["sandbox:force"],
  sdk: { inSandbox: { name: "bankTransferArrives" } },
  headers: { idempotencyKey: "required" },
  body: z
    .object({
      reference: text(128),
      amount: moneyTextOrNumberIn,
      currency: currencyCode,
      senderName: text(100),
      senderAccountNumber: maybe(text(40, 0)),
    })
    .meta({ id: "ReceiveBankTransferRequest" }),
  answer: BankCredit,
  message: "Bank transfer arrived",
  example: {
    as: "manager@demo.example",
    sandbox: true,
    headers: { "x-idempotency-key": "salary-2026-11" },
    body: { reference: "salary", amount: "250.00", currency: "USD", senderName: "Chidi Okafor" },
  },
  run: async ({ body, headers, call, clients }) => {
    const { senderAccountNumber = "", ...rest } = body;
    const request = { ...keyOf(headers), ...rest, senderAccountNumber };
    const { credit } = await clients.wallet.receiveBankTransfer(request, replaying(call));
    return creditFromWire(filled(credit, "credit"));
  },
});

function topUpOf({ topUp: wire }: { topUp?: WireTopUp | undefined }): z.output<typeof TopUp> {
  const topUp = filled(wire, "top_up");
  const { amount, newBalanceMinor, status } = topUp;
  const { currency } = moneyOf(amount, "top_up.amount");
  return {
    topUpId: topUp.topUpId,
    accountId: topUp.accountId,
    amount: moneyText(amount, "top_up.amount"),
    currency,
    status,
    newBalance: status === "DONE" ? moneyText({ amountMinor: newBalanceMinor, currency }, "") : undefined,
    createdAt: timeText(topUp.createdAt, "top_up.created_at"),
    reason: absentIfEmpty(topUp.reason),
  };
}

function creditFromWire(credit: WireCredit): z.output<typeof BankCredit> {
  return {
    creditId: credit.creditId,
    reference: credit.reference,
    amount: moneyText(credit.amount, "credit.amount"),
    currency: moneyOf(credit.amount, "credit.amount").currency,
    senderName: credit.senderName,
    senderAccountNumber: credit.senderAccountNumberMasked,
    receivedAt: timeText(credit.receivedAt, "credit.received_at"),
    status: credit.status,
    reason: absentIfEmpty(credit.reason),
    accountId: absentIfEmpty(credit.accountId),
  };
}

/** In the order in which the documentation shows them. */
export const walletMoneyRoutes = [
  topUpByCard,
  readTopUp,
  listUnmatchedCredits,
  listHeldArrivals,
  assignCredit,
  receiveBankTransfer,
];
