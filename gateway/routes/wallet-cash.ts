import { z } from "zod";
import type {
  CashIn as WireCashIn,
  CashMovement as WireCash,
  Till as WireTill,
} from "../../proto/gen/wallet/v1/money_in.js";
import { parseMoney } from "../../services/shared/money.js";
import { outgoing } from "../../services/shared/grpc/client.js";
import { route } from "../route.js";
import { currencyCode, decimalText, instant, maybe, moneyTextOrNumberIn, text } from "../schema.js";
import { absentIfEmpty, filled, moneyOf, moneyText, timeText } from "../wire.js";
import { cursorQuery, idIn, nextCursorOf, pageOf, reasonIn } from "./compliance-pages.js";
import { keyOf, replaying } from "./payables.js";
import { paymentsBase } from "./wallet-accounts.js";

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

const WaitingCashIn = z
  .object({
    cashInId: z.string(),
    tillId: z.string(),
    accountId: z.string(),
    amount: decimalText,
    currency: z.string(),
    status: z.string().meta({
      description:
        "WAITING for a manager, POSTING once approved, then DONE or FAILED; REFUSED where nobody approved it.",
    }),
    approvalId: z.string().optional(),
    failure: z.string().optional().meta({ description: "Of REFUSED and FAILED." }),
    createdAt: instant,
  })
  .meta({ id: "WaitingCashIn" });

/** Ours */
const cashIn = route({
  method: "post",
  path: `${paymentsBase}/tills/:tillId/cash-in`,
  operationId: "cashIn",
  tag: "Cash",
  summary: "Take cash for a wallet; above the organisation's amount it waits for a manager",
  access: ["CASHIER"],
  headers: { idempotencyKey: "required" },
  params: tillPath,
  body: z.object({ accountId: idIn, amount: moneyTextOrNumberIn }).meta({ id: "CashInRequest" }),
  answer: z.union([CashMovement, WaitingCashIn]),
  message: "Cash taken",
  waits: true,
  example: {
    as: "cashier@demo.example",
    headers: { "x-idempotency-key": "cash-in-1" },
    params: { tillId: "a tillId" },
    body: { accountId: "an accountId", amount: "50.00" },
    from: { ...tillFrom, "body.accountId": "listWalletAccounts data.4.accountId" },
  },
  run: async ({ params, body, headers, call, clients }) => {
    const done = await clients.wallet.cashIn({ ...keyOf(headers), ...params, ...body }, replaying(call));
    if (done.cashIn === undefined) return cashOf(done);
    call.markWaiting();
    return waitingCashOf(done.cashIn);
  },
});

/** Ours */
const readCashIn = route({
  method: "get",
  path: `${paymentsBase}/cash-ins/:cashInId`,
  operationId: "readCashIn",
  tag: "Cash",
  summary: "Read a cash-in that waited for a manager",
  access: ["CASHIER", "MANAGER"],
  params: z.object({ cashInId: idIn }),
  answer: WaitingCashIn,
  message: "Cash-in",
  example: { as: "cashier@demo.example", params: { cashInId: "no-such-cash-in" }, answers: 404 },
  run: async ({ params, call, clients }) => {
    const { cashIn: found } = await clients.wallet.getCashIn(params, outgoing(call));
    return waitingCashOf(filled(found, "cash_in"));
  },
});

const CashLimit = z
  .object({
    cashierId: z.string().optional().meta({ description: "Absent for all cashiers." }),
    currency: z.string(),
    perCashIn: decimalText.optional(),
    perDay: decimalText.optional(),
    till: decimalText.optional(),
    fourEyesAbove: decimalText.optional(),
  })
  .meta({ id: "CashLimit" });

const elsewhere = "As for all cashiers, or as the platform sets it out, when absent.";
const partIn = (what: string) => maybe(moneyTextOrNumberIn).meta({ description: `${what} ${elsewhere}` });

