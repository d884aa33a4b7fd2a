import { z } from "zod";
import type { Tenant } from "../../proto/gen/identity/v1/identity.js";
import { outgoing } from "../../services/shared/grpc/client.js";
import { route } from "../route.js";
import { instant, text } from "../schema.js";
import { absentIfEmpty, filled, timeText } from "../wire.js";
import { everyRole, v6 } from "./base.js";

const base = `${v6}/admin/organisation-preference-management`;

const OrganisationPreference = z
  .object({
    organisationId: z.string(),
    name: z.string(),
    baseCurrency: z.string(),
    currencies: z.array(z.string()),
    countries: z.array(z.string()),
    timeZone: z.string(),
    locale: z.string(),
    agentScope: z.string().meta({ description: "MANAGED or TENANT." }),
    selfRegistration: z.boolean(),
    doNotForwardEmailVerification: z.boolean(),
    doNotForwardPhoneVerification: z.boolean(),
    secondFactors: z.object({ otp: z.boolean(), pin: z.boolean() }),
    transactionPasswordRequired: z.boolean(),
    cashierWalletPayments: z.boolean(),
    corsOrigins: z.array(z.string()),
    staffTotpRequired: z.boolean(),
    updatedAt: instant,
  })
  .meta({ id: "OrganisationPreference" });

/** §4.3 */
export const fetchOrganisationPreference = route({
  method: "get",
  path: `${base}/fetch-organisaction-preference`,
  operationId: "fetchOrganisationPreference",
  tag: "Organisation",
  summary: "Read the organisation's preference",
  access: everyRole,
  answer: OrganisationPreference,
  message: "Organisation preference",
  example: { as: "manager@demo.example" },
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
  summary: "Change the organisation's preference; who changed what and why is kept",
  access: ["MANAGER"],
  headers: { idempotencyKey: "required" },
  body: z
    .object({
      reason: text(100),
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
    })
    .meta({ id: "OrganisationPreferenceChange" }),
  answer: OrganisationPreference,
  message: "Organisation preference changed",
  renames: { change: "body", idempotencyKey: "headers.x-idempotency-key" },
  example: {
    as: "manager@demo.example",
    sandbox: true,
    headers: { "x-idempotency-key": "preference-2026-11-21" },
    body: { reason: "the shop calls from its own pages", corsOrigins: ["https://shop.demo.example"] },
  },
  run: async ({ body, headers, call, clients }) => {
    const { reason, currencies, countries, corsOrigins, ...plain } = body;
    const listed = (list: string[] | undefined) => list && { names: list };
    const change = {
      ...plain,
      currencies: listed(currencies),
      countries: listed(countries),
      corsOrigins: listed(corsOrigins),
    };
    const request = { idempotencyKey: headers["x-idempotency-key"] ?? "", reason, change };
    const options = outgoing(call, { onReplayed: call.markReplayed });
    return preferenceFromWire((await clients.identity.changeOrganisationPreference(request, options)).tenant);
  },
});

const PreferenceChange = z
  .object({
    id: z.string(),
    at: instant,
    actor: z.string().meta({ description: "A user's id, or operator." }),
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
  query: z.object({ cursor: text(64).optional() }),
  answer: z.object({ changes: z.array(PreferenceChange), cursor: z.string().optional() }),
  message: "Changes of the organisation preference",
  example: { as: "manager@demo.example" },
  run: async ({ query, call, clients }) => {
    const request = { pageToken: query.cursor ?? "", pageSize: 100 };
    const { changes, nextPageToken } = await clients.identity.listPreferenceChanges(request, outgoing(call));
    return {
      changes: changes.map(({ changeId, at, fields, ...rest }) => ({
        ...rest,
        id: changeId,
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
    agentScope: preference.agentScope,
    selfRegistration: preference.selfRegistration,
    doNotForwardEmailVerification: preference.doNotForwardEmailVerification,
    doNotForwardPhoneVerification: preference.doNotForwardPhoneVerification,
    secondFactors: { otp, pin },
    transactionPasswordRequired: preference.transactionPasswordRequired,
    cashierWalletPayments: preference.cashierWalletPayments,
    corsOrigins: preference.corsOrigins,
    staffTotpRequired: preference.staffTotpRequired,
    updatedAt: timeText(tenant.updatedAt, "tenant.updated_at"),
  };
}
