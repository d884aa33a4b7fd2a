import { z } from "zod";
import * as wire from "../../../../proto/gen/remittance/v1/remittance.js";
import { shape } from "./codec.js";
import { decimalText, instant, shown } from "./schema.js";
import { moneyText } from "./wire.js";
import * as leaf from "./leaves.js";

/** How a payout has ended, as a person says. */
export const PayoutOutcome = shape(
  wire.PayoutOutcome,
  z
    .object({
      id: shown(z.string(), "0199d0c2-0000-7000-8000-003eb5c5eaac"),
      outcome: z.string().meta({ examples: ["PAID"], description: "PAID, REFUSED or RETURNED." }),
      kept: decimalText.optional().meta({ description: "What a bank kept, in the receiving currency." }),
      reason: leaf.reason,
      askedBy: leaf.userId,
      askedAt: instant,
      approvalId: z.string().optional(),
    })
    .meta({ id: "PayoutOutcome" }),
  // It names no currency, so no message can be made of it.
  { id: "outcomeId", kept: ({ kept }) => kept && moneyText(kept, "outcome.kept") },
);

/** Why a payout waits for a person. */
export const PayoutUnclear = shape(
  wire.PayoutUnclear,
  z
    .object({
      said: z.string().meta({ description: "What the partner said that ends nothing." }),
      since: instant,
      asked: PayoutOutcome.optional().meta({ description: "What one person says, while it waits for another one." }),
    })
    .meta({ id: "PayoutUnclear" }),
);
