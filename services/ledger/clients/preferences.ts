import type { Tenant } from "../../../proto/gen/identity/v1/identity.js";
import type { Preferences as TenantPreferences } from "../../platform/preferences/preferences.js";

/** What the books go by of an organisation's preference. */
export interface Preference {
  /** What positions are valued in. */
  baseCurrency: string;
}

export type Preferences = TenantPreferences<Preference>;

export function preferenceOf(tenant: Tenant | undefined): Preference {
  return { baseCurrency: tenant?.preference?.baseCurrency || "USD" };
}
