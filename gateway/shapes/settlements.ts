import { z } from "zod";
import * as money from "../../proto/gen/common/v1/money.js";
import * as wire from "../../proto/gen/ledger/v1/settlements.js";
import * as leaf from "../../services/platform/events/shapes/leaves.js";
import { date } from "../../services/platform/events/shapes/schema.js";
import { enumOf, shape } from "../codec.js";
import {
  currencyCode,
  decimalText,
  idIn,
  instant,
  integer,
  maybe,
  moneyTextOrNumberIn,
  shown,
  text,
  dateIn,
} from "../schema.js";

const Cost = shape(
  money.Money,
  z.object({ amount: decimalText, currency: z.string() }).meta({ id: "SettlementCost" }),
  { amount: { minor: "amountMinor", currency: "currency" } },
);

const SettlementRefusal = shape(
  wire.SettlementRefusal,
  z.object({ code: shown(z.string(), "ABOVE_OWED"), message: z.string() }).meta({ id: "SettlementRefusal" }),
);

const SettlementReversal = shape(
  wire.SettlementReversal,
  z
    .object({
      reversalId: z.string(),
      status: z.enum(["PROPOSED", "APPROVED", "POSTED", "REFUSED"]),
      reason: z.string(),
      askedBy: leaf.userId,
      askedAt: instant,
      approvalId: z.string().optional(),
      transferIds: z.array(z.string()),
      postedAt: instant.optional(),
      refusal: SettlementRefusal.optional(),
    })
    .meta({ id: "SettlementReversal" }),
);

export const Settlement = shape(
  wire.Settlement,
  z
    .object({
      settlementId: z.string(),
      kind: enumOf(wire.SettlementKind),
      status: enumOf(wire.SettlementStatus).meta({
        description:
          "PROPOSING while its lines are taken, PROPOSED until a second person decides, APPROVED until it is posted.",
      }),
      accountId: z.string(),
      amount: decimalText.meta({ description: "Leaves the account." }),
      currency: z.string(),
      cost: Cost.meta({ description: "What moved at the bank." }),
      fee: decimalText.meta({ description: "In the currency of the cost: what the other side, or the bank, kept." }),
      bankAccountId: z.string(),
      valueDate: date,
      reference: z.string(),
      prefund: z.boolean(),
      note: z.string().optional(),
      lineCount: z.number().int(),
      linesThroughDate: date.optional(),
      askedBy: leaf.userId,
      askedAt: instant,
      approvalId: z.string().optional(),
      decidedBy: leaf.userId.optional(),
      transferIds: z.array(z.string()).meta({ description: "Of its transfers in the journal, once it is posted." }),
      postedAt: instant.optional(),
      refusal: SettlementRefusal.optional().meta({ description: "Why it is REFUSED." }),
      reversal: SettlementReversal.optional(),
    })
    .meta({ id: "Settlement" }),
  { currency: "amount.currency", fee: { minor: "feeMinor", currency: "cost.currency" } },
);

export const SettlementLine = shape(
  wire.SettlementLine,
  z
    .object({
      transferId: z.string(),
      amount: decimalText.meta({ description: "Above zero for what the account grew by." }),
      currency: z.string(),
      sequence: integer.meta({ description: "Of its transfer in the journal." }),
      date: date.meta({ description: "The business day that it counts for." }),
    })
    .meta({ id: "SettlementLine" }),
  { currency: "amount.currency" },
);

const approvalStatus = shown(z.string(), "PENDING").meta({ description: "PENDING until a second person decides." });

export const AskedSettlement = z.object({ settlement: Settlement, approvalStatus }).meta({ id: "AskedSettlement" });

export const SettlementRequest = z
  .object({
    kind: z.enum(["PARTNER", "ACQUIRER", "MERCHANT", "TAX", "BANK", "OTHER"]),
    accountId: idIn,
    amount: moneyTextOrNumberIn,
    currency: currencyCode,
    cost: z.object({ amount: moneyTextOrNumberIn, currency: currencyCode }),
    fee: maybe(moneyTextOrNumberIn).meta({ description: "In the currency of the cost; nothing when absent." }),
    bankAccountId: idIn,
    valueDate: dateIn.meta({ description: "A day of the organisation's that is not closed, and not after today." }),
    reference: text(64),
    lines: maybe(
      z.object({
        transferIds: maybe(z.array(z.string()).max(1_000)),
        throughDate: maybe(dateIn).meta({ description: "All that is open to the end of this day, at most 100,000." }),
      }),
    ).meta({ description: "The transfers that are settled: their sum is the amount." }),
    prefund: maybe(z.boolean()).meta({ description: "More than is owed may be paid." }),
    note: maybe(text(300, 0)),
  })
  .meta({ id: "SettlementRequest" });
