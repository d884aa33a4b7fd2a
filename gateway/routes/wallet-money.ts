import { z } from "zod";
import type {
  BankCredit as WireCredit,
  CashMovement as WireCash,
  Till as WireTill,
  TopUp as WireTopUp,
} from "../../proto/gen/wallet/v1/money_in.js";
import { outgoing } from "../../services/shared/grpc/client.js";
import { route } from "../route.js";
import { currencyCode, decimalText, instant, maybe, moneyTextOrNumberIn, text } from "../schema.js";
import { absentIfEmpty, filled, moneyOf, moneyText, timeText } from "../wire.js";
import { cursorQuery, idIn, nextCursorOf, pageOf, reasonIn } from "./compliance-pages.js";
import { keyOf, replaying } from "./payables.js";
import { paymentsBase } from "./wallet-accounts.js";

const TopUp = z
  .object({
    topUpId: z.string(),
    accountId: z.string(),
    amount: decimalText,
    currency: z.string(),
    status: z.string().meta({ description: "PENDING while the card has not been charged, DONE or FAILED." }),
    newBalance: decimalText.optional(),
    createdAt: instant,
    reason: z.string().optional(),
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
    body: { accountId: "an accountId of one's own", amount: "20.00", cardToken: "tok_ok" },
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
  params: z.object({ topUpId: idIn }),
  answer: TopUp,
  message: "Top-up",
  example: {
    as: "amina@demo.example",
    params: { topUpId: "a topUpId" },
    from: { "params.topUpId": "topUpByCard data.topUpId" },
  },
  run: async ({ params, call, clients }) => topUpOf(await clients.wallet.getTopUp(params, outgoing(call))),
});

const BankCredit = z
  .object({
    creditId: z.string(),
    reference: z.string(),
    amount: decimalText,
    currency: z.string(),
    senderName: z.string(),
    senderAccountNumber: z.string().meta({ description: "Its last four digits." }),
    receivedAt: instant,
    status: z.string().meta({
      description: "TAKEN until it is booked; BOOKED into a wallet, or UNMATCHED in suspense until it is ASSIGNED.",
    }),
    reason: z.string().optional(),
    accountId: z.string().optional(),
  })
  .meta({ id: "BankCredit" });

