import { z } from "zod";

// The HTTP contract of payee checks, as the caller, the certification and the published
// document read it. Results are named after the EPC's Verification Of Payee scheme.

export const payeeChecksPath = "/v1/payee-checks";

export const payeeResults = ["MTCH", "CMTC", "NMTC", "NOAP"] as const;
export type PayeeResult = (typeof payeeResults)[number];

export const payeeKinds = ["PERSON", "COMPANY", "UNKNOWN"] as const;

const checkReference = z
  .string()
  .min(1)
  .max(128)
  .meta({ description: "Ours: the same reference again is answered the same." });
const result = z.enum(payeeResults).meta({
  description:
    "MTCH: the account is this payee's. CMTC: the name is close to the one on the account, which `accountName` " +
    "tells. NMTC: it is another one. NOAP: it cannot be said, such as of an account that was never there.",
});
const accountName = z
  .string()
  .min(1)
  .max(140)
  .meta({ description: "The name on the account; with CMTC, and never with another result." });

/** What stays out of it is the name of the holder, which is asked about. */
export const payeeAccountShape = z
  .object({
    bankaccountno: z.string().optional().meta({ description: "An IBAN, or what the country has." }),
    bankcode: z.string().optional(),
    swiftbic: z.string().optional(),
    bankname: z.string().optional(),
    mobileoperator: z.string().optional(),
    mobilenumber: z.string().optional().meta({ description: "E.164 where it is one." }),
    country: z
      .string()
      .regex(/^[A-Z]{3}$/)
      .meta({ description: "ISO 3166-1 alpha-3." }),
    currency: z.string().regex(/^[A-Z]{3}$/),
  })
  .meta({ id: "PayeeAccount", description: "Of a bank or of mobile money, by the keys of a payout's `creditParty`." });

const forcedPayeeShape = z
  .object({
    result: result.optional(),
    accountName: accountName
      .optional()
      .meta({ description: "Whose account it is: without `result` the name is compared with it." }),
  })
  .meta({ id: "ForcedPayee", description: "Of sandboxes and test systems alone: how the check is to end." });

/** Whether an account is a payee's, as it is asked. */
export const payeeCheckShape = z
  .object({
    checkReference,
    account: payeeAccountShape,
    name: z.string().min(1).max(140).meta({
      description: "Without titles; compare it without regard to case, spaces and the form of accents (NFC, NFD).",
    }),
    kind: z.enum(payeeKinds),
    forced: forcedPayeeShape.optional(),
  })
  .meta({ id: "PayeeCheck" });

/** What a partner says of it. */
export const payeeAnswerShape = z
  .object({
    checkReference: z.string().meta({ description: "Ours, as it was sent." }),
    account: payeeAccountShape.meta({ description: "As it was sent: an answer about another one says nothing." }),
    result,
    accountName: accountName.optional(),
    reason: z.string().optional().meta({ description: "For people; we keep 200 characters." }),
  })
  .meta({ id: "PayeeAnswer" });

export type PayeeAccount = Readonly<Record<string, string>>;

/** Whether an answer repeats what was asked; unknown members of the account are ignored. */
export function isAboutPayee(body: unknown, requested: { checkReference: string; account: PayeeAccount }): boolean {
  const { checkReference: named, account } = (body ?? {}) as Readonly<Record<string, unknown>>;
  const stated = account as Readonly<Record<string, unknown>> | null | undefined;
  const repeats = Object.entries(requested.account).every(([key, value]) => stated?.[key] === value);
  return named === requested.checkReference && repeats;
}
