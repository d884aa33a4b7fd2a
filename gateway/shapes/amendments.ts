import { z } from "zod";
import * as wire from "../../proto/gen/remittance/v1/amendment.js";
import * as leaf from "../../services/platform/events/shapes/leaves.js";
import { shape } from "../codec.js";
import { instant, maybe, reasonIn, shown, text } from "../schema.js";
import { payeeCheckId } from "./payee-checks.js";

const NamesIn = shape(wire.RecipientName, z.object({ firstName: maybe(text(70, 0)), lastName: maybe(text(70, 0)) }));

const newNames = {
  recipient: maybe(NamesIn).meta({ description: "Whole, as it should have been; left out, it stays." }),
  accountHolderName: maybe(text(70, 0)).meta({
    description: "As creditParty has it under accountholdername or recipientname; left out, it stays.",
  }),
};
const eitherName = [{ required: ["recipient"] }, { required: ["accountHolderName"] }];

/** Names alone: amount, account and corridor have no place in it. */
export const AmendmentRequest = z
  .object({
    ...newNames,
    reason: reasonIn,
    payeeCheckId,
    password: maybe(text(1024, 0)).meta({ description: "Of a sender, with what they pay with. Staff need none." }),
    otp: maybe(text(64, 0)),
    pin: maybe(text(64, 0)),
  })
  .meta({
    id: "AmendmentRequest",
    description: "recipient or accountHolderName is required. Amount, account and corridor never change.",
    anyOf: eitherName,
  });

/** The same of names that a partner has already. */
export const TraceRequest = z
  .object({
    ...newNames,
    reason: reasonIn.meta({ description: "The partner reads it, in at most 140 characters: name nobody." }),
  })
  .meta({
    id: "TraceRequest",
    description: "recipient or accountHolderName is required. Amount, account and corridor never change.",
    anyOf: eitherName,
  });

const AmendedNames = shape(
  wire.AmendedNames,
  z
    .object({
      recipientName: leaf.recipientName,
      accountHolderName: leaf.recipientName
        .optional()
        .meta({ description: "Absent where the way of delivery names no holder." }),
    })
    .meta({ id: "AmendedNames" }),
);

export const Amendment = shape(
  wire.Amendment,
  z
    .object({
      amendmentId: z.string(),
      status: shown(z.string(), "APPLIED").meta({
        description: "ASKED, APPROVED (about to be carried out), APPLIED or REFUSED.",
      }),
      before: AmendedNames,
      after: AmendedNames,
      reason: shown(z.string(), "She has married"),
      askedBy: leaf.userId,
      askedAt: instant,
      approvalId: z.string().optional().meta({ description: "Of what staff ask for; absent where the sender amends." }),
      decidedBy: leaf.userId.optional(),
      appliedAt: instant.optional(),
      refusedBecause: z
        .string()
        .optional()
        .meta({ description: "Of REFUSED where no person has refused it: a code, such as STATE_CONFLICT." }),
    })
    .meta({ id: "Amendment" }),
);

export const AskedAmendment = shape(
  wire.AmendTransactionResponse,
  z
    .object({
      amendment: Amendment,
      approvalStatus: shown(z.string(), "PENDING")
        .optional()
        .meta({ description: "PENDING or APPROVED; absent where the sender amends." }),
    })
    .meta({ id: "AskedAmendment" }),
);

export const Trace = shape(
  wire.Trace,
  z
    .object({
      traceId: z.string().meta({ description: "The partner knows it as amendmentId." }),
      status: shown(z.string(), "DONE").meta({
        description:
          "ASKED: a second person or lists are asked, or a hit stands. SENT: the partner is asked until it says what came of it. DONE: the payout has the names. REFUSED: it stays as it was.",
      }),
      before: AmendedNames.meta({ description: "As the partner was told last." }),
      after: AmendedNames,
      reason: shown(z.string(), "The name was misspelled"),
      askedBy: leaf.userId,
      askedAt: instant,
      approvalId: z.string().optional(),
      approvedBy: leaf.userId.optional(),
      sentAt: instant.optional().meta({ description: "Before the partner was first asked." }),
      endedAt: instant.optional(),
      refusedBecause: z.string().optional().meta({
        description: "Of REFUSED where it was not the partner: NOT_APPROVED, or a code such as STATE_CONFLICT.",
      }),
      partnerReason: z.string().optional().meta({ description: "Of the partner's answer, at most 200 characters." }),
    })
    .meta({ id: "Trace" }),
);

export const AskedTrace = shape(
  wire.TraceTransactionResponse,
  z
    .object({
      trace: Trace,
      approvalStatus: shown(z.string(), "PENDING").meta({ description: "PENDING or APPROVED." }),
    })
    .meta({ id: "AskedTrace" }),
);
