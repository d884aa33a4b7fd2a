import { z } from "zod";

const text = z.string().optional();

/** As the type's manifest has it. */
const schema = z.object({
  debtorName: z.string(),
  debtorCity: z.string(),
  debtorCountry: z.string(),
  debtorPostalCode: text,
  debtorAddressLine: text,
  debtorIban: text,
  debtorAccount: text,
  bic: text,
  clearingMemberId: text,
  clearingSystem: text,
  recipientClearingSystem: text,
  booking: z.enum(["SINGLE", "BATCH"]).default("SINGLE"),
  chargeBearer: z.enum(["SLEV", "SHAR", "DEBT"]).default("SLEV"),
  serviceLevel: text,
  timeZone: text,
  executionDays: z.number().int().default(0),
  /** Of ours, codes of ISO's list. */
  purposes: z.record(z.string(), z.string()).default({}),
  characters: z.enum(["LATIN", "UTF8"]).default("LATIN"),
});

export type BankConfiguration = z.output<typeof schema>;

export function bankConfigurationOf(configuration: Readonly<Record<string, unknown>>): BankConfiguration {
  return schema.parse(configuration);
}
