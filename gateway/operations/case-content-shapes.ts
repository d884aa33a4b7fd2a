import { z } from "zod";
import * as wire from "../../proto/gen/compliance/v1/screening.js";
import { decisions } from "../../services/platform/events/shapes/customer-compliance-shape.js";
import { readerOf, shape } from "../codec.js";
import { decimalText, instant } from "../schema.js";
import { HitPart, hitStates, ScreeningSubject, screeningSources } from "./screening-shapes.js";

export const nameStates = ["KNOWN", "ERASED", "UNKNOWN"] as const;

export const nameOut = z
  .string()
  .optional()
  .meta({ description: "As they were compared last; absent where nobody has it." });

export const nameStateOut = z.enum(nameStates).meta({
  description: "ERASED: the time for which the name had to be kept is over. UNKNOWN: nobody has told one yet.",
});

/** A hit with what it is judged by, where many stand beside each other. */
export const HitSummary = shape(
  wire.HitSummary,
  z
    .object({
      screeningId: z.string(),
      hitId: z.string(),
      subject: ScreeningSubject,
      screenedAt: instant,
      policyVersion: z.number().int().meta({ description: "Of the screening policy; 0 for the platform's own." }),
      source: z.enum(screeningSources),
      listVersion: z.number().int().optional(),
      entryId: z.string(),
      matchedName: z.string(),
      score: z.number().int().meta({ description: "Per mille: the effects of the parts add up to it." }),
      parts: z.array(HitPart),
      state: z.enum(hitStates),
    })
    .meta({ id: "ScreeningHitSummary" }),
);

/** A transaction as an officer judges it. */
export const CaseTransaction = shape(
  wire.CaseTransaction,
  z
    .object({
      transactionId: z.string(),
      transactionCode: z.string().optional(),
      customerId: z.string(),
      operation: z.string().meta({ description: "REMITTANCE, WALLET_PAYMENT, LOAN_APPLICATION or INVESTMENT" }),
      amount: decimalText,
      currency: z.string(),
      originCountry: z.string(),
      receivingCountry: z.string(),
      receivingCurrency: z.string(),
      recipient: z.string().optional().meta({ description: "The recipient's code, or the customer who is paid." }),
      recipientName: z.string().optional().meta({ description: "As the transaction keeps it." }),
      askedAt: instant.meta({ description: "When compliance was asked first." }),
      decision: z.enum(decisions),
      reasonCode: z.string().optional(),
      decidedBy: z.string().meta({ description: "User id, or rules." }),
      decidedAt: instant,
      status: z.string().optional().meta({
        description:
          "Where a remittance stands, BLOCKED included. Absent of everything else, and where it cannot be told now.",
      }),
      statusSince: instant.optional(),
    })
    .meta({ id: "ComplianceCaseTransaction" }),
  { amount: "amount", currency: "amount.currency" },
);

export const caseTransactionFromWire = readerOf(CaseTransaction);
export const hitSummaryFromWire = readerOf(HitSummary);
