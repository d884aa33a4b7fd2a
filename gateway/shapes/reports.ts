import { z } from "zod";
import * as wire from "../../proto/gen/remittance/v1/remittance.js";
import { CashSum as WireCashSum } from "../../proto/gen/wallet/v1/money_in.js";
import { deliveryMethod } from "../../services/platform/events/shapes/transaction-shape.js";
import { shape } from "../codec.js";
import { decimalText, integer, shown } from "../schema.js";
import * as leaf from "../../services/platform/events/shapes/leaves.js";

const inPrincipal = <Minor extends string>(minor: Minor) => ({ minor, currency: "principal.currency" }) as const;

export const CallOverRow = shape(
  wire.CallOverRow,
  z
    .object({
      agentId: z.string().optional(),
      createdBy: leaf.userId,
      createdByRole: shown(z.string(), "CUSTOMER").optional(),
      currency: z.string(),
      status: shown(z.string(), "COMPLETED"),
      count: integer,
      principalAmount: leaf.sendAmount,
      fees: leaf.fee,
      taxes: leaf.tax,
      totalAmount: leaf.totalAmount,
    })
    .meta({ id: "CallOverRow" }),
  {
    currency: "principal.currency",
    principalAmount: "principal",
    fees: inPrincipal("feesMinor"),
    taxes: inPrincipal("taxesMinor"),
    totalAmount: inPrincipal("totalMinor"),
  },
);

export const CashSum = shape(
  WireCashSum,
  z
    .object({
      cashierId: z.string().meta({ description: "User id of the cashier or agent." }),
      role: z.enum(["CASHIER", "AGENT"]).meta({ description: "Theirs." }),
      currency: z.string(),
      kind: z.enum(["CASH_IN", "CASH_OUT", "CASH_PICKUP"]),
      count: integer,
      totalAmount: decimalText,
      approved: integer.meta({ description: "Of them with a manager's word." }),
    })
    .meta({ id: "CashSum" }),
  {
    count: { from: ({ count }) => BigInt(count), to: (count) => ({ count: Number(count) }) },
    totalAmount: { minor: "totalMinor" },
    approved: { from: ({ approved }) => BigInt(approved), to: (approved) => ({ approved: Number(approved) }) },
  },
);

export const AnalyticsRow = shape(
  wire.AnalyticsRow,
  z
    .object({
      date: shown(z.string(), "2026-11-21"),
      originCountry: leaf.originCountry,
      receivingCountry: z.string(),
      type: deliveryMethod,
      status: shown(z.string(), "COMPLETED"),
      count: integer,
      sendCurrency: z.string(),
      principalAmount: leaf.sendAmount,
      fees: leaf.fee,
      taxes: leaf.tax,
      receivingCurrency: leaf.receivingCurrency,
      amount: leaf.receiveAmount,
    })
    .meta({ id: "AnalyticsRow" }),
  {
    sendCurrency: "principal.currency",
    principalAmount: "principal",
    fees: inPrincipal("feesMinor"),
    taxes: inPrincipal("taxesMinor"),
    receivingCurrency: "received.currency",
    amount: "received",
  },
);
