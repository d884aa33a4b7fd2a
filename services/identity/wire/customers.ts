import {
  Role as WireRole,
  type Customer,
  type OrganisationPreference,
  type PreferenceChange,
  type Profile,
  type Session,
  type Tenant,
  type User,
} from "../../../proto/gen/identity/v1/identity.js";
import { moneyFromWire, moneyToWire, type Money } from "../../shared/money.js";
import { invalidInput } from "../../shared/refusal.js";
import type { Approval } from "../../../proto/gen/identity/v1/approvals.js";
import type { Erasure } from "../../../proto/gen/identity/v1/erasure.js";
import type { ApiToken } from "../../../proto/gen/identity/v1/api_tokens.js";
import type { ApprovalKind, ApprovalRecord } from "../domain/approvals.js";
import { statusOf, type ApiTokenRecord } from "../domain/api-tokens.js";
import { stateOf, type ErasureRecord } from "../domain/erasure.js";
import { maskAddress } from "../domain/factors.js";
import type { Role } from "../domain/roles.js";
import type { PreferencePatch } from "../domain/preference-changes.js";
import type { TenantDraft, TenantRecord } from "../domain/tenants.js";
import type { IssuedSession } from "../credentials/sessions.js";
import type { ContactChange } from "../domain/contacts.js";
import type { CustomerRecord, UserRecord } from "../domain/people.js";

const roleNames: Partial<Record<WireRole, Role>> = {
  ROLE_MANAGER: "MANAGER",
  ROLE_AGENT: "AGENT",
  ROLE_CASHIER: "CASHIER",
  ROLE_CUSTOMER: "CUSTOMER",
};

/** A role of staff; INVALID_INPUT for CUSTOMER, who is registered, and for anything unknown. */
export function staffRoleFromWire(role: WireRole): Role {
  const name = roleNames[role];
  if (name === undefined || name === "CUSTOMER") throw invalidInput("role", "must be MANAGER, AGENT or CASHIER");
  return name;
}

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
  const { currencies, countries, corsOrigins, secondFactors, amountCeilings, ...plain } = change ?? {};
  const given = Object.fromEntries(Object.entries(plain).filter(([, value]) => value !== undefined));
  const patch: PreferencePatch = {
    ...given,
    ...(currencies && { currencies: currencies.names }),
    ...(countries && { countries: countries.names }),
    ...(corsOrigins && { corsOrigins: corsOrigins.names }),
    ...(secondFactors && { secondFactors: { otp: secondFactors.otp, pin: secondFactors.pin } }),
    ...(amountCeilings && { amountCeilings: ceilingsFromWire(amountCeilings.ceilings, "amountCeilings") }),
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
  };
  return { tenantId, name, hosts, preference: wirePreference, createdAt, updatedAt, sandboxOf };
}

export function userToWire(user: Omit<UserRecord, "tenantId">): User {
  const { _id, email, role, customer, name, createdAt, disabled } = user;
  return {
    userId: _id,
    email,
    role: WireRole[`ROLE_${role}`],
    customerId: customer?.id ?? "",
    name,
    createdAt,
    disabled: disabled !== undefined,
  };
}

export function customerToWire({ _id, email, customer, createdAt }: Omit<CustomerRecord, "tenantId">): Customer {
  const { id, code, firstName, lastName, phoneNumber, country, agentId = "", standing } = customer;
  return {
    customerId: id,
    customerCode: code,
    userId: _id,
    firstName,
    lastName,
    email,
    phoneNumber,
    country,
    agentId,
    createdAt,
    status: standing?.status ?? "PENDING",
  };
}

export function sessionToWire(session: IssuedSession): Session {
  const { accessToken, expiresInS, refreshToken, user, permissions } = session;
  return { accessToken, expiresInS, refreshToken, user: userToWire(user), permissions: [...permissions] };
}

export function profileToWire(user: UserRecord, pending: readonly ContactChange[] = []): Profile {
  const { customer, ...rest } = user;
  return {
    pending: pending.map(({ type, value, expiresAt }) => ({ type, sentTo: maskAddress(value), expiresAt })),
    user: userToWire(user),
    customer: customer === undefined ? undefined : customerToWire({ ...rest, customer }),
  };
}

export function apiTokenToWire(token: ApiTokenRecord, now: Date): ApiToken {
  const { _id, name, scopes, secrets, createdAt, expiresAt, lastUsedAt } = token;
  const status = statusOf(token, now);
  return { apiTokenId: _id, name, prefix: secrets[0]!.prefix, scopes, expiresAt, lastUsedAt, status, createdAt };
}

export function approvalToWire(approval: ApprovalRecord): Approval {
  const {
    _id,
    amount,
    decidedBy = "",
    decidedBecause = "",
    payloadJson: _payload,
    tenantId: _tenant,
    ...rest
  } = approval;
  return {
    ...rest,
    approvalId: _id,
    amount: amount && moneyToWire(amount),
    decidedBy,
    decidedBecause,
    decidedAt: approval.decidedAt,
  };
}

export function erasureToWire(erasure: ErasureRecord): Erasure {
  const { customerId, at: erasedAt, by: erasedBy, reason, retainedUntil, services } = erasure;
  const answered = services.map((service) => ({ service, ...stateOf(service, erasure) }));
  return { customerId, erasedAt, erasedBy, reason, retainedUntil, services: answered };
}
