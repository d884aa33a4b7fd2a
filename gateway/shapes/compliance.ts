import { z } from "zod";
import * as wire from "../../proto/gen/compliance/v1/compliance.js";
import { CustomerStanding } from "../../services/platform/events/shapes/customer-compliance-shape.js";
import { asMoney, enumOf, shape } from "../codec.js";
import { idIn, countryIn, currencyCode, decimalText, instant, maybe, text, shown } from "../schema.js";
import { HitSummary, nameOut, nameStates } from "./cases.js";
import * as leaf from "../../services/platform/events/shapes/leaves.js";
import { Money } from "../../proto/gen/common/v1/money.js";

/** Money with its currency, as an object of its own. */
export const Amount = shape(Money, z.object({ amount: decimalText, currency: z.string() }), {
  amount: { minor: "amountMinor", currency: "currency" },
});

const amountGiven = decimalText.refine((amount) => !amount.startsWith("-"), "must not be negative");
export const amountMembers = { amount: amountGiven, currency: currencyCode };
export const AmountIn = shape(Money, z.object(amountMembers), {
  amount: { minor: "amountMinor", currency: "currency" },
});

const decision = enumOf(wire.Decision);
const requirementState = enumOf(wire.RequirementState);
export const contactType = enumOf(wire.ContactType);
const amountFields = { amount: "amount", currency: "amount.currency" } as const;
const moves = z.string().meta({ description: "REMITTANCE, WALLET_PAYMENT, LOAN_APPLICATION or INVESTMENT" });

export const ContactVerification = shape(
  wire.VerifyContactResponse,
  z
    .object({
      type: contactType,
      verified: leaf.no.meta({ description: "Whether the requirement was marked fulfilled." }),
      rawProviderResponse: shown(z.string(), "").meta({ description: "As the verification provider answered." }),
    })
    .meta({ id: "ContactVerification" }),
);

export const ConfirmedContact = z
  .object({ requirement: leaf.requirement, status: requirementState })
  .meta({ id: "ConfirmedContact" });

export const RiskScore = shape(
  wire.RiskScore,
  z
    .object({
      sequence: z.number().int(),
      score: shown(z.number().int(), 35).meta({ minimum: 0, maximum: 100 }),
      profile: z.enum(["LOW", "MEDIUM", "HIGH"]),
      decision,
      policyVersion: z.number().int(),
      cause: shown(z.string(), "EMAIL verified").optional(),
      at: instant.optional(),
      factors: z.array(
        z.object({
          name: shown(z.string(), "COUNTRY"),
          weight: shown(z.number().int(), 25).meta({ description: "Percent." }),
          value: shown(z.number().int(), 20).meta({ minimum: 0, maximum: 100 }),
          points: shown(z.number().int(), 5).meta({
            description: "weight × value: hundredths of a point of the score.",
          }),
          explanation: shown(z.string(), "as the risk model weighs the country"),
        }),
      ),
    })
    .meta({ id: "RiskScore" }),
);

export const CustomerCompliance = shape(
  wire.CustomerCompliance,
  CustomerStanding.extend({
    reason: leaf.reason.optional(),
    risk: RiskScore.optional().meta({ description: "For staff only." }),
  }).meta({ id: "CustomerCompliance" }),
);

export const ChecklistRequest = z
  .object({
    customerId: maybe(idIn).meta({ description: "A customer is themself." }),
    amount: asMoney(z.string().regex(/^(0|[1-9]\d{0,18})(\.\d{1,4})?$/, "must be a decimal such as 25.00")),
    currency: currencyCode,
    originCountry: countryIn,
    receivingCountry: countryIn,
    receivingCurrency: maybe(currencyCode),
    remittancePurpose: maybe(text(140, 0)),
    sourceOfFunds: maybe(text(140, 0)),
    recipientCode: maybe(text(128, 0)),
  })
  .meta({ id: "PreTransactionChecklistRequest" });

export const Checklist = shape(
  wire.GetChecklistResponse,
  z
    .object({
      decision,
      reasonCode: shown(z.string(), "REQUIREMENTS").optional(),
      message: shown(z.string(), "documents are outstanding").optional(),
      status: enumOf(wire.CustomerStatus),
      items: z.array(
        shape(
          wire.ChecklistItem,
          z.object({
            requirement: leaf.requirement,
            status: requirementState,
            inReview: z.boolean(),
            origin: shown(z.string(), "KYC").meta({ description: "KYC or TRANSACTION." }),
          }),
          { status: "state" },
        ),
      ),
      leftToday: Amount.optional().meta({ description: "What the daily limit leaves, where there is one." }),
    })
    .meta({ id: "PreTransactionChecklist" }),
);

