import type { Tenant } from "../../../proto/gen/identity/v1/identity.js";
import type { Preferences as TenantPreferences } from "../../platform/preferences/preferences.js";

/** What investment goes by of an organisation's preference. */
export interface Preference {
  /** MANAGED or TENANT. */
  agentScope: string;
  /** What sums are shown in. */
  baseCurrency: string;
}

export type Preferences = TenantPreferences<Preference>;

export function preferenceOf(tenant: Tenant | undefined): Preference {
  const { agentScope, baseCurrency } = tenant?.preference ?? {};
  return { agentScope: agentScope || "MANAGED", baseCurrency: baseCurrency || "USD" };
}