/** Ours */
const setCashLimit = route({
  method: "put",
  path: `${paymentsBase}/cash-limits`,
  operationId: "setCashLimit",
  tag: "Cash",
  summary: "Ask for a limit of what cashiers take in, which another manager approves",
  access: ["MANAGER"],
  headers: { idempotencyKey: "required" },
  body: z
    .object({
      cashierId: maybe(idIn),
      currency: currencyCode,
      perCashIn: partIn("Of one cash-in."),
      perDay: partIn("Of a cashier's cash-ins of a business day."),
      till: partIn("In the till."),
      fourEyesAbove: partIn("Above it a manager approves the cash-in."),
      reason: reasonIn,
    })
    .meta({ id: "SetCashLimitRequest" }),
  answer: z.object({ approvalId: z.string(), approvalStatus: z.string() }),
  message: "Limit asked for",
  waits: true,
  example: {
    as: "manager@demo.example",
    headers: { "x-idempotency-key": "cash-limits-2026" },
    body: { currency: "USD", perCashIn: "20000.00", fourEyesAbove: "5000.00", reason: "Limits of this year" },
    answers: 202,
  },
  run: async ({ body, headers, call, clients }) => {
    const { cashierId = "", currency, reason } = body;
    const minorOf = (path: "perCashIn" | "perDay" | "till" | "fourEyesAbove") => {
      const given = body[path];
      return given === undefined ? undefined : parseMoney(given, currency, path).minor;
    };
    const limit = {
      cashierId,
      currency,
      perCashInMinor: minorOf("perCashIn"),
      perDayMinor: minorOf("perDay"),
      tillMinor: minorOf("till"),
      fourEyesAboveMinor: minorOf("fourEyesAbove"),
    };
    const asked = await clients.wallet.setCashLimit({ ...keyOf(headers), limit, reason }, replaying(call));
    if (asked.approvalStatus === "PENDING") call.markWaiting();
    return asked;
  },
});

/** Ours */
const listCashLimits = route({
  method: "get",
  path: `${paymentsBase}/cash-limits`,
  operationId: "listCashLimits",
  tag: "Cash",
  summary: "List the limits of what cashiers take in",
  access: ["MANAGER"],
  answer: z.array(CashLimit),
  message: "Limits",
  example: { as: "manager@demo.example" },
  run: async ({ call, clients }) => {
    const { limits } = await clients.wallet.listCashLimits({}, outgoing(call));
    return limits.map(({ cashierId, currency, perCashInMinor, perDayMinor, tillMinor, fourEyesAboveMinor }) => {
      const part = (minor: bigint | undefined) =>
        minor === undefined ? undefined : moneyText({ amountMinor: minor, currency }, "");
      return {
        cashierId: absentIfEmpty(cashierId),
        currency,
        perCashIn: part(perCashInMinor),
        perDay: part(perDayMinor),
        till: part(tillMinor),
        fourEyesAbove: part(fourEyesAboveMinor),
      };
    });
  },
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

const VaultMovement = z
  .object({
    movementId: z.string(),
    direction: z.string().meta({ description: "FROM_BANK or TO_BANK." }),
    amount: decimalText,
    currency: z.string(),
    at: instant,
  })
  .meta({ id: "VaultMovement" });

/** Ours */
const moveVaultCash = route({
  method: "post",
  path: `${paymentsBase}/vault-movements`,
  operationId: "moveVaultCash",
  tag: "Cash",
  summary: "Enter cash fetched from the bank into the vault that tills are filled from, or brought to the bank",
  access: ["MANAGER"],
  headers: { idempotencyKey: "required" },
  body: z
    .object({
      direction: z.enum(["FROM_BANK", "TO_BANK"]),
      currency: currencyCode,
      amount: moneyTextOrNumberIn,
      reference: text(128).meta({ description: "Of the bank's slip." }),
    })
    .meta({ id: "VaultMovementRequest" }),
  answer: VaultMovement,
  message: "Cash moved",
  example: {
    as: "manager@demo.example",
    headers: { "x-idempotency-key": "vault-2026-11-21" },
    body: { direction: "FROM_BANK", currency: "USD", amount: "5000.00", reference: "Slip 4711" },
  },
  run: async ({ body, headers, call, clients }) => {
    const { movement: wire } = await clients.wallet.moveVaultCash({ ...keyOf(headers), ...body }, replaying(call));
    const movement = filled(wire, "movement");
    return {
      movementId: movement.movementId,
      direction: movement.direction,
      amount: moneyText(movement.amount, "movement.amount"),
      currency: moneyOf(movement.amount, "movement.amount").currency,
      at: timeText(movement.at, "movement.at"),
    };
  },
});

function waitingCashOf(cashIn: WireCashIn): z.output<typeof WaitingCashIn> {
  return {
    cashInId: cashIn.cashInId,
    tillId: cashIn.tillId,
    accountId: cashIn.accountId,
    amount: moneyText(cashIn.amount, "cash_in.amount"),
    currency: moneyOf(cashIn.amount, "cash_in.amount").currency,
    status: cashIn.status,
    approvalId: absentIfEmpty(cashIn.approvalId),
    failure: absentIfEmpty(cashIn.failure),
    createdAt: timeText(cashIn.createdAt, "cash_in.created_at"),
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
export const walletCashRoutes = [
  openTill,
  countTill,
  cashIn,
  readCashIn,
  cashOut,
  closeTill,
  listTills,
  moveVaultCash,
  setCashLimit,
  listCashLimits,
];
