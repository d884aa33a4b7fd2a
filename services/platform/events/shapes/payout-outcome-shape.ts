import { z } from "zod";
import type {
  PayoutOutcome as WireOutcome,
  PayoutUnclear as WireUnclear,
} from "../../../../proto/gen/remittance/v1/remittance.js";
import { decimalText, instant } from "./schema.js";
import { absentIfEmpty, moneyText, timeText } from "./wire.js";

/** How a payout has ended, as a person says. */
export const PayoutOutcome = z
  .object({
    id: z.string(),
    outcome: z.string().meta({ examples: ["PAID"], description: "PAID, REFUSED or RETURNED." }),
    kept: decimalText.optional().meta({ description: "What a bank kept, in the receiving currency." }),
    reason: z.string(),
    askedBy: z.string(),
    askedAt: instant,
    approvalId: z.string().optional(),
  })
  .meta({ id: "PayoutOutcome" });

/** Why a payout waits for a person. */
export const PayoutUnclear = z
  .object({
    said: z.string().meta({ description: "What the partner said that ends nothing." }),
    since: instant,
    asked: PayoutOutcome.optional().meta({ description: "What one person says, while it waits for another one." }),
  })
  .meta({ id: "PayoutUnclear" });

export function payoutOutcomeFromWire(wire: WireOutcome): z.output<typeof PayoutOutcome> {
  const { outcomeId: id, outcome, kept, reason, askedBy } = wire;
  return {
    id,
    outcome,
    kept: kept && moneyText(kept, "outcome.kept"),
    reason,
    askedBy,
    askedAt: timeText(wire.askedAt, "outcome.asked_at"),
    approvalId: absentIfEmpty(wire.approvalId),
  };
}

export function payoutUnclearFromWire({ said, since, asked }: WireUnclear): z.output<typeof PayoutUnclear> {
  return {
    said,
    since: timeText(since, "payout_unclear.since"),
    asked: asked && payoutOutcomeFromWire(asked),
  };
}
