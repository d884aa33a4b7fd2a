import { z } from "zod";
import * as wire from "../../proto/gen/compliance/v1/compliance.js";
import { CustomerStanding } from "../../services/platform/events/shapes/customer-compliance-shape.js";
import { asMoney, enumOf, shape } from "../codec.js";
import { idIn } from "../operations/cursor-pages.js";
import { countryIn, currencyCode, decimalText, instant, maybe, text } from "../schema.js";
import { Amount } from "./amount.js";
import { HitSummary, nameOut, nameStates } from "./cases.js";

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
      verified: z.boolean().meta({ description: "Whether the requirement was marked fulfilled." }),
      rawProviderResponse: z.string().meta({ description: "As the verification provider answered." }),
    })
    .meta({ id: "ContactVerification" }),
);

export const ConfirmedContact = z
  .object({ requirement: z.string(), status: requirementState })
  .meta({ id: "ConfirmedContact" });

export const RiskScore = shape(
  wire.RiskScore,
  z
    .object({
      sequence: z.number().int(),
      score: z.number().int().meta({ minimum: 0, maximum: 100 }),
      profile: z.enum(["LOW", "MEDIUM", "HIGH"]),
      decision,
      policyVersion: z.number().int(),
      cause: z.string().optional(),
      at: instant.optional(),
      factors: z.array(
        z.object({
          name: z.string(),
          weight: z.number().int().meta({ description: "Percent." }),
          value: z.number().int().meta({ minimum: 0, maximum: 100 }),
          points: z.number().int().meta({ description: "weight × value: hundredths of a point of the score." }),
          explanation: z.string(),
        }),
      ),
    })
    .meta({ id: "RiskScore" }),
);

export const CustomerCompliance = shape(
  wire.CustomerCompliance,
  CustomerStanding.extend({
    reason: z.string().optional(),
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
    remittancePurpose: maybe(text(256, 0)),
    sourceOfFunds: maybe(text(256, 0)),
    recipientCode: maybe(text(128, 0)),
  })
  .meta({ id: "PreTransactionChecklistRequest" });

export const Checklist = shape(
  wire.GetChecklistResponse,
  z
    .object({
      decision,
      reasonCode: z.string().optional(),
      message: z.string().optional(),
      status: enumOf(wire.CustomerStatus),
      items: z.array(
        shape(
          wire.ChecklistItem,
          z.object({
            requirement: z.string(),
            status: requirementState,
            inReview: z.boolean(),
            origin: z.string().meta({ description: "KYC or TRANSACTION." }),
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
          requirement: z.string(),
          action: z.string().meta({
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
      customerId: z.string(),
      requirement: z.string(),
      status: enumOf(wire.DocumentState),
      fileName: z.string(),
      contentType: z.string().meta({ description: "By its content: application/pdf, image/jpeg or image/png." }),
      sizeBytes: z.number().int(),
      sha256: z.string(),
      submittedAt: instant,
      submittedBy: z.string(),
      reviewedAt: instant.optional(),
      reviewedBy: z.string().optional(),
      reason: z.string().optional(),
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
      transactionId: z.string(),
      customerId: z.string(),
      amount: decimalText,
      currency: z.string(),
      originCountry: z.string(),
      receivingCountry: z.string(),
      operation: moves,
      decision,
      matchedRules: z.array(z.string()),
      outstandingRequirements: z.array(z.string()),
      policyVersion: z.number().int(),
      decidedAt: instant,
      reason: z.enum(reviewReasons).meta({ description: "Why it waits; for officers, and told to nobody else." }),
      screeningIds: z.array(z.string()).meta({ description: "Of SCREENING_HIT: what has to be decided first." }),
      caseId: z.string().optional().meta({ description: "Absent for the moment until it has joined one." }),
      caseAssignee: z.string().optional().meta({ description: "Who works the case; absent where nobody does." }),
      customerName: nameOut,
      customerNameState: z.enum(nameStates),
      recipient: z.string().optional().meta({ description: "The recipient's code, or the customer who is paid." }),
      recipientName: nameOut,
      hits: z.array(HitSummary).meta({ description: "The five that matter most, undecided ones first." }),
    })
    .meta({ id: "ComplianceReview" }),
  amountFields,
);

/** What a decision on a review comes to. */
export const Decided = shape(wire.DecideReviewResponse, z.object({ decision }));

export const ReviewDecision = z.object({ transactionId: z.string(), ...Decided.shape }).meta({ id: "ReviewDecision" });

export const overridden = z.enum(["CONFIRMED", "BLOCKED"]);

export const ComplianceOverride = shape(
  wire.Override,
  z
    .object({
      overrideId: z.string().meta({ description: "Of the approval by which another MANAGER agrees or refuses." }),
      customerId: z.string(),
      customerStatus: overridden,
      reason: z.string(),
      status: enumOf(wire.OverrideState),
      requestedBy: z.string(),
      requestedAt: instant,
      decidedBy: z.string().optional(),
      decidedAt: instant.optional(),
      decisionReason: z.string().optional(),
    })
    .meta({ id: "ComplianceOverride" }),
  { customerStatus: "status", status: "state" },
);

export const ComplianceAuditEntry = shape(
  wire.AuditEntry,
  z
    .object({
      entryId: z.string(),
      at: instant,
      actor: z.string(),
      role: z.string().optional(),
      action: z.string(),
      subject: z.string(),
      subjects: z.array(z.string()).meta({ description: "All that it is about; each of them finds it." }),
      reason: z.string().optional(),
      content: z.string().meta({ description: "JSON text: what was decided." }),
      interactionId: z.string(),
    })
    .meta({ id: "ComplianceAuditEntry" }),
);