/** Ours */
const listUnmatchedCredits = route({
  method: "get",
  path: `${paymentsBase}/unmatched-credits`,
  operationId: "listUnmatchedCredits",
  tag: "Payments",
  summary: "List bank transfers that arrived and nobody was found for",
  access: ["CASHIER", "MANAGER"],
  query: cursorQuery,
  answer: z.object({ credits: z.array(BankCredit), nextCursor: z.string().optional() }),
  message: "Unmatched credits",
  example: { as: "manager@demo.example" },
  run: async ({ query, call, clients }) => {
    const answer = await clients.wallet.listUnmatchedCredits(pageOf(query), outgoing(call));
    return { credits: answer.credits.map(creditFromWire), ...nextCursorOf(answer) };
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

const Till = z
  .object({
    tillId: z.string(),
    cashierId: z.string(),
    currency: z.string(),
    status: z.string(),
    float: decimalText,
    expected: decimalText.meta({ description: "What must be in it." }),
    counted: decimalText.optional(),
    difference: decimalText.optional().meta({ description: "Counted less expected; booked at closing." }),
    openedAt: instant,
    closedAt: instant.optional(),
  })
  .meta({ id: "Till" });

/** Ours */
const openTill = route({
  method: "post",
  path: `${paymentsBase}/tills`,
  operationId: "openTill",
  tag: "Cash",
  summary: "Open one's till in a currency with a float out of the vault",
  access: ["CASHIER"],
  headers: { idempotencyKey: "required" },
  body: z.object({ currency: currencyCode, float: maybe(moneyTextOrNumberIn) }).meta({ id: "OpenTillRequest" }),
  answer: Till,
  message: "Till opened",
  example: {
    as: "cashier@demo.example",
    headers: { "x-idempotency-key": "till-2026-11-21" },
    body: { currency: "USD", float: "200.00" },
  },
  run: async ({ body, headers, call, clients }) => {
    const request = { ...keyOf(headers), currency: body.currency, float: body.float ?? "" };
    return tillOf(await clients.wallet.openTill(request, replaying(call)));
  },
});

const tillPath = z.object({ tillId: idIn });
const CountRequest = z.object({ counted: moneyTextOrNumberIn }).meta({ id: "CountTillRequest" });
const tillFrom = { "params.tillId": "listTills data.tills.0.tillId" };

/** Ours */
const countTill = route({
  method: "post",
  path: `${paymentsBase}/tills/:tillId/count`,
  operationId: "countTill",
  tag: "Cash",
  summary: "Note what was counted; nothing is booked",
  access: ["CASHIER"],
  headers: { idempotencyKey: "required" },
  params: tillPath,
  body: CountRequest,
  answer: Till,
  message: "Till counted",
  example: {
    as: "cashier@demo.example",
    headers: { "x-idempotency-key": "count-1" },
    params: { tillId: "a tillId" },
    body: { counted: "200.00" },
    from: tillFrom,
  },
  run: async ({ params, body, headers, call, clients }) =>
    tillOf(await clients.wallet.countTill({ ...keyOf(headers), ...params, ...body }, replaying(call))),
});

const CashMovement = z
  .object({
    movementId: z.string(),
    tillId: z.string(),
    accountId: z.string(),
    amount: decimalText,
    currency: z.string(),
    newBalance: decimalText.meta({ description: "Of the wallet." }),
    at: instant,
  })
  .meta({ id: "CashMovement" });

/** Ours */
const cashIn = route({
  method: "post",
  path: `${paymentsBase}/tills/:tillId/cash-in`,
  operationId: "cashIn",
  tag: "Cash",
  summary: "Take cash for a wallet",
  access: ["CASHIER"],
  headers: { idempotencyKey: "required" },
  params: tillPath,
  body: z.object({ accountId: idIn, amount: moneyTextOrNumberIn }).meta({ id: "CashInRequest" }),
  answer: CashMovement,
  message: "Cash taken",
  example: {
    as: "cashier@demo.example",
    headers: { "x-idempotency-key": "cash-in-1" },
    params: { tillId: "a tillId" },
    body: { accountId: "an accountId", amount: "50.00" },
    from: { ...tillFrom, "body.accountId": "listWalletAccounts data.4.accountId" },
  },
  run: async ({ params, body, headers, call, clients }) =>
    cashOf(await clients.wallet.cashIn({ ...keyOf(headers), ...params, ...body }, replaying(call))),
});

/** Ours */
const cashOut = route({
  method: "post",
  path: `${paymentsBase}/tills/:tillId/cash-out`,
  operationId: "cashOut",
  tag: "Cash",
  summary: "Give cash out of a wallet, with the customer's password and one-time code",
  access: ["CASHIER"],
  headers: { idempotencyKey: "required" },
  params: tillPath,
  body: z
    .object({
      accountId: idIn,
      amount: moneyTextOrNumberIn,
      password: maybe(text(1024, 0)).meta({ description: "The customer's." }),
      otp: maybe(text(64, 0)).meta({ description: "The customer's: always." }),
      pin: maybe(text(64, 0)),
    })
    .meta({ id: "CashOutRequest" }),
  answer: CashMovement,
  message: "Cash given",
  example: {
    as: "cashier@demo.example",
    headers: { "x-idempotency-key": "cash-out-1" },
    params: { tillId: "a tillId" },
    body: { accountId: "an accountId", amount: "50.00", password: "the customer's" },
    from: { ...tillFrom, "body.accountId": "listWalletAccounts data.4.accountId" },
    // Without the customer's code.
    answers: 403,
  },
  run: async ({ params, body, headers, call, clients }) => {
    const { accountId, amount, password = "", otp = "", pin = "" } = body;
    const request = { ...keyOf(headers), ...params, accountId, amount, password, otp, pin };
    return cashOf(await clients.wallet.cashOut(request, replaying(call)));
  },
});

/** Ours */
const closeTill = route({
  method: "post",
  path: `${paymentsBase}/tills/:tillId/close`,
  operationId: "closeTill",
  tag: "Cash",
  summary: "Count and close one's till; a difference is booked",
  access: ["CASHIER"],
  headers: { idempotencyKey: "required" },
  params: tillPath,
  body: CountRequest,
  answer: Till,
  message: "Till closed",
  example: {
    as: "cashier@demo.example",
    headers: { "x-idempotency-key": "close-1" },
    params: { tillId: "a tillId" },
    body: { counted: "250.00" },
    from: tillFrom,
  },
  run: async ({ params, body, headers, call, clients }) =>
    tillOf(await clients.wallet.closeTill({ ...keyOf(headers), ...params, ...body }, replaying(call))),
});

/** Ours */
const listTills = route({
  method: "get",
  path: `${paymentsBase}/tills`,
  operationId: "listTills",
  tag: "Cash",
  summary: "List one's own tills, or all of them for a manager",
  access: ["CASHIER", "MANAGER"],
  query: cursorQuery.extend({ open: z.enum(["true", "false"]).optional() }),
  answer: z.object({ tills: z.array(Till), nextCursor: z.string().optional() }),
  message: "Tills",
  example: { as: "cashier@demo.example" },
  run: async ({ query, call, clients }) => {
    const answer = await clients.wallet.listTills(
      { ...pageOf(query), openOnly: query.open === "true" },
      outgoing(call),
    );
    return { tills: answer.tills.map(tillFromWire), ...nextCursorOf(answer) };
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

function tillOf({ till }: { till?: WireTill | undefined }): z.output<typeof Till> {
  return tillFromWire(filled(till, "till"));
}

function tillFromWire(till: WireTill): z.output<typeof Till> {
  const { currency, closedAt } = till;
  const part = (amountMinor: bigint) => moneyText({ amountMinor, currency }, "");
  const maybePart = (minor: bigint | undefined) => (minor === undefined ? undefined : part(minor));
  return {
    tillId: till.tillId,
    cashierId: till.cashierId,
    currency,
    status: till.status,
    float: part(till.floatMinor),
    expected: part(till.expectedMinor),
    counted: maybePart(till.countedMinor),
    difference: maybePart(till.differenceMinor),
    openedAt: timeText(till.openedAt, "till.opened_at"),
    closedAt: closedAt === undefined ? undefined : timeText(closedAt, ""),
  };
}

function cashOf({ movement: wire }: { movement?: WireCash | undefined }): z.output<typeof CashMovement> {
  const movement = filled(wire, "movement");
  const { currency } = moneyOf(movement.amount, "movement.amount");
  return {
    movementId: movement.movementId,
    tillId: movement.tillId,
    accountId: movement.accountId,
    amount: moneyText(movement.amount, "movement.amount"),
    currency,
    newBalance: moneyText({ amountMinor: movement.newBalanceMinor, currency }, ""),
    at: timeText(movement.at, "movement.at"),
  };
}

/** In the order in which the documentation shows them. */
export const walletMoneyRoutes = [
  topUpByCard,
  readTopUp,
  listUnmatchedCredits,
  assignCredit,
  receiveBankTransfer,
  openTill,
  countTill,
  cashIn,
  cashOut,
  closeTill,
  listTills,
];