export const ComplianceActions = shape(
  wire.InitiateComplianceActionResponse,
  z
    .object({
      actions: z.array(
        z.object({
          requirementId: z.string(),
          requirement: leaf.requirement,
          action: shown(z.string(), "LINK_SENT").meta({
            description: "LINK_SENT, CODE_SENT, EXTERNAL_VERIFICATION, SUBMIT_DOCUMENT, IN_REVIEW or NO_CONTACT.",
          }),
          expiresAt: instant.optional(),
        }),
      ),
    })
    .meta({ id: "ComplianceActions" }),
);

export const ComplianceDocument = shape(
  wire.Document,
  z
    .object({
      documentId: z.string(),
      customerId: leaf.customerId,
      requirement: leaf.requirement,
      status: enumOf(wire.DocumentState),
      fileName: shown(z.string(), "passport.pdf"),
      contentType: shown(z.string(), "application/pdf").meta({
        description: "By its content: application/pdf, image/jpeg or image/png.",
      }),
      sizeBytes: shown(z.number().int(), 9),
      sha256: leaf.sha256,
      submittedAt: instant,
      submittedBy: leaf.userId,
      reviewedAt: instant.optional(),
      reviewedBy: leaf.userId.optional(),
      reason: leaf.reason.optional(),
    })
    .meta({ id: "ComplianceDocument" }),
  { status: "state" },
);

const reviewReasons = [
  "SCREENING_HIT",
  "SCREENING_UNAVAILABLE",
  "PARTIES_UNKNOWN",
  "RULE",
  "NO_POLICY",
  "DOCUMENTS",
  "CUSTOMER_NOT_CONFIRMED",
  "FORCED",
] as const;

export const ComplianceReview = shape(
  wire.Review,
  z
    .object({
      transactionId: leaf.transactionId,
      customerId: leaf.customerId,
      amount: decimalText,
      currency: z.string(),
      originCountry: leaf.originCountry,
      receivingCountry: z.string(),
      operation: shown(moves, "REMITTANCE"),
      decision,
      matchedRules: z.array(leaf.ruleId),
      outstandingRequirements: z.array(leaf.requirement),
      policyVersion: z.number().int(),
      decidedAt: instant,
      reason: z.enum(reviewReasons).meta({ description: "Why it waits; for officers, and told to nobody else." }),
      screeningIds: z.array(z.string()).meta({ description: "Of SCREENING_HIT: what has to be decided first." }),
      caseId: z.string().optional().meta({ description: "Absent for the moment until it has joined one." }),
      caseAssignee: z.string().optional().meta({ description: "Who works the case; absent where nobody does." }),
      customerName: shown(nameOut, "Amina Bello"),
      customerNameState: z.enum(nameStates),
      recipient: leaf.recipientCode
        .optional()
        .meta({ description: "The recipient's code, or the customer who is paid." }),
      recipientName: shown(nameOut, "Chidi Okafor"),
      hits: z.array(HitSummary).meta({ description: "The five that matter most, undecided ones first." }),
    })
    .meta({ id: "ComplianceReview" }),
  amountFields,
);

/** What a decision on a review comes to. */
export const Decided = shape(wire.DecideReviewResponse, z.object({ decision }));

export const ReviewDecision = z
  .object({ transactionId: leaf.transactionId, ...Decided.shape })
  .meta({ id: "ReviewDecision" });

export const overridden = z.enum(["CONFIRMED", "BLOCKED"]);

export const ComplianceOverride = shape(
  wire.Override,
  z
    .object({
      overrideId: z.string().meta({ description: "Of the approval by which another MANAGER agrees or refuses." }),
      customerId: leaf.customerId,
      customerStatus: overridden,
      reason: leaf.reason,
      status: enumOf(wire.OverrideState),
      requestedBy: leaf.userId,
      requestedAt: instant,
      decidedBy: leaf.userId.optional(),
      decidedAt: instant.optional(),
      decisionReason: leaf.reason.optional(),
    })
    .meta({ id: "ComplianceOverride" }),
  { customerStatus: "status", status: "state" },
);

export const ComplianceAuditEntry = shape(
  wire.AuditEntry,
  z
    .object({
      entryId: shown(z.string(), "0199d0c2-7e10-7b3a-9c55-4d2f8a6b1e07"),
      at: instant,
      actor: leaf.userId,
      role: shown(z.string(), "MANAGER").optional(),
      action: shown(z.string(), "policy.publish"),
      subject: shown(z.string(), "policy"),
      subjects: z.array(z.string()).meta({ description: "All that it is about; each of them finds it." }),
      reason: leaf.reason.optional(),
      content: shown(z.string(), '{"version":2}').meta({ description: "JSON text: what was decided." }),
      interactionId: leaf.interactionId,
    })
    .meta({ id: "ComplianceAuditEntry" }),
);
