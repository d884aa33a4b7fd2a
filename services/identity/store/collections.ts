import type { Connection } from "mongoose";
import { tenantCollection } from "../../kernel/mongo/tenant-collection.js";
import type { ApiTokenRecord } from "../domain/api-tokens.js";
import type { ApprovalRecord } from "../domain/approvals.js";
import type { AuditRecord } from "../domain/audit.js";
import type { ContactChange } from "../domain/contacts.js";
import type { ErasureRecord, PersonalAnswerRecord } from "../domain/erasure.js";
import type { FactorResetRecord } from "../domain/factor-resets.js";
import type { SentCodeRecord } from "../domain/factors.js";
import type { KeyRecord } from "../domain/key-rotation.js";
import type { KnownPlaceRecord } from "../domain/known-places.js";
import type { PasswordResetRecord } from "../domain/password-resets.js";
import type { CustomerDetails, UserRecord } from "../domain/people.js";
import type { PluginCallRecord, PluginHealthRecord, PluginMinuteRecord } from "../domain/plugin-calls.js";
import type { PluginRecord } from "../domain/plugins.js";
import type { PreferenceChangeRecord } from "../domain/preference-changes.js";
import type { RegistrationRecord } from "../domain/registration.js";
import type { SealedField } from "../domain/sealed-field.js";
import type { RevocationRecord, SessionRecord } from "../domain/sessions.js";
import type { HostRecord, TenantRecord } from "../domain/tenants.js";
import type { TransferPartyRecord } from "../domain/transfer-parties.js";

/**
 * As MongoDB keeps it: the phone number sealed, with a keyed hash to look it up by, and the
 * personal details sealed as JSON.
 */
export type StoredCustomer = Omit<CustomerDetails, "phoneNumber" | "details"> & {
  phone?: SealedField & { lookUp: string };
  details?: SealedField;
  /** What they are found by; absent of whoever was erased. */
  searchWords?: string[];
  /** What they are found by who is looked for at the desk, misspelt too; as searchWords. */
  findKeys?: string[];
};

export type StoredUser = Omit<UserRecord, "customer"> & { customer?: StoredCustomer };

/** As MongoDB keeps it: under its id. */
export type StoredKey = Omit<KeyRecord, "keyId"> & { _id: string };

/** As MongoDB keeps it: both contacts sealed. */
export type StoredContactChange = Omit<ContactChange, "value" | "previous"> & {
  value: SealedField;
  previous?: SealedField;
};

/**
 * As MongoDB keeps it: what whoever asked wrote sealed as JSON, and why
 * it was decided sealed beside it.
 */
export type StoredApproval = Omit<
  ApprovalRecord,
  "summary" | "askedBecause" | "decidedBecause" | "agreed" | "joined"
> & {
  asked?: SealedField;
  decided?: SealedField;
  /** Effects of what was set quote values that people wrote. */
  agreed?: SealedField;
  joined?: SealedField;
  /** Once the retention of the customer is over: both are gone. */
  areWordsErased?: true;
};

/** Every collection that is reached through a tenant. */
export function openCollections(db: Connection) {
  return {
    tenants: tenantCollection<TenantRecord>(db, "tenants"),
    preferenceChanges: tenantCollection<PreferenceChangeRecord>(db, "preference_changes"),
    hosts: tenantCollection<HostRecord>(db, "hosts"),
    users: tenantCollection<StoredUser>(db, "users"),
    sessions: tenantCollection<SessionRecord>(db, "sessions"),
    revocations: tenantCollection<RevocationRecord>(db, "revocations"),
    passwordResets: tenantCollection<PasswordResetRecord>(db, "password_resets"),
    audit: tenantCollection<AuditRecord>(db, "audit"),
    personalAnswers: tenantCollection<PersonalAnswerRecord>(db, "personal_answers"),
    knownPlaces: tenantCollection<KnownPlaceRecord>(db, "known_places"),
    apiTokens: tenantCollection<ApiTokenRecord>(db, "api_tokens"),
    sentCodes: tenantCollection<SentCodeRecord>(db, "payment_codes"),
    approvals: tenantCollection<StoredApproval>(db, "approvals"),
    contactChanges: tenantCollection<StoredContactChange>(db, "contact_changes"),
    registrations: tenantCollection<RegistrationRecord>(db, "registrations"),
    factorResets: tenantCollection<FactorResetRecord>(db, "factor_resets"),
    transferParties: tenantCollection<TransferPartyRecord>(db, "transfer_parties"),
    erasures: tenantCollection<ErasureRecord>(db, "erasures"),
    plugins: tenantCollection<PluginRecord>(db, "plugins"),
    pluginCalls: tenantCollection<PluginCallRecord>(db, "plugin_calls"),
    pluginMinutes: tenantCollection<PluginMinuteRecord>(db, "plugin_minutes"),
    pluginHealth: tenantCollection<PluginHealthRecord>(db, "plugin_health"),
  };
}
