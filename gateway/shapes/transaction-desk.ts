import { z } from "zod";
import * as wire from "../../proto/gen/remittance/v1/remittance.js";
import { PayoutOutcome } from "../../services/platform/events/shapes/payout-outcome-shape.js";
import { Refund, StoredTransaction } from "../../services/platform/events/shapes/transaction-shape.js";
import { shape } from "../codec.js";
import { cursorQuery, reasonIn, sizeOf } from "../operations/cursor-pages.js";
import { instant, maybe, moneyTextOrNumberIn, shown } from "../schema.js";
import { NamedLedgerEntry } from "./ledger.js";
import * as leaf from "../../services/platform/events/shapes/leaves.js";

export const TransactionStatusChange = z
  .object({ status: z.enum(["CANCELLED", "EXPIRED"]), reason: reasonIn })
  .meta({ id: "TransactionStatusChange" });

export const RefundRequest = z
  .object({
    amount: maybe(moneyTextOrNumberIn).meta({
      description: "In the sending currency; all that is left when absent.",
    }),
    reason: reasonIn,
    fromRecipient: maybe(z.boolean()).meta({
      description:
        "WALLET only: all of it is taken back from the recipient's wallet, where it is still there, and the sender gets all that was paid.",
    }),
  })
  .meta({ id: "RefundRequest" });

export const RequestedRefund = z
  .object({ refund: Refund, approvalStatus: shown(z.string(), "PENDING") })
  .meta({ id: "RequestedRefund" });

export const PayoutOutcomeRequest = z
  .object({
    outcome: z.enum(["PAID", "REFUSED", "RETURNED"]),
    kept: maybe(moneyTextOrNumberIn).meta({
      description:
        "With RETURNED: what a bank kept, in the receiving currency, at most what was paid out; nothing when absent.",
    }),
    reason: reasonIn,
  })
  .meta({ id: "PayoutOutcomeRequest" });

export const AskedPayoutOutcome = z
  .object({ outcome: PayoutOutcome, approvalStatus: shown(z.string(), "PENDING") })
  .meta({ id: "AskedPayoutOutcome" });

export const receiptQuery = z.object({ format: z.enum(["json", "pdf"]).optional() });

export const Receipt = shape(
  wire.GetReceiptResponse,
  z
    .object({ organisation: shown(z.string(), "Manilla Demo"), paidAt: instant, transaction: StoredTransaction })
    .meta({ id: "Receipt" }),
);

export const entriesQuery = cursorQuery.extend({
  size: sizeOf(100).meta({
    description: "Transfers that are looked for, 1 to 100; 100 when absent. A transfer has two entries.",
  }),
});

export const TransactionEntries = z.object({
  entries: z.array(NamedLedgerEntry).meta({
    description: "Of a page, in the journal's order. Requested refunds come last; cashiers see what they caused.",
  }),
  nextCursor: leaf.nextCursor.optional(),
});
