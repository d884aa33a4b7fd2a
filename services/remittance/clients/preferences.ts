import type { OrganisationPreference, Tenant } from "../../../proto/gen/identity/v1/identity.js";
import { languageOf } from "../../platform/messages/words.js";
import type { Preferences as TenantPreferences } from "../../platform/preferences/preferences.js";

/** What remittance goes by of an organisation's preference. */
export type Preference = Pick<
  OrganisationPreference,
  "agentScope" | "agentCounterSales" | "transactionPasswordRequired"
> & {
  /** The organisation's. */
  name: string;
  /** ISO 639. */
  language: string;
};

export type Preferences = TenantPreferences<Preference>;

export function preferenceOf(tenant: Tenant | undefined): Preference {
  const {
    agentScope = "",
    agentCounterSales = false,
    transactionPasswordRequired = false,
    locale = "",
  } = tenant?.preference ?? {};
  return {
    agentScope,
    agentCounterSales,
    transactionPasswordRequired,
    name: tenant?.name ?? "",
    language: languageOf(locale),
  };
}
