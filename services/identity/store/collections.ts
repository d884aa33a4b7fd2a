import type { Connection } from "mongoose";
import { recordCollection, type DocumentOf } from "../../kernel/mongo/record-collection.js";
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

/** Read past tenants: whose it is comes with it. */
export type Owned<T> = T & { tenantId: string };

export type StoredUserDocument = DocumentOf<StoredUser, "userId">;
export type StoredApprovalDocument = DocumentOf<StoredApproval, "approvalId">;

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
    tenants: recordCollection<TenantRecord, "tenantId">(db, "tenants", "tenantId"),
    preferenceChanges: recordCollection<PreferenceChangeRecord, "changeId">(db, "preference_changes", "changeId"),
    hosts: recordCollection<HostRecord, "host">(db, "hosts", "host"),
    users: recordCollection<StoredUser, "userId">(db, "users", "userId"),
    sessions: recordCollection<SessionRecord, "sessionId">(db, "sessions", "sessionId"),
    revocations: recordCollection<RevocationRecord, "revocationId">(db, "revocations", "revocationId"),
    passwordResets: recordCollection<PasswordResetRecord, "resetId">(db, "password_resets", "resetId"),
    audit: recordCollection<AuditRecord, "entryId">(db, "audit", "entryId"),
    personalAnswers: recordCollection<PersonalAnswerRecord, "personalAnswerId">(
      db,
      "personal_answers",
      "personalAnswerId",
    ),
    knownPlaces: recordCollection<KnownPlaceRecord, "placeId">(db, "known_places", "placeId"),
    apiTokens: recordCollection<ApiTokenRecord, "apiTokenId">(db, "api_tokens", "apiTokenId"),
    sentCodes: recordCollection<SentCodeRecord, "codeId">(db, "payment_codes", "codeId"),
    approvals: recordCollection<StoredApproval, "approvalId">(db, "approvals", "approvalId"),
    contactChanges: recordCollection<StoredContactChange, "changeId">(db, "contact_changes", "changeId"),
    registrations: recordCollection<RegistrationRecord, "registrationId">(db, "registrations", "registrationId"),
    factorResets: recordCollection<FactorResetRecord, "resetId">(db, "factor_resets", "resetId"),
    transferParties: recordCollection<TransferPartyRecord, "transferPartyId">(
      db,
      "transfer_parties",
      "transferPartyId",
    ),
    erasures: recordCollection<ErasureRecord, "erasureId">(db, "erasures", "erasureId"),
    plugins: recordCollection<PluginRecord, "installationId">(db, "plugins", "installationId"),
    pluginCalls: recordCollection<PluginCallRecord, "pluginCallId">(db, "plugin_calls", "pluginCallId"),
    pluginMinutes: recordCollection<PluginMinuteRecord, "pluginMinuteId">(db, "plugin_minutes", "pluginMinuteId"),
    pluginHealth: recordCollection<PluginHealthRecord, "installationId">(db, "plugin_health", "installationId"),
  };
}
