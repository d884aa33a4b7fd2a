import { z } from "zod";
import { isCountry } from "../../kernel/codes/countries.js";
import { isLei } from "../../kernel/codes/lei.js";

// Who pays, who is paid and why, as an order of contract 2 tells a partner. Bounds are those of
// ISO 20022, so that nothing is ever cut on its way.

/** Most characters of each, as people count them and as ISO 20022 does. */
export const partyBounds = {
  name: 70,
  city: 35,
  region: 35,
  postalCode: 16,
  addressLine: 70,
  addressLines: 2,
  account: 34,
  documentNumber: 35,
  phone: 16,
  uniqueId: 35,
  text: 140,
  remittanceText: 1_000,
} as const;

/** Text of one line; its length is of code points, as that of JSON Schema and XML. */
const line = (most: number, description?: string) =>
  z
    .string()
    .min(1)
    .refine((text) => [...text].length <= most, `must have at most ${most} characters`)
    .refine((text) => !/\p{Cc}/u.test(text), "must be one line")
    .meta({ ...(description !== undefined && { description }), maxLength: most });

const country = z
  .string()
  .regex(/^[A-Z]{3}$/)
  .refine(isCountry, "must be an ISO 3166-1 alpha-3 code")
  .meta({ description: "ISO 3166-1 alpha-3." });

const kind = z.enum(["PERSON", "COMPANY"]);

const lei = z
  .string()
  .regex(/^[A-Z0-9]{18}[0-9]{2}$/)
  .refine(isLei, "must be a legal entity identifier with its check digits")
  .meta({ description: "Of a COMPANY that has one, by ISO 17442." });

const day = z.iso.date().meta({ description: "Calendar day.", override: { type: "string", format: "date" } });

const account = line(partyBounds.account);

export const addressShape = z
  .object({
    lines: z
      .array(line(partyBounds.addressLine))
      .max(partyBounds.addressLines)
      .meta({ description: "Street, house and the like; empty where they are not known." }),
    postalCode: line(partyBounds.postalCode).optional(),
    city: line(partyBounds.city),
    region: line(partyBounds.region).optional(),
    country,
  })
  .meta({ id: "Address", description: "Hybrid, by ISO 20022: city and country are always said." });

export const originatorShape = z
  .object({
    kind,
    name: line(partyBounds.name, "As it was verified, in its own script."),
    lei: lei.optional(),
    address: addressShape.optional(),
    dateOfBirth: day.optional(),
    placeOfBirth: z.object({ city: line(partyBounds.city), country }).optional(),
    nationality: country.optional(),
    document: z
      .object({
        type: z.enum(["PASSPORT", "NATIONAL_ID", "DRIVING_LICENCE", "RESIDENCE_PERMIT", "TAX_ID"]),
        number: line(partyBounds.documentNumber),
        country: country.optional().meta({ description: "Who issued it, ISO 3166-1 alpha-3." }),
      })
      .optional(),
    account: account.optional().meta({ description: "That was debited; absent where it was paid for in another way." }),
    uniqueId: z
      .string()
      .regex(/^[A-Za-z0-9]{1,35}$/)
      .meta({ description: "Of this payment: the transaction's id without dashes, and EndToEndId in files of banks." }),
    customerCode: line(partyBounds.uniqueId, "Whom the organisation knows the originator as."),
  })
  .meta({ id: "Originator", description: "Who pays. What is absent is not known, or need not be said." });

export const beneficiaryShape = z
  .object({
    kind: kind.optional().meta({ description: "Absent where nobody has said." }),
    name: line(partyBounds.name),
    lei: lei.optional(),
    account: account.optional().meta({ description: "As creditParty has it; absent where cash is handed out." }),
    country,
    address: addressShape.optional(),
    phone: z
      .string()
      .regex(/^\+[1-9][0-9]{4,14}$/)
      .optional()
      .meta({ description: "By E.164." }),
  })
  .meta({ id: "Beneficiary", description: "Who is paid. What is absent is not known, or need not be said." });

const decimalText = z
  .string()
  .regex(/^\d{1,19}(\.\d{1,4})?$/)
  .meta({ description: "Decimal text: no number of JSON holds all amounts." });

/** What an order of contract 2 has beside that of contract 1. */
export const partiesShape = z.object({
  originator: originatorShape,
  beneficiary: beneficiaryShape,
  purpose: line(partyBounds.text, "Why it is sent, in the organisation's word, such as FAMILY_SUPPORT.").optional(),
  relationship: line(partyBounds.text, "What the beneficiary is to the originator.").optional(),
  sourceOfFunds: line(partyBounds.text).optional(),
  sendAmount: decimalText.meta({ description: "What the originator sends, before fees; decimal text." }),
  sendCurrency: z.string().regex(/^[A-Z]{3}$/),
  transactionCode: line(partyBounds.uniqueId, "What people read to each other."),
  remittanceText: line(partyBounds.remittanceText, "What the originator writes to the beneficiary.").optional(),
});

export type Originator = z.output<typeof originatorShape>;
export type OrderBeneficiary = z.output<typeof beneficiaryShape>;
export type OrderParties = z.output<typeof partiesShape>;

/** A transaction's id as every network takes it. */
export const uniqueIdOf = (transactionId: string): string => transactionId.replaceAll("-", "");
