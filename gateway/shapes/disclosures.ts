import { z } from "zod";
import * as wire from "../../proto/gen/remittance/v1/disclosure.js";
import { OtherFee } from "../../services/platform/events/shapes/transaction-shape.js";
import * as leaf from "../../services/platform/events/shapes/leaves.js";
import { beside, shape, writerOf } from "../codec.js";
import { approvalField, decimalText, maybe, maybeReasonIn, shown, text, waiting, wholeNumberIn } from "../schema.js";

const profile = z.enum(["GENERIC", "US_BSA", "EU_TFR", "UK_FTR"]);
const kind = z.enum(["PREPAYMENT", "RECEIPT"]);
const language = shown(z.string(), "en").meta({ description: "ISO 639." });

export const disclosureQuery = z.object({
  format: z.enum(["json", "pdf"]).optional(),
  language: text(8).optional().meta({ description: "ISO 639; the sender's, or else the organisation's, when absent." }),
});

const DisclosedFee = shape(
  wire.DisclosedFee,
  z
    .object({ name: shown(z.string(), "Transfer fee"), amount: leaf.fee, taxAmount: leaf.tax, currency: z.string() })
    .meta({ id: "DisclosedFee" }),
  { currency: "amount.currency", taxAmount: { minor: "taxMinor", currency: "amount.currency" } },
);

const DisclosedOtherFee = shape(wire.DisclosedFee, z.object(OtherFee.shape).meta({ id: "DisclosedOtherFee" }), {
  currency: "amount.currency",
});

const DisclosureLine = shape(
  wire.DisclosureLine,
  z.object({
    name: shown(z.string(), "totalToRecipient"),
    label: shown(z.string(), "Total to recipient"),
    value: shown(z.string(), "152,425.00 NGN"),
    isSum: z.boolean(),
  }),
);

const DisclosureSection = shape(
  wire.DisclosureSection,
  z.object({ title: shown(z.string(), "Right to cancel").optional(), texts: z.array(leaf.description) }),
);

const sent = <Field extends string>(field: Field) => ({ field, currency: "transferAmount.currency" }) as const;
const received = <Field extends string>(field: Field) => ({ field, currency: "transferredAmount.currency" }) as const;

export const Disclosure = shape(
  wire.Disclosure,
  z
    .object({
      kind,
      profile: profile.meta({ description: "Whose law says what is told; GENERIC where none is set for the origin." }),
      templateVersion: z.int().meta({ description: "0: everything as shipped." }),
      language,
      languages: z.array(language).meta({ description: "That it can be read in." }),
      organisation: shown(z.string(), "Manilla Demo"),
      title: shown(z.string(), "Information before you pay"),
      transferAmount: leaf.sendAmount,
      sendCurrency: z.string(),
      fees: z.array(DisclosedFee),
      totalFees: leaf.fee,
      totalTaxes: leaf.tax,
      totalAmount: leaf.totalAmount.meta({ description: "What the sender pays: transferAmount, fees and taxes." }),
      exchangeRate: leaf.exchangeRate.meta({ description: "That the amounts were worked out with." }),
      shownRate: shown(z.string(), "1 USD = 1,525.75 NGN").meta({ description: "With two to four decimals." }),
      transferredAmount: leaf.receiveAmount.meta({ description: "transferAmount in receivingCurrency." }),
      receivingCurrency: leaf.receivingCurrency,
      otherFees: z.array(DisclosedOtherFee),
      totalOtherFees: shown(decimalText, "150.00"),
      totalToRecipient: leaf.receiveAmount.meta({ description: "transferredAmount less otherFees." }),
      availableOn: shown(z.string(), "2026-11-24"),
      lines: z.array(DisclosureLine).meta({ description: "As they are printed, in the language." }),
      sections: z.array(DisclosureSection).meta({ description: "Notes, rights and contacts below the lines." }),
      cashReceived: shown(z.string(), "Cash received").meta({ description: "A counter's label, in the language." }),
      cashChange: shown(z.string(), "Change").meta({ description: "A counter's label, in the language." }),
    })
    .meta({ id: "Disclosure" }),
  {
    sendCurrency: "transferAmount.currency",
    totalFees: sent("totalFees"),
    totalTaxes: sent("totalTaxes"),
    totalAmount: sent("totalAmount"),
    receivingCurrency: "transferredAmount.currency",
    totalOtherFees: received("totalOtherFees"),
    totalToRecipient: received("totalToRecipient"),
  },
);

const contactIn = z.object({
  name: maybe(text(100, 0)),
  phone: maybe(text(60, 0)),
  email: maybe(text(100, 0)),
  website: maybe(text(100, 0)),
  address: maybe(text(200, 0)),
});
const ContactIn = shape(wire.DisclosureContact, contactIn.meta({ id: "DisclosureContactRequest" }));

const TextsIn = shape(
  wire.DisclosureTexts,
  z.object({ language: text(8), texts: z.array(z.object({ name: text(40), text: text(1_000, 0) })).max(60) }),
);

const Draft = shape(
  wire.DisclosureTemplate,
  z.object({
    operator: maybe(ContactIn).meta({ description: "Its name is the organisation's when absent." }),
    authorities: maybe(z.array(ContactIn).max(3)).meta({ description: "Before those that the profile always names." }),
    languages: maybe(z.array(TextsIn).max(20)).meta({
      description: "What is said in place of the shipped texts; a language that none are shipped in has all of them.",
    }),
    version: wholeNumberIn(0, 1_000_000).meta({ description: "That was read." }),
  }),
);

export const disclosurePath = z.object({ profile: text(20) });

export const draftOf = writerOf(Draft);

export const DisclosureTemplateRequest = Draft.extend({
  reason: maybeReasonIn.meta({ description: "Told to whoever approves it." }),
}).meta({ id: "DisclosureTemplateRequest" });

export const DisclosurePreviewRequest = Draft.extend({ kind: maybe(kind), language: maybe(text(8)) }).meta({
  id: "DisclosurePreviewRequest",
});

const Contact = shape(
  wire.DisclosureContact,
  z
    .object({
      name: shown(z.string(), "Consumer Protection Office").optional(),
      phone: shown(z.string(), "+1 800 555 0100").optional(),
      email: leaf.email.optional(),
      website: shown(z.string(), "bank.example").optional(),
      address: shown(z.string(), "1 Main Street, Springfield").optional(),
    })
    .meta({ id: "DisclosureContact" }),
);

const Texts = shape(
  wire.DisclosureTexts,
  z.object({
    language,
    texts: z.array(z.object({ name: shown(z.string(), "total"), text: shown(z.string(), "Total") })),
  }),
);

export const DisclosureTemplate = shape(
  wire.DisclosureTemplate,
  z
    .object({
      profile,
      operator: Contact,
      authorities: z.array(Contact),
      languages: z.array(Texts),
      version: z.int().meta({ description: "0: everything as shipped." }),
      shipped: z.array(Texts).meta({ description: "The texts that everybody starts with." }),
    })
    .meta({ id: "DisclosureTemplate" }),
);

export const ChangedDisclosureTemplate = beside(
  wire.PutDisclosureTemplateResponse,
  "template",
  DisclosureTemplate,
  DisclosureTemplate.extend({ approval: waiting("what held holds (version 0: as shipped)") }).meta({
    id: "ChangedDisclosureTemplate",
    description: "What holds now.",
  }),
  approvalField,
);
