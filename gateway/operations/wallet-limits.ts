import { z } from "zod";
import { outgoing } from "../../services/kernel/grpc/client.js";
import { parseMoney } from "../../services/kernel/money.js";
import { route } from "../route.js";
import { currencyCode, decimalText, maybe, moneyTextOrNumberIn, shown } from "../schema.js";
import { absentIfEmpty, moneyText } from "../wire.js";
import { idIn, reasonIn } from "./cursor-pages.js";
import { paymentsBase } from "./wallet-accounts.js";
import { keyOf, replaying } from "./keyed-call.js";
import * as leaf from "../../services/platform/events/shapes/leaves.js";

const WalletLimit = z
  .object({
    accountId: leaf.accountId.optional().meta({ description: "Absent for all wallets of the currency." }),
    currency: z.string(),
    perPayment: shown(decimalText, "1000.00").optional(),
    perDay: shown(decimalText, "3000.00").optional(),
    perCashIn: shown(decimalText, "1000.00").optional(),
    cashInPerDay: shown(decimalText, "3000.00").optional(),
  })
  .meta({ id: "WalletLimit" });

/** Ours */
export const setWalletLimit = route({
  method: "put",
  path: `${paymentsBase}/wallet-limits`,
  operationId: "setWalletLimit",
  tag: "Payments",
  summary: "Ask for a limit of payments from wallets, which another manager approves",
  access: ["MANAGER"],
  scopes: ["settings:write"],
  headers: { idempotencyKey: "required" },
  body: z
    .object({
      accountId: maybe(idIn),
      currency: currencyCode,
      perPayment: maybe(moneyTextOrNumberIn).meta({ description: "No limit when absent." }),
      perDay: maybe(moneyTextOrNumberIn).meta({ description: "No limit when absent; a day of the organisation's." }),
      perCashIn: maybe(moneyTextOrNumberIn).meta({ description: "Of cash into it. No limit when absent." }),
      cashInPerDay: maybe(moneyTextOrNumberIn).meta({ description: "Of cash into it. No limit when absent." }),
      reason: reasonIn,
    })
    .meta({ id: "SetWalletLimitRequest" }),
  answer: z.object({ approvalId: z.string(), approvalStatus: shown(z.string(), "PENDING") }),
  message: "Limit asked for",
  waits: true,
  example: {
    as: "manager@demo.example",
    headers: { "x-idempotency-key": "limits-2026" },
    body: { currency: "USD", perPayment: "100000.00", perDay: "250000.00", reason: "Limits of this year" },
    answers: 202,
  },
  run: async ({ body, headers, call, clients }) => {
    const { accountId = "", currency, perPayment, perDay, perCashIn, cashInPerDay, reason } = body;
    const minorOf = (decimal: string | undefined, path: string) =>
      decimal === undefined ? undefined : parseMoney(decimal, currency, path).minor;
    const limit = {
      accountId,
      currency,
      perPaymentMinor: minorOf(perPayment, "perPayment"),
      perDayMinor: minorOf(perDay, "perDay"),
      perCashInMinor: minorOf(perCashIn, "perCashIn"),
      cashInPerDayMinor: minorOf(cashInPerDay, "cashInPerDay"),
    };
    const approval = await clients.wallet.setWalletLimit({ ...keyOf(headers), limit, reason }, replaying(call));
    if (approval.approvalStatus === "PENDING") call.markWaiting();
    return approval;
  },
});

/** Ours */
export const listWalletLimits = route({
  method: "get",
  path: `${paymentsBase}/wallet-limits`,
  operationId: "listWalletLimits",
  tag: "Payments",
  summary: "List the limits of payments from wallets",
  access: ["MANAGER"],
  scopes: ["reports:read", "settings:write"],
  answer: z.array(WalletLimit),
  message: "Limits",
  example: { as: "manager@demo.example" },
  run: async ({ call, clients }) => {
    const { limits } = await clients.wallet.listWalletLimits({}, outgoing(call));
    return limits.map((limit) => {
      const { accountId, currency } = limit;
      const part = (minor: bigint | undefined) =>
        minor === undefined ? undefined : moneyText({ amountMinor: minor, currency }, "");
      return {
        accountId: absentIfEmpty(accountId),
        currency,
        perPayment: part(limit.perPaymentMinor),
        perDay: part(limit.perDayMinor),
        perCashIn: part(limit.perCashInMinor),
        cashInPerDay: part(limit.cashInPerDayMinor),
      };
    });
  },
});
