import { z } from "zod";
import * as wire from "../../proto/gen/wallet/v1/payables.js";
import { shape } from "../codec.js";
import { operation } from "../operation.js";
import {
  approvalAsked,
  currencyCode,
  decimalText,
  isPending,
  maybe,
  moneyTextOrNumberIn,
  shown,
  idIn,
  reasonIn,
} from "../schema.js";
import { paymentsBase } from "./wallet-accounts.js";
import * as leaf from "../../services/platform/events/shapes/leaves.js";
import { CashLimit as WireCashLimit } from "../../proto/gen/wallet/v1/money_in.js";
import { Role } from "../../proto/gen/identity/v1/identity.js";
import { parseMoney } from "../../services/kernel/money.js";
import { outgoing } from "../../services/kernel/grpc/client.js";
import { Refusal } from "../../services/kernel/refusal.js";
import type { Clients } from "../clients.js";
import { route, type EdgeCall, keyOf, replaying } from "../route.js";

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

export const setWalletLimit = operation({
  method: "put",
  path: `${paymentsBase}/wallet-limits`,
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
  answer: approvalAsked,
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
  isWaiting: isPending,
});

export const listWalletLimits = operation({
  method: "get",
  path: `${paymentsBase}/wallet-limits`,
  tag: "Payments",
  summary: "List the limits of payments from wallets",
  access: ["MANAGER"],
  scopes: ["reports:read", "settings:write"],
  answer: z.array(WalletLimit),
  message: "Limits",
  example: { as: "manager@demo.example" },
  rpc: "wallet.listWalletLimits",
});

const CashLimit = shape(
  WireCashLimit,
  z
    .object({
      cashierId: z.string().optional().meta({ description: "User id of a cashier or agent; absent for all of them." }),
      currency: z.string(),
      perCashIn: shown(decimalText, "1000.00").optional(),
      perDay: shown(decimalText, "3000.00").optional(),
      till: shown(decimalText, "10000.00").optional(),
      fourEyesAbove: shown(decimalText, "500.00").optional(),
      differenceAbove: shown(decimalText, "20.00").optional(),
    })
    .meta({ id: "CashLimit" }),
);

const whenAbsent = "As for all, or as the platform sets it out, when absent.";
const partIn = (what: string) => maybe(moneyTextOrNumberIn).meta({ description: `${what} ${whenAbsent}` });

const mostPages = 1_000;

/**
 * Refuses NOT_FOUND where nobody of the organisation has a till by this id:
 * the limit would hold for nobody.
 */
async function assertHasTill(
  cashierId: string,
  call: EdgeCall,
  { identity }: Pick<Clients, "identity">,
): Promise<void> {
  let pageToken = "";
  for (let pages = 0; pages < mostPages; pages += 1) {
    const page = await identity.listStaffUsers({ pageToken, pageSize: 0 }, outgoing(call));
    const found = page.users.find(({ userId }) => userId === cashierId);
    if (found !== undefined && (found.role === Role.ROLE_CASHIER || found.role === Role.ROLE_AGENT)) return;
    if (found !== undefined || page.nextPageToken === "") break;
    pageToken = page.nextPageToken;
  }
  throw new Refusal("NOT_FOUND", "there is no cashier or agent of this id");
}

export const setCashLimit = route({
  method: "put",
  path: `${paymentsBase}/cash-limits`,
  tag: "Cash",
  summary: "Ask for a limit of what cashiers and agents take in, which another manager approves",
  access: ["MANAGER"],
  scopes: ["settings:write"],
  headers: { idempotencyKey: "required" },
  body: z
    .object({
      cashierId: maybe(idIn).meta({ description: "User id of a cashier or agent; absent for all of them." }),
      currency: currencyCode,
      perCashIn: partIn("Of one cash-in."),
      perDay: partIn("Of one person's cash-ins of a business day."),
      till: partIn("In the till."),
      fourEyesAbove: partIn("Above it a manager approves the cash-in."),
      differenceAbove: partIn("Above it a manager approves that a till is closed short or over."),
      reason: reasonIn,
    })
    .meta({ id: "SetCashLimitRequest" }),
  answer: approvalAsked,
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
    if (cashierId !== "") await assertHasTill(cashierId, call, clients);
    const minorOf = (path: "perCashIn" | "perDay" | "till" | "fourEyesAbove" | "differenceAbove") => {
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
      differenceAboveMinor: minorOf("differenceAbove"),
    };
    const request = { ...keyOf(headers), limit, reason };
    const { approvalId, approvalStatus } = await clients.wallet.setCashLimit(request, replaying(call));
    if (isPending({ approvalStatus })) call.markWaiting();
    return { approvalId, approvalStatus };
  },
});

export const listCashLimits = operation({
  method: "get",
  path: `${paymentsBase}/cash-limits`,
  tag: "Cash",
  summary: "List the limits of what cashiers and agents take in",
  access: ["MANAGER"],
  scopes: ["settings:write"],
  answer: z.array(CashLimit),
  message: "Limits",
  example: { as: "manager@demo.example" },
  rpc: "wallet.listCashLimits",
});
