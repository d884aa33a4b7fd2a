import { z } from "zod";
import { outgoing } from "../../services/shared/grpc/client.js";
import { route } from "../route.js";
import { instant } from "../schema.js";
import { filled, timeText } from "../wire.js";
import { everyRole, v6 } from "./base.js";

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
    updatedAt: instant,
  })
  .meta({ id: "OrganisationPreference" });

/** §4.3 */
export const fetchOrganisationPreference = route({
  method: "get",
  path: `${v6}/admin/organisation-preference-management/fetch-organisaction-preference`,
  operationId: "fetchOrganisationPreference",
  tag: "Organisation",
  summary: "Read the organisation's preference",
  access: everyRole,
  answer: OrganisationPreference,
  message: "Organisation preference",
  example: { as: "manager@demo.example" },
  run: async ({ call, clients }) => {
    const answer = await clients.identity.getOrganisationPreference({}, outgoing(call));
    const tenant = filled(answer.tenant, "tenant");
    const preference = filled(tenant.preference, "tenant.preference");
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
      secondFactors: {
        otp: preference.secondFactors?.otp ?? false,
        pin: preference.secondFactors?.pin ?? false,
      },
      transactionPasswordRequired: preference.transactionPasswordRequired,
      cashierWalletPayments: preference.cashierWalletPayments,
      updatedAt: timeText(tenant.updatedAt, "tenant.updated_at"),
    };
  },
});
