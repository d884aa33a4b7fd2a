import { z } from "zod";
import type { RequiredDetail as WireRequired, Tenant } from "../../proto/gen/identity/v1/identity.js";
import { moneyToWire, parseMoney } from "../../services/kernel/money.js";
import { outgoing } from "../../services/kernel/grpc/client.js";
import { route } from "../route.js";
import { currencyCode, decimalText, instant, maybe, moneyTextOrNumberIn, text } from "../schema.js";
import { absentIfEmpty, filled, moneyText, timeText } from "../wire.js";
import { everyRole, v6 } from "./base.js";
import { preferenceAnswer } from "./contract-answers.js";
import { reasonIn } from "./cursor-pages.js";
import { waiting, waitingFor } from "./waiting.js";

const base = `${v6}/admin/organisation-preference-management`;

const detail = z.enum(["DATE_OF_BIRTH", "PLACE_OF_BIRTH", "NATIONALITY", "ADDRESS", "IDENTITY_DOCUMENT"]);
const moment = z.enum(["REGISTRATION", "FIRST_TRANSACTION", "ABOVE_AMOUNT"]);

const RequiredDetail = z
  .object({ detail, at: moment, amount: decimalText.optional(), currency: z.string().optional() })
  .meta({ id: "RequiredDetail" });

const RequiredDetailChange = z
  .object({ detail, at: moment, amount: maybe(moneyTextOrNumberIn), currency: maybe(currencyCode) })
  .refine(({ amount, currency }) => (amount === undefined) === (currency === undefined), {
    path: ["currency"],
    error: "and amount are given together",
  })
  .meta({ id: "RequiredDetailChange" });

const OrganisationPreference = z
  .object({
    organisationId: z.string(),
    name: z.string(),
    baseCurrency: z.string(),
    currencies: z.array(z.string()),
    countries: z.array(z.string()),
    timeZone: z.string(),
    locale: z.string(),
    agentScope: z
      .string()
      .optional()
      .meta({
        description:
          "MANAGED: agents see and act for the customers they manage. TENANT: for all of the organisation. Where absent they see " +
          "every transaction and act for the customers they manage.",
      }),
    selfRegistration: z.boolean(),
    doNotForwardEmailVerification: z.boolean(),
    doNotForwardPhoneVerification: z.boolean(),
    secondFactors: z.object({ otp: z.boolean(), pin: z.boolean() }),
    transactionPasswordRequired: z.boolean(),
    cashierWalletPayments: z.boolean(),
    corsOrigins: z.array(z.string()),
    staffTotpRequired: z.boolean(),
    amountCeilings: z.array(z.object({ currency: z.string(), amount: decimalText }).meta({ id: "AmountCeiling" })),
    requiredDetails: z.array(RequiredDetail).meta({
      description:
        "Personal details that customers give when they register, before their first transaction or above an amount.",
    }),
    updatedAt: instant,
  })
  .meta({ id: "OrganisationPreference" });

/** §4.3 */
export const fetchOrganisationPreference = route({
  method: "get",
  path: `${base}/fetch-organisaction-preference`,
  operationId: "fetchOrganisationPreference",
  contract: true,
  tag: "Organisation",
  summary: "Read the organisation's preference",
  access: everyRole,
  scopes: ["organisation:read"],
  answer: OrganisationPreference,
  message: "Organisation preference",
  example: { as: "manager@demo.example", answer: preferenceAnswer },
  run: async ({ call, clients }) => {
    const answer = await clients.identity.getOrganisationPreference({}, outgoing(call));
    return preferenceFromWire(answer.tenant);
  },
});

const names = z.array(text(64)).max(300).optional();
const flag = z.boolean().optional();

