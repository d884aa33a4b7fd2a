import type { OrganisationPreference, PreferenceChange, Tenant } from "../../../proto/gen/identity/v1/identity.js";
import { moneyFromWire, moneyToWire, type Money } from "../../kernel/money.js";
import { invalidInput } from "../../kernel/refusal.js";
import type { ApprovalKind } from "../domain/approvals.js";
import type { PreferencePatch } from "../domain/preference-changes.js";
import type { TenantDraft, TenantRecord } from "../domain/tenants.js";

/** INVALID_INPUT where the tenant or its preference is missing. */
export function tenantFromWire(tenant: Tenant | undefined): TenantDraft {
  if (tenant === undefined) throw invalidInput("tenant", "is required");
  const { tenantId, name, hosts, preference } = tenant;
  if (preference === undefined) throw invalidInput("preference", "is required");
  const { otp = false, pin = false } = preference.secondFactors ?? {};
  const singlePersonLimits = preference.singlePersonLimits.map(({ kind, below }, index) => ({
    kind: kind as ApprovalKind,
    below: moneyFromWire(below, `preference.singlePersonLimits[${index}].below`),
  }));
  const amountCeilings = ceilingsFromWire(preference.amountCeilings, "preference.amountCeilings");
  const parsed = { ...preference, singlePersonLimits, amountCeilings, secondFactors: { otp, pin } };
  return { tenantId, name, hosts, preference: parsed };
}

function ceilingsFromWire(ceilings: Parameters<typeof moneyFromWire>[0][], path: string): Money[] {
  return ceilings.map((ceiling, index) => moneyFromWire(ceiling, `${path}[${index}]`));
}

/** What is given of a preference. INVALID_INPUT where nothing is. */
export function patchFromWire(change: PreferenceChange | undefined): PreferencePatch {
  const { currencies, countries, corsOrigins, secondFactors, amountCeilings, requiredDetails, ...plain } = change ?? {};
  const given = Object.fromEntries(Object.entries(plain).filter(([, value]) => value !== undefined));
  const patch: PreferencePatch = {
    ...given,
    ...(currencies && { currencies: currencies.names }),
    ...(countries && { countries: countries.names }),
    ...(corsOrigins && { corsOrigins: corsOrigins.names }),
    ...(secondFactors && { secondFactors: { otp: secondFactors.otp, pin: secondFactors.pin } }),
    ...(amountCeilings && { amountCeilings: ceilingsFromWire(amountCeilings.ceilings, "amountCeilings") }),
    ...(requiredDetails && { requiredDetails: requiredDetails.details }),
  };
  if (Object.keys(patch).length === 0) throw invalidInput("change", "must change something");
  return patch;
}

export function tenantToWire(tenant: TenantRecord): Tenant {
  const { tenantId, name, hosts, preference, createdAt, updatedAt, sandboxOf = "" } = tenant;
  const wirePreference: OrganisationPreference = {
    ...preference,
    agentScope: preference.agentScope ?? "",
    singlePersonLimits: preference.singlePersonLimits.map(({ kind, below }) => ({
      kind,
      below: moneyToWire(below),
    })),
    amountCeilings: preference.amountCeilings.map(moneyToWire),
    requiredDetails: preference.requiredDetails ?? [],
  };
  return { tenantId, name, hosts, preference: wirePreference, createdAt, updatedAt, sandboxOf };
}
