import { z } from "zod";
import type { StatementEntry as WireEntry } from "../../../../proto/gen/wallet/v1/statements.js";
import { decimalText, instant, integer, shown } from "./schema.js";
import { absentIfEmpty, moneyText, timeText } from "./wire.js";
import * as leaf from "./leaves.js";

/** What moved money in a wallet. */
export const StatementEntry = z
  .object({
    entryId: leaf.ledgerEntryId,
    type: z.enum(["DEBIT", "CREDIT"]).meta({ description: "CREDIT came in, DEBIT went out." }),
    amount: leaf.sendAmount.meta({ description: "Unsigned." }),
    balance: shown(decimalText, "4980.00").meta({ description: "Of the wallet after it." }),
    currency: z.string(),
    kind: shown(z.string(), "wallet_payment"),
    description: shown(z.string(), "Payment of transaction MN01X7A89PGR").optional(),
    executedAt: instant,
    effectiveAt: instant,
    interactionId: leaf.interactionId,
    sequence: integer,
  })
  .meta({ id: "StatementEntry" });

export function statementEntryFromWire(entry: WireEntry): z.output<typeof StatementEntry> {
  const { currency = "" } = entry.amount ?? {};
  return {
    entryId: entry.entryId,
    type: entry.side === "DEBIT" ? "DEBIT" : "CREDIT",
    amount: moneyText(entry.amount, "entry.amount"),
    balance: moneyText({ amountMinor: entry.balanceMinor, currency }, "entry.balance"),
    currency,
    kind: entry.kind,
    description: absentIfEmpty(entry.description),
    executedAt: timeText(entry.executedAt, "entry.executed_at"),
    effectiveAt: timeText(entry.effectiveAt, "entry.effective_at"),
    interactionId: entry.interactionId,
    sequence: entry.sequence,
  };
}
