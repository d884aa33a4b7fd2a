import { purposeCodes } from "../../../kernel/codes/purpose-codes.js";
import type { PluginManifest } from "../manifest.js";

const code = { type: "string", pattern: "^[A-Z0-9]{1,5}$" };

/** A bank that takes files: pain.001 out, pain.002 and camt.053 in. */
export const iso20022: PluginManifest = {
  name: "iso20022",
  kind: "PAYOUT",
  connector: "payout-files",
  title: "Bank by files (ISO 20022)",
  version: "1.0.0",
  // Of what lies with the bank nothing can be recalled by pain.001.
  capabilities: ["batches", "statement"],
  configuration: {
    type: "object",
    additionalProperties: false,
    required: ["debtorName", "debtorCity", "debtorCountry"],
    allOf: [
      { anyOf: [{ required: ["debtorIban"] }, { required: ["debtorAccount"] }] },
      { anyOf: [{ required: ["bic"] }, { required: ["clearingMemberId"] }] },
    ],
    properties: {
      debtorName: { type: "string", minLength: 1, maxLength: 70, title: "Name that the account is held under" },
      debtorCity: { type: "string", minLength: 1, maxLength: 35, title: "Its holder's town" },
      debtorCountry: {
        type: "string",
        pattern: "^[A-Z]{3}$",
        title: "Its holder's country, ISO 3166-1 alpha-3",
      },
      debtorPostalCode: { type: "string", minLength: 1, maxLength: 16, title: "Its holder's postal code" },
      debtorAddressLine: { type: "string", minLength: 1, maxLength: 70, title: "Its holder's street and house" },
      debtorIban: { type: "string", pattern: "^[A-Z]{2}[0-9]{2}[A-Z0-9]{10,30}$", title: "IBAN that is debited" },
      debtorAccount: {
        type: "string",
        pattern: "^[A-Za-z0-9-]{1,34}$",
        title: "Account that is debited, where it has no IBAN",
      },
      bic: {
        type: "string",
        pattern: "^[A-Z0-9]{4}[A-Z]{2}[A-Z0-9]{2}([A-Z0-9]{3})?$",
        title: "BIC of the bank that keeps it",
      },
      clearingMemberId: {
        type: "string",
        pattern: "^[A-Za-z0-9-]{1,35}$",
        title: "That bank's number in its clearing system",
      },
      clearingSystem: { ...code, title: "Clearing system of that number, such as USABA" },
      recipientClearingSystem: { ...code, title: "Clearing system of recipients' bank codes" },
      booking: {
        enum: ["SINGLE", "BATCH"],
        default: "SINGLE",
        title: "Entries of the statement, one a payout or a batch",
      },
      chargeBearer: { enum: ["SLEV", "SHAR", "DEBT"], default: "SLEV", title: "Who bears charges" },
      serviceLevel: { type: "string", pattern: "^[A-Z]{4}$", title: "Service level, such as SEPA or URGP" },
      timeZone: {
        type: "string",
        pattern: "^[A-Za-z][A-Za-z0-9_+-]*(/[A-Za-z0-9_+-]+){0,2}$",
        maxLength: 64,
        title:
          "Time zone of the bank, whose days those of execution are, such as Europe/Berlin; the organisation's where absent",
      },
      executionDays: {
        type: "integer",
        minimum: 0,
        maximum: 10,
        default: 0,
        title: "Days from the file to the day of execution",
      },
      purposes: {
        type: "object",
        maxProperties: 200,
        propertyNames: { minLength: 1, maxLength: 140 },
        additionalProperties: { type: "string", enum: purposeCodes },
        title: "Code of ISO's list (ExternalPurpose1Code) for a purpose of ours, such as FAMILY_SUPPORT: GIFT",
      },
      characters: { enum: ["LATIN", "UTF8"], default: "LATIN", title: "Characters of names: LATIN spells them out" },
    },
  },
  secrets: [],
  hasCallbacks: false,
  isCertified: true,
};
