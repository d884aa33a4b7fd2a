import type { Tenant } from "../../../../proto/gen/identity/v1/identity.js";
import { languageOf } from "../../../platform/messages/words.js";
import type { ContactType } from "../domain/verification.js";
import type { Preferences as TenantPreferences } from "../../../platform/preferences/preferences.js";

/** What compliance goes by of an organisation's preference. */
export interface Preference {
  /** IANA name; UTC where the tenant has named none. */
  timeZone: string;
  /** MANAGED or TENANT. */
  agentScope: string;
  /** The agent configuration: contacts that the platform does not verify itself. */
  doNotForwardEmail: boolean;
  doNotForwardPhone: boolean;
  name: string;
  /** ISO 639. */
  language: string;
  /** The first of the tenant's hosts, for links. */
  host: string;
  /** Its partners are the sandbox's. */
  isSandbox: boolean;
  /** Personal details that customers give, and when. */
  requiredDetails: string[];
}

export type Preferences = TenantPreferences<Preference>;

export function preferenceOf(tenant: Tenant | undefined): Preference {
  const { timeZone, agentScope, doNotForwardEmailVerification, doNotForwardPhoneVerification } =
    tenant?.preference ?? {};
  return {
    timeZone: timeZone || "UTC",
    agentScope: agentScope || "MANAGED",
    doNotForwardEmail: doNotForwardEmailVerification ?? false,
    doNotForwardPhone: doNotForwardPhoneVerification ?? false,
    name: tenant?.name ?? "",
    language: languageOf(tenant?.preference?.locale ?? ""),
    host: tenant?.hosts[0] ?? "",
    requiredDetails: (tenant?.preference?.requiredDetails ?? []).map(({ detail }) => detail),
    isSandbox: (tenant?.sandboxOf ?? "") !== "",
  };
}

/** Whether the agent configuration keeps the platform from verifying the contact itself. */
export function isForwarded(kind: ContactType, { doNotForwardEmail, doNotForwardPhone }: Preference): boolean {
  return kind === "EMAIL" ? doNotForwardEmail : doNotForwardPhone;
}
