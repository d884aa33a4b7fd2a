import type { Connection } from "mongoose";
import { perTenant } from "../../shared/mongo/per-tenant.js";
import { tenantCollection } from "../../shared/mongo/tenant-collection.js";
import type { FieldCipher } from "../credentials/sealing.js";
import type { AcrossTenantsStore } from "./across-tenants.js";
import { apiTokenPart } from "./api-tokens.js";
import { approvalPart } from "./approvals.js";
import { contactPart } from "./contacts.js";
import type {
  ApiTokenDocument,
  ApprovalDocument,
  AuditDocument,
  ContactChangeDocument,
  ErasureDocument,
  FactorResetDocument,
  HostDocument,
  KnownPlaceDocument,
  PasswordResetDocument,
  PaymentCodeDocument,
  PersonalAnswerDocument,
  PreferenceChangeDocument,
  RegistrationDocument,
  RevocationDocument,
  SessionDocument,
  StoredUser,
  TenantDocument,
} from "./documents.js";
import { erasurePart } from "./erasure.js";
import { factorResetPart } from "./factor-resets.js";
import { factorPart } from "./factors.js";
import { knownPlacePart } from "./known-places.js";
import { peoplePart } from "./people.js";
import { preferencePart } from "./preferences.js";
import { recordPart } from "./audit.js";
import { sessionPart } from "./sessions.js";
import { tenantPart } from "./tenants.js";

export type { CustomerKey, ProfileChange } from "./people.js";

export type IdentityStore = ReturnType<typeof createIdentityStore>;
export type TenantStore = ReturnType<IdentityStore["forTenant"]>;

/** Identity's database. Everything a tenant owns is reached through `forTenant`. */
export function createIdentityStore(db: Connection, across: AcrossTenantsStore, cipher: FieldCipher) {
  const tenants = tenantCollection<TenantDocument>(db, "tenants");
  const changes = tenantCollection<PreferenceChangeDocument>(db, "preference_changes");
  const hosts = tenantCollection<HostDocument>(db, "hosts");
  const users = tenantCollection<StoredUser>(db, "users");
  const sessions = tenantCollection<SessionDocument>(db, "sessions");
  const revocations = tenantCollection<RevocationDocument>(db, "revocations");
  const resets = tenantCollection<PasswordResetDocument>(db, "password_resets");
  const audit = tenantCollection<AuditDocument>(db, "audit");
  const answers = tenantCollection<PersonalAnswerDocument>(db, "personal_answers");
  const knownPlaces = tenantCollection<KnownPlaceDocument>(db, "known_places");
  const apiTokens = tenantCollection<ApiTokenDocument>(db, "api_tokens");
  const codes = tenantCollection<PaymentCodeDocument>(db, "payment_codes");
  const approvals = tenantCollection<ApprovalDocument>(db, "approvals");
  const contacts = tenantCollection<ContactChangeDocument>(db, "contact_changes");
  const registrations = tenantCollection<RegistrationDocument>(db, "registrations");
  const factorResets = tenantCollection<FactorResetDocument>(db, "factor_resets");
  const erasures = tenantCollection<ErasureDocument>(db, "erasures");

  const ofTenant = (tenantId: string) => ({
    ...tenantPart(tenants.forTenant(tenantId), hosts.forTenant(tenantId), across, tenantId),
    ...preferencePart(tenants.forTenant(tenantId), changes.forTenant(tenantId)),
    ...peoplePart(users.forTenant(tenantId), cipher, tenantId),
    ...sessionPart(sessions.forTenant(tenantId), revocations.forTenant(tenantId)),
    ...knownPlacePart(knownPlaces.forTenant(tenantId)),
    ...apiTokenPart(apiTokens.forTenant(tenantId)),
    ...factorPart(users.forTenant(tenantId), codes.forTenant(tenantId)),
    ...contactPart(contacts.forTenant(tenantId), registrations.forTenant(tenantId), cipher, tenantId),
    ...factorResetPart(factorResets.forTenant(tenantId)),
    ...approvalPart(approvals.forTenant(tenantId)),
    ...erasurePart(erasures.forTenant(tenantId)),
    ...recordPart(resets.forTenant(tenantId), audit.forTenant(tenantId), answers.forTenant(tenantId)),
  });
  return { across, forTenant: perTenant(ofTenant) };
}
