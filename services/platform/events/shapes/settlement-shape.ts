import { z } from "zod";
import * as money from "../../../../proto/gen/common/v1/money.js";
import * as wire from "../../../../proto/gen/ledger/v1/settlements.js";
import { shape } from "./codec.js";
import { enumOf } from "./leaf-codecs.js";
import { date, decimalText, instant, shown } from "./schema.js";
import * as leaf from "./leaves.js";

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

/** What two sides paid each other, as managers read it. */
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
