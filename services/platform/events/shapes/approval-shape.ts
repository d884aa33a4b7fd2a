import { z } from "zod";
import * as wire from "../../../../proto/gen/identity/v1/approvals.js";
import { effectKinds } from "../../approvals/approval-effects.js";
import { readerOf, shape } from "./codec.js";
import { decimalText, instant, shown } from "./schema.js";
import * as leaf from "./leaves.js";

const amountFields = { amount: "amount", currency: "amount.currency" } as const;

export const approvalStatuses = ["PENDING", "APPROVED", "REFUSED", "EXPIRED"] as const;

const ApprovalChange = shape(
  wire.ApprovalChange,
  z
    .object({
      field: shown(z.string(), "selfRegistration").meta({
        description:
          "As the API names it, such as perPayment or fees.0.fixed; of one of several things with its name before it, USA-USD-NGA-NGN.minimumAmount.",
      }),
      before: shown(z.string(), "false").optional(),
      after: shown(z.string(), "true").optional(),
      currency: z.string().optional().meta({ description: "Of amounts." }),
    })
    .meta({ id: "ApprovalChange" }),
);

const ApprovalEffect = shape(
  wire.ApprovalEffect,
  z
    .object({
      kind: z.enum(effectKinds),
      subject: z.string().meta({ description: "What is touched, such as transaction:ID or wallet:ID." }),
      amount: decimalText.optional(),
      currency: z.string().optional(),
      change: ApprovalChange.optional().meta({ description: "Of what is set: one field." }),
    })
    .meta({ id: "ApprovalEffect" }),
  amountFields,
);

/** What an approval does, and with which digest that is approved. */
export const approvalEffects = {
  effects: z.array(ApprovalEffect).optional().meta({
    description:
      "What carrying it out does: as things stand while it is PENDING, and as it was approved after that. The first thousand. Absent while the service that carries it out is away, and where one person was enough.",
  }),
  effectCount: z.number().int().optional().meta({ description: "How many there are in all." }),
  digest: z.string().optional().meta({ description: "Over all of them; given back to approve just these." }),
  joined: z.array(ApprovalEffect).optional().meta({
    description:
      "What was carried out beyond what was approved: it had joined since, and went along. The first thousand.",
  }),
  joinedCount: z.number().int().optional().meta({ description: "How many joined in all." }),
};

/** What waits for a second person, or was decided. */
export const Approval = shape(
  wire.Approval,
  z
    .object({
      id: shown(z.string(), "0199d0c2-0000-7000-8000-00ce7d4f4ca9"),
      kind: z.string(),
      subject: z.string(),
      summary: leaf.description,
      amount: decimalText.optional(),
      currency: z.string().optional(),
      status: z.enum(approvalStatuses),
      askedBy: leaf.userId,
      askedBecause: leaf.reason,
      changes: z.array(ApprovalChange).optional().meta({
        description:
          "What differs once it is approved, as it was when it was asked for; the first hundred. Absent of what moves money and changes nothing else.",
      }),
      moreChanges: z.number().int().optional().meta({ description: "How many more there are than these." }),
      askedAt: instant,
      expiresAt: instant,
      decidedBy: leaf.userId.optional(),
      decidedBecause: leaf.reason.optional(),
      decidedAt: instant.optional(),
    })
    .meta({ id: "Approval" }),
  { id: "approvalId", ...amountFields },
);

const effectsOf = readerOf(z.array(ApprovalEffect));

/** Of an answer that has them. */
export function effectsFromWire({ effects, effectCount, digest, joined, joinedCount }: wire.Approval) {
  return {
    ...(digest !== "" && { effects: effectsOf(effects), effectCount, digest }),
    ...(joined.length > 0 && { joined: effectsOf(joined), joinedCount }),
  };
}
