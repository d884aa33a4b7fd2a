import {
  aggregateComparisons,
  aggregateMeasures,
  ruleActions,
  ruleVisibilities,
  transparencyDestinations,
  transparencyFundings,
  transparencyMembers,
  transparencyMissing,
  transparencyProfiles,
} from "../../generated/enums";
import { requirements } from "./content";

/** What can stand at a place of a policy; the editor draws a form of it. */
export type Shape =
  | { kind: "text"; rows?: number }
  | { kind: "count" }
  | { kind: "check" }
  | { kind: "yesNo" }
  | { kind: "choice"; options: readonly string[]; isOptional?: true }
  | { kind: "codes" }
  | { kind: "choices"; options: readonly string[] }
  | { kind: "money"; isOptional?: true }
  | { kind: "object"; fields: readonly Field[]; isOptional?: true; blank?: () => unknown }
  | { kind: "list"; item: Shape; blank: () => unknown };

export interface Field {
  name: string;
  shape: Shape;
  /** Over the whole width of its group. */
  isWide?: true;
}

const text = { kind: "text" } as const;
const count = { kind: "count" } as const;
const codes = { kind: "codes" } as const;
const optionalMoney = { kind: "money", isOptional: true } as const;
const noMoney = () => ({ amount: "", currency: "" });

const aggregate: Shape = {
  kind: "object",
  fields: [
    { name: "measure", shape: { kind: "choice", options: aggregateMeasures } },
    { name: "of", shape: { kind: "choice", options: ["RECIPIENTS", "RECEIVING_COUNTRIES", "CASH"], isOptional: true } },
    { name: "days", shape: count },
    { name: "comparison", shape: { kind: "choice", options: aggregateComparisons } },
    { name: "amount", shape: optionalMoney },
    { name: "count", shape: count },
    { name: "receivingCountries", shape: codes },
    { name: "sourcesOfFunds", shape: codes },
    {
      name: "band",
      isWide: true,
      shape: {
        kind: "object",
        isOptional: true,
        blank: () => ({ from: noMoney(), below: noMoney() }),
        fields: [
          { name: "from", shape: { kind: "money" } },
          { name: "below", shape: { kind: "money" } },
        ],
      },
    },
  ],
};

const condition: Shape = {
  kind: "object",
  fields: [
    { name: "amountAtLeast", shape: optionalMoney },
    { name: "amountAbove", shape: optionalMoney },
    { name: "amountBelow", shape: optionalMoney },
    { name: "newBeneficiary", shape: { kind: "yesNo" } },
    { name: "originCountries", shape: codes },
    { name: "receivingCountries", shape: codes },
    { name: "purposes", shape: codes },
    { name: "sourcesOfFunds", shape: codes },
    { name: "riskProfiles", shape: codes },
    { name: "operations", shape: codes },
    {
      name: "aggregates",
      isWide: true,
      shape: {
        kind: "list",
        item: aggregate,
        blank: () => ({ measure: "SUM", days: 1, comparison: "ABOVE", amount: noMoney() }),
      },
    },
  ],
};

const customerRule: Shape = {
  kind: "object",
  fields: [
    { name: "name", shape: text },
    { name: "id", shape: text },
    { name: "requirement", shape: { kind: "choice", options: requirements } },
    { name: "validityDays", shape: count },
    { name: "riskProfiles", shape: codes },
    { name: "countries", shape: codes },
    { name: "mandatory", shape: { kind: "check" } },
    { name: "description", isWide: true, shape: { kind: "text", rows: 2 } },
  ],
};

const transactionRule: Shape = {
  kind: "object",
  fields: [
    { name: "name", shape: text },
    { name: "id", shape: text },
    { name: "action", shape: { kind: "choice", options: ruleActions } },
    { name: "visibility", shape: { kind: "choice", options: ruleVisibilities } },
    { name: "requiredDocuments", shape: codes },
    { name: "validityDays", shape: count },
    { name: "description", isWide: true, shape: { kind: "text", rows: 2 } },
    { name: "condition", isWide: true, shape: condition },
  ],
};

const transparencyRow: Shape = {
  kind: "object",
  fields: [
    { name: "amount", shape: { kind: "money" } },
    { name: "funding", shape: { kind: "choice", options: transparencyFundings } },
    { name: "destination", shape: { kind: "choice", options: transparencyDestinations } },
    { name: "receivingCountries", shape: codes },
    { name: "isAbove", shape: { kind: "check" } },
    { name: "isVerified", shape: { kind: "check" } },
    { name: "members", isWide: true, shape: { kind: "choices", options: transparencyMembers } },
  ],
};

const transparencyProfile: Shape = {
  kind: "object",
  fields: [
    { name: "profile", shape: { kind: "choice", options: transparencyProfiles } },
    { name: "originCountries", shape: codes },
    { name: "currency", shape: text },
    { name: "linkedHours", shape: count },
    { name: "onMissing", shape: { kind: "choice", options: transparencyMissing } },
    {
      name: "rows",
      isWide: true,
      shape: {
        kind: "list",
        item: transparencyRow,
        blank: () => ({ amount: noMoney(), funding: "ANY", destination: "ANY", members: [] }),
      },
    },
  ],
};

const weights = [
  "countryWeight",
  "requirementsWeight",
  "identityWeight",
  "flaggedWeight",
  "newCustomerWeight",
  "mediumFrom",
  "highFrom",
  "approveBelow",
  "rejectFrom",
];

/** The parts of the compliance policy, each drawn as a section of its own. */
export const policyParts: readonly Field[] = [
  {
    name: "knowYourCustomerRules",
    shape: {
      kind: "list",
      item: customerRule,
      blank: () => ({ name: "", requirement: requirements[0], mandatory: true, riskProfiles: [], countries: [] }),
    },
  },
  {
    name: "transactionRules",
    shape: {
      kind: "list",
      item: transactionRule,
      blank: () => ({ name: "", action: "REVIEW", visibility: "STAFF", requiredDocuments: [], condition: {} }),
    },
  },
  {
    name: "transparencyProfiles",
    shape: {
      kind: "list",
      item: transparencyProfile,
      blank: () => ({ profile: "US_BSA", originCountries: [], linkedHours: 24, onMissing: "WAIT", rows: [] }),
    },
  },
  {
    name: "counter",
    shape: {
      kind: "object",
      isOptional: true,
      blank: () => ({ seenDocuments: false, optionalContacts: [] }),
      fields: [
        { name: "seenDocuments", shape: { kind: "check" } },
        { name: "optionalContacts", shape: { kind: "choices", options: ["EMAIL", "PHONE_NUMBER"] } },
      ],
    },
  },
  { name: "dailyLimits", shape: { kind: "list", item: { kind: "money" }, blank: noMoney } },
  {
    name: "riskModel",
    shape: {
      kind: "object",
      fields: [
        ...weights.map((name) => ({ name, shape: count })),
        { name: "highRiskCountries", isWide: true, shape: codes },
        { name: "mediumRiskCountries", isWide: true, shape: codes },
      ],
    },
  },
];
