import { z } from "zod";
import { Money } from "../../proto/gen/common/v1/money.js";
import * as wire from "../../proto/gen/identity/v1/identity.js";
import { beside, shape } from "../codec.js";
import {
  reasonIn,
  approvalField,
  waiting,
  currencyCode,
  decimalText,
  instant,
  moneyTextOrNumberIn,
  text,
  shown,
} from "../schema.js";
import * as leaf from "../../services/platform/events/shapes/leaves.js";

const detail = z.enum(["DATE_OF_BIRTH", "PLACE_OF_BIRTH", "NATIONALITY", "ADDRESS", "IDENTITY_DOCUMENT"]);
const moment = z.enum(["REGISTRATION", "FIRST_TRANSACTION"]);
const ceilingFields = { amount: { minor: "amountMinor", currency: "currency" } } as const;

const RequiredDetail = shape(wire.RequiredDetail, z.object({ detail, at: moment }).meta({ id: "RequiredDetail" }));

const AmountCeiling = shape(
  Money,
  z.object({ currency: z.string(), amount: decimalText }).meta({ id: "AmountCeiling" }),
  ceilingFields,
);

const AmountCeilingChange = shape(
  Money,
  z.object({ currency: currencyCode, amount: moneyTextOrNumberIn }).meta({ id: "AmountCeilingChange" }),
  ceilingFields,
);

export const OrganisationPreference = shape(
  wire.Tenant,
  z
    .object({
      organisationId: shown(z.string(), "demo"),
      name: leaf.name,
      baseCurrency: z.string(),
      currencies: z.array(shown(z.string(), "USD")),
      countries: z.array(leaf.country),
      timeZone: leaf.timeZone,
      locale: shown(z.string(), "en-NG"),
      agentScope: shown(z.string(), "MANAGED")
        .optional()
        .meta({
          description:
            "MANAGED: agents see and act for the customers they manage. TENANT: for all of the organisation. Where absent they see " +
            "every transaction and act for the customers they manage.",
        }),
      selfRegistration: z.boolean(),
      doNotForwardEmailVerification: leaf.no,
      doNotForwardPhoneVerification: leaf.no,
      secondFactors: z.object({ otp: z.boolean(), pin: z.boolean() }),
      transactionPasswordRequired: leaf.no,
      cashierWalletPayments: leaf.no,
      agentCounterSales: leaf.no.meta({
        description: "Agents sell transactions for cash, and pay back in cash what comes back of them.",
      }),
      blindTillCounts: z.boolean().meta({
        description: "Whoever holds a till counts it before they see what should be in it.",
      }),
      corsOrigins: z.array(shown(z.string(), "https://shop.demo.example")),
      staffTotpRequired: z.boolean(),
      amountCeilings: z.array(AmountCeiling),
      requiredDetails: z.array(RequiredDetail).meta({
        description:
          "Personal details that customers give when they register, before their first transaction or above an amount.",
      }),
      updatedAt: instant,
    })
    .meta({ id: "OrganisationPreference" }),
  {
    organisationId: "tenantId",
    baseCurrency: "preference.baseCurrency",
    currencies: "preference.currencies",
    countries: "preference.countries",
    timeZone: "preference.timeZone",
    locale: "preference.locale",
    agentScope: "preference.agentScope",
    selfRegistration: "preference.selfRegistration",
    doNotForwardEmailVerification: "preference.doNotForwardEmailVerification",
    doNotForwardPhoneVerification: "preference.doNotForwardPhoneVerification",
    secondFactors: "preference.secondFactors",
    transactionPasswordRequired: "preference.transactionPasswordRequired",
    cashierWalletPayments: "preference.cashierWalletPayments",
    agentCounterSales: "preference.agentCounterSales",
    blindTillCounts: "preference.blindTillCounts",
    corsOrigins: "preference.corsOrigins",
    staffTotpRequired: "preference.staffTotpRequired",
    amountCeilings: "preference.amountCeilings",
    requiredDetails: "preference.requiredDetails",
  },
);

const names = z.array(text(64)).max(300).optional();
const flag = z.boolean().optional();

/** What is absent stays as it is. */
export const PreferenceChange = shape(
  wire.PreferenceChange,
  z.object({
    currencies: names,
    countries: names,
    timeZone: text(64).optional(),
    locale: text(64).optional(),
    agentScope: z.enum(["MANAGED", "TENANT"]).optional(),
    selfRegistration: flag,
    doNotForwardEmailVerification: flag,
    doNotForwardPhoneVerification: flag,
    secondFactors: z.object({ otp: z.boolean(), pin: z.boolean() }).optional(),
    transactionPasswordRequired: flag,
    cashierWalletPayments: flag,
    agentCounterSales: flag,
    blindTillCounts: flag,
    corsOrigins: z.array(text(300)).max(50).optional(),
    staffTotpRequired: flag,
    amountCeilings: z.array(AmountCeilingChange).max(200).optional().meta({
      description:
        "The most that one movement of money may be, one per currency, at most the operator's. All of them: the operator's holds for a currency that is left out.",
    }),
    requiredDetails: z.array(RequiredDetail).max(50).optional().meta({
      description:
        "Which personal details customers give, and when; by amount, the transparency profiles of the policy ask. All of them: what is left out is asked for no more.",
    }),
  }),
  {
    currencies: "currencies.names",
    countries: "countries.names",
    corsOrigins: "corsOrigins.names",
    amountCeilings: "amountCeilings.ceilings",
    requiredDetails: "requiredDetails.details",
  },
);

export const OrganisationPreferenceChange = z
  .object({ reason: reasonIn, ...PreferenceChange.shape })
  .meta({ id: "OrganisationPreferenceChange" });

export const ChangedOrganisationPreference = beside(
  wire.ChangeOrganisationPreferenceResponse,
  "tenant",
  OrganisationPreference,
  OrganisationPreference.extend({ approval: waiting("what held holds, all of it") }).meta({
    id: "ChangedOrganisationPreference",
    description: "What holds now.",
  }),
  approvalField,
);

/** As it is kept: who changed what, and why. */
export const KeptPreferenceChange = shape(
  wire.KeptPreferenceChange,
  z
    .object({
      id: shown(z.string(), "0199d0c2-0000-7000-8000-00949674b08b"),
      at: instant,
      actor: leaf.userId.meta({
        description: "A user's id, or operator; who asked for it, where another approved it.",
      }),
      approvedBy: leaf.userId.optional().meta({ description: "The second manager, where it waited for one." }),
      reason: leaf.reason,
      fields: z.array(
        z.object({
          field: shown(z.string(), "selfRegistration"),
          before: shown(z.string(), "false").optional(),
          after: shown(z.string(), "true"),
        }),
      ),
      interactionId: leaf.interactionId,
    })
    .meta({ id: "PreferenceChange" }),
  { id: "changeId" },
);
