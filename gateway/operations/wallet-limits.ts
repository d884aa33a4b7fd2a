import { z } from "zod";
import * as wire from "../../proto/gen/wallet/v1/payables.js";
import { shape } from "../codec.js";
import { operation } from "../operation.js";
import { currencyCode, decimalText, maybe, moneyTextOrNumberIn, shown } from "../schema.js";
import { idIn, reasonIn } from "./cursor-pages.js";
import { paymentsBase } from "./wallet-accounts.js";
import * as leaf from "../../services/platform/events/shapes/leaves.js";

const WalletLimit = shape(
  wire.WalletLimit,
  z
    .object({
      accountId: leaf.accountId.optional().meta({ description: "Absent for all wallets of the currency." }),
      currency: z.string(),
      perPayment: shown(decimalText, "1000.00").optional(),
      perDay: shown(decimalText, "3000.00").optional(),
      perCashIn: shown(decimalText, "1000.00").optional(),
      cashInPerDay: shown(decimalText, "3000.00").optional(),
    })
    .meta({ id: "WalletLimit" }),
);

const inLimit = <M extends string>(minor: M) => ({ minor, currency: "limit.currency" }) as const;

/** Ours */
export const setWalletLimit = operation({
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
  rpc: "wallet.setWalletLimit",
  fields: {
    accountId: "limit.accountId",
    currency: "limit.currency",
    perPayment: inLimit("limit.perPaymentMinor"),
    perDay: inLimit("limit.perDayMinor"),
    perCashIn: inLimit("limit.perCashInMinor"),
    cashInPerDay: inLimit("limit.cashInPerDayMinor"),
  },
  isWaiting: ({ approvalStatus }) => approvalStatus === "PENDING",
});

/** Ours */
export const listWalletLimits = operation({
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
  rpc: "wallet.listWalletLimits",
  gives: "limits",
});
