import { z } from "zod";
import * as wire from "../../proto/gen/wallet/v1/money_in.js";
import { shape } from "../codec.js";
import { operation } from "../operation.js";
import { Role } from "../../proto/gen/identity/v1/identity.js";
import { parseMoney } from "../../services/kernel/money.js";
import { outgoing } from "../../services/kernel/grpc/client.js";
import { Refusal } from "../../services/kernel/refusal.js";
import type { Clients } from "../clients.js";
import { route, type EdgeCall } from "../route.js";
import { currencyCode, decimalText, maybe, moneyTextOrNumberIn, shown } from "../schema.js";
import { idIn, reasonIn } from "./cursor-pages.js";
import { keyOf, replaying } from "./keyed-call.js";
import { paymentsBase } from "./wallet-accounts.js";

const CashLimit = shape(
  wire.CashLimit,
  z
    .object({
      cashierId: z.string().optional().meta({ description: "User id of a cashier or agent; absent for all of them." }),
      currency: z.string(),
      perCashIn: shown(decimalText, "1000.00").optional(),
      perDay: shown(decimalText, "3000.00").optional(),
      till: shown(decimalText, "10000.00").optional(),
      fourEyesAbove: shown(decimalText, "500.00").optional(),
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

/** Ours */
export const setCashLimit = route({
  method: "put",
  path: `${paymentsBase}/cash-limits`,
  operationId: "setCashLimit",
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
      reason: reasonIn,
    })
    .meta({ id: "SetCashLimitRequest" }),
  answer: z.object({ approvalId: z.string(), approvalStatus: shown(z.string(), "PENDING") }),
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
    const approval = await clients.wallet.setCashLimit({ ...keyOf(headers), limit, reason }, replaying(call));
    if (approval.approvalStatus === "PENDING") call.markWaiting();
    return approval;
  },
});

/** Ours */
export const listCashLimits = operation({
  method: "get",
  path: `${paymentsBase}/cash-limits`,
  operationId: "listCashLimits",
  tag: "Cash",
  summary: "List the limits of what cashiers and agents take in",
  access: ["MANAGER"],
  scopes: ["settings:write"],
  answer: z.array(CashLimit),
  message: "Limits",
  example: { as: "manager@demo.example" },
  rpc: "wallet.listCashLimits",
  gives: "limits",
});
