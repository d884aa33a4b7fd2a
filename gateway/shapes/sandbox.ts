import { z } from "zod";
import { TenantClock } from "../../proto/gen/identity/v1/identity.js";
import * as wire from "../../proto/gen/sandbox/v1/sandbox.js";
import { outcomesOf, type OutcomeKind } from "../../services/platform/sandbox/sandbox-outcomes.js";
import { shape } from "../codec.js";
import { instant, shown } from "../schema.js";
import * as leaf from "../../services/platform/events/shapes/leaves.js";

export const BusinessClock = shape(
  TenantClock,
  z
    .object({
      businessTime: instant.meta({ description: "What time it is for the organisation's business." }),
      businessDate: z.string().meta({ format: "date", description: "The day of businessTime in timeZone." }),
      timeZone: leaf.timeZone,
      sandbox: z.boolean(),
    })
    .meta({ id: "BusinessClock" }),
);

export const outcomeKinds = Object.keys(outcomesOf) as [OutcomeKind, ...OutcomeKind[]];
const int64 = { type: "integer", format: "int64" } as const;
const whole = z.number().meta({ override: int64 });

export const Outcome = shape(
  wire.Outcome,
  z
    .object({
      outcomeId: z.string(),
      of: z.enum(outcomeKinds),
      outcome: shown(z.string(), "RETURN"),
      subject: leaf.transactionId.optional().meta({ description: "Absent where it is for the next one." }),
      times: whole
        .optional()
        .meta({ override: int64, description: "How often it still holds; absent until it is cleared." }),
      settleMs: shown(whole, 1000).optional(),
      delayMs: shown(whole, 0).optional(),
      reason: leaf.reason.optional(),
      kept: shown(z.string(), "1.00").optional(),
    })
    .meta({ id: "ForcedOutcome" }),
);

export const SandboxMessage = shape(
  wire.SentMessage,
  z
    .object({
      reference: leaf.reference,
      channel: z.enum(["EMAIL", "SMS"]),
      to: leaf.email,
      subject: shown(z.string(), "Your code"),
      text: shown(z.string(), "Your code is 481902."),
      code: shown(z.string(), "481902")
        .optional()
        .meta({ description: "The code of six digits that the text carries, where it does." }),
      sentAt: instant,
    })
    .meta({ id: "SandboxMessage" }),
);