/** Ours: §5.4's tenant and agent configuration. What is absent stays as it is. */
export const changeOrganisationPreference = route({
  method: "put",
  path: `${base}/change-organisation-preference`,
  operationId: "changeOrganisationPreference",
  tag: "Organisation",
  summary: "Change the organisation's preference; another manager approves what weakens a guard of accounts or money",
  access: ["MANAGER"],
  peopleOnly: "protection",
  headers: { idempotencyKey: "required" },
  body: z
    .object({
      reason: reasonIn,
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
      corsOrigins: z.array(text(300)).max(50).optional(),
      staffTotpRequired: flag,
      amountCeilings: z
        .array(z.object({ currency: currencyCode, amount: moneyTextOrNumberIn }).meta({ id: "AmountCeilingChange" }))
        .max(200)
        .optional()
        .meta({
          description:
            "The most that one movement of money may be, one per currency, at most the operator's. All of them: the operator's holds for a currency that is left out.",
        }),
      requiredDetails: z.array(RequiredDetailChange).max(50).optional().meta({
        description:
          "Which personal details customers give, and when; amount and currency are of ABOVE_AMOUNT alone. All of them: what is left out is asked for no more.",
      }),
    })
    .meta({ id: "OrganisationPreferenceChange" }),
  answer: OrganisationPreference.extend({ approval: waiting("what held holds, all of it") }).meta({
    id: "ChangedOrganisationPreference",
    description: "What holds now.",
  }),
  message: "Organisation preference changed",
  waits: "Change waits for another manager",
  renames: { change: "body", idempotencyKey: "headers.x-idempotency-key" },
  example: {
    as: "manager@demo.example",
    sandbox: true,
    headers: { "x-idempotency-key": "preference-2026-11-21" },
    body: {
      reason: "the bank wants to know addresses",
      requiredDetails: [{ detail: "ADDRESS", at: "ABOVE_AMOUNT", amount: "1000.00", currency: "USD" }],
    },
    answer: {
      ...preferenceAnswer,
      requiredDetails: [{ detail: "ADDRESS", at: "ABOVE_AMOUNT", amount: "1000.00", currency: "USD" }],
    },
  },
  run: async ({ body, headers, call, clients }) => {
    const { reason, currencies, countries, corsOrigins, amountCeilings, requiredDetails, ...plain } = body;
    const ceilings = amountCeilings?.map(({ currency, amount }, index) =>
      moneyToWire(parseMoney(amount, currency, `amountCeilings[${index}].amount`)),
    );
    const details = requiredDetails?.map(({ amount, currency, ...one }, index) => ({
      ...one,
      ...(amount !== undefined &&
        currency !== undefined && {
          amount: moneyToWire(parseMoney(amount, currency, `requiredDetails[${index}].amount`)),
        }),
    }));
    const listed = (list: string[] | undefined) => list && { names: list };
    const change = {
      ...plain,
      currencies: listed(currencies),
      countries: listed(countries),
      corsOrigins: listed(corsOrigins),
      amountCeilings: ceilings && { ceilings },
      requiredDetails: details && { details },
    };
    const request = { idempotencyKey: headers["x-idempotency-key"] ?? "", reason, change };
    const options = outgoing(call, { onReplayed: call.markReplayed });
    const { tenant, ...asked } = await clients.identity.changeOrganisationPreference(request, options);
    return { ...preferenceFromWire(tenant), approval: waitingFor(asked, call) };
  },
});

const PreferenceChange = z
  .object({
    id: z.string(),
    at: instant,
    actor: z.string().meta({ description: "A user's id, or operator; who asked for it, where another approved it." }),
    approvedBy: z.string().optional().meta({ description: "The second manager, where it waited for one." }),
    reason: z.string(),
    fields: z.array(z.object({ field: z.string(), before: z.string().optional(), after: z.string() })),
    interactionId: z.string(),
  })
  .meta({ id: "PreferenceChange" });

/** Ours */
export const listPreferenceChanges = route({
  method: "get",
  path: `${base}/organisation-preference-changes`,
  operationId: "listPreferenceChanges",
  tag: "Organisation",
  summary: "List the changes of the organisation's preference, the newest first",
  access: ["MANAGER"],
  scopes: ["settings:write"],
  query: z.object({ cursor: text(64).optional() }),
  answer: z.object({ changes: z.array(PreferenceChange), cursor: z.string().optional() }),
  message: "Changes of the organisation preference",
  example: { as: "manager@demo.example" },
  run: async ({ query, call, clients }) => {
    const request = { pageToken: query.cursor ?? "", pageSize: 100 };
    const { changes, nextPageToken } = await clients.identity.listPreferenceChanges(request, outgoing(call));
    return {
      changes: changes.map(({ changeId, at, fields, approvedBy, ...rest }) => ({
        ...rest,
        id: changeId,
        approvedBy: absentIfEmpty(approvedBy),
        at: timeText(at, "change.at"),
        fields: fields.map(({ before, ...field }) => ({ ...field, ...(before !== "" && { before }) })),
      })),
      cursor: absentIfEmpty(nextPageToken),
    };
  },
});

function preferenceFromWire(wire: Tenant | undefined): z.output<typeof OrganisationPreference> {
  const tenant = filled(wire, "tenant");
  const preference = filled(tenant.preference, "tenant.preference");
  const { otp = false, pin = false } = preference.secondFactors ?? {};
  return {
    organisationId: tenant.tenantId,
    name: tenant.name,
    baseCurrency: preference.baseCurrency,
    currencies: preference.currencies,
    countries: preference.countries,
    timeZone: preference.timeZone,
    locale: preference.locale,
    agentScope: absentIfEmpty(preference.agentScope),
    selfRegistration: preference.selfRegistration,
    doNotForwardEmailVerification: preference.doNotForwardEmailVerification,
    doNotForwardPhoneVerification: preference.doNotForwardPhoneVerification,
    secondFactors: { otp, pin },
    transactionPasswordRequired: preference.transactionPasswordRequired,
    cashierWalletPayments: preference.cashierWalletPayments,
    corsOrigins: preference.corsOrigins,
    staffTotpRequired: preference.staffTotpRequired,
    amountCeilings: preference.amountCeilings.map((ceiling) => ({
      currency: ceiling.currency,
      amount: moneyText(ceiling, "amount_ceilings"),
    })),
    requiredDetails: preference.requiredDetails.map(requiredFromWire),
    updatedAt: timeText(tenant.updatedAt, "tenant.updated_at"),
  };
}

function requiredFromWire({ detail: kind, at, amount }: WireRequired): z.output<typeof RequiredDetail> {
  return {
    detail: kind as z.output<typeof detail>,
    at: at as z.output<typeof moment>,
    ...(amount && { amount: moneyText(amount, "required_details"), currency: amount.currency }),
  };
}
