import type { ApprovalKind } from "../domain/approvals.js";
import type { ContactType } from "../domain/contacts.js";
import type { Preference } from "../domain/tenants.js";
import type { Role } from "../domain/roles.js";
import type { WrappedSecret } from "../../shared/erasure/kms.js";
import type { SealedField } from "../credentials/sealing.js";

export interface TenantDocument {
  /** The tenant's id. */
  _id: string;
  tenantId: string;
  name: string;
  hosts: string[];
  preference: Preference;
  /** Of a sandbox: the live tenant. */
  sandboxOf?: string;
  /** How many days a sandbox's business time is ahead of real time; 0 where absent. */
  businessDaysAhead?: number;
  createdAt: Date;
  updatedAt: Date;
  /** Changes with every write, so that a commit of unknown outcome can be recognised. */
  revision: string;
}

/** Who changed a tenant's preference, and what. Added and read, never changed. */
export interface PreferenceChangeDocument {
  _id: string;
  tenantId: string;
  at: Date;
  /** User id, or "operator". */
  actor: string;
  reason: string;
  /** Values as JSON text; `before` is empty where there was none. */
  fields: { field: string; before: string; after: string }[];
  interactionId: string;
}

/** Not sharded: `_id` is unique over all tenants. */
export interface HostDocument {
  /** The host. */
  _id: string;
  tenantId: string;
}

/** The customer that a user logs in as. */
export interface CustomerPart {
  id: string;
  code: string;
  firstName: string;
  lastName: string;
  /** Empty where none was given. */
  phoneNumber: string;
  country: string;
  agentId?: string;
  /** As compliance last told; absent before the first time. */
  standing?: { status: CustomerStatus; sequence: number; at: Date };
  /** How often compliance was told of a change; absent before the first. */
  revision?: number;
}

export const customerStatuses = ["PENDING", "CONFIRMED", "BLOCKED"] as const;
export type CustomerStatus = (typeof customerStatuses)[number];

/** As MongoDB keeps it: the phone number sealed, with a keyed hash to look it up by. */
export type StoredCustomerPart = Omit<CustomerPart, "phoneNumber"> & { phone?: SealedField & { lookUp: string } };

export interface UserDocument {
  _id: string;
  tenantId: string;
  email: string;
  /** What e-mail addresses are compared by. */
  emailKey: string;
  name: string;
  role: Role;
  passwordHash: string;
  /** Others chose the password: it signs in until then, and only to be changed. */
  passwordForOneSignIn?: { until: Date };
  /** Present exactly where the role is CUSTOMER. */
  customer?: CustomerPart;
  createdAt: Date;
  /** User id, or a service's name. */
  createdBy: string;
  factors?: UserFactorsPart;
  /** When a reset last took their second factors away. */
  factorsResetAt?: Date;
  /** Nobody gets in as them while it is there. */
  disabled?: { at: Date; by: string; reason: string };
  erasedAt?: Date;
}

export type StoredUser = Omit<UserDocument, "customer"> & { customer?: StoredCustomerPart };

export type CustomerDocument = UserDocument & { customer: CustomerPart };

/** A session is a family of refresh tokens. It holds nothing that could be presented. */
export interface SessionDocument {
  _id: string;
  tenantId: string;
  userId: string;
  /** Counter of the newest refresh token handed out. */
  counter: number;
  rotatedAt: Date;
  /** Key of the access token that went with it: a repeated answer is signed by the same. */
  accessKeyId: string;
  refreshKeyId: string;
  createdAt: Date;
  idleUntil: Date;
  /** 90 days after login; MongoDB removes the session then. */
  endsAt: Date;
  ipAddress: string;
  revokedAt?: Date;
  revokedBecause?: string;
}

/** A place that somebody has signed in from: docs/decisions/0029. */
export interface KnownPlaceDocument {
  /** Keyed hash of tenant, account and network. */
  _id: string;
  tenantId: string;
  userId: string;
  expiresAt: Date;
}

/** Lives as long as an access token that it revokes could. */
export interface RevocationDocument {
  /** `session:<id>` or `user:<id>`. */
  _id: string;
  tenantId: string;
  kind: "session" | "user";
  subjectId: string;
  /** Of a user: tokens issued before it are revoked. Of a session: from when on all of its tokens are; the epoch for one that ends at once. */
  issuedBefore: Date;
  expiresAt: Date;
  /** Whether Redis has been told. */
  mirrored: boolean;
}

export const keyPurposes = ["access-token", "refresh-token", "personal-data", "mac"] as const;
export type KeyPurpose = (typeof keyPurposes)[number];

export interface StoredKey {
  keyId: string;
  purpose: KeyPurpose;
  /** One per purpose is CURRENT, the newest; it is used from `activeFrom` on, those before it until then. */
  state: "CURRENT" | "PREVIOUS";
  secret: WrappedSecret;
  publicJwk?: { kty: string; crv: string; x: string };
  createdAt: Date;
  activeFrom: Date;
}

export type KeyDocument = Omit<StoredKey, "keyId"> & { _id: string };

/** A token of a mail, known by its id and a MAC: what is kept cannot be presented. */
export interface PasswordResetDocument {
  _id: string;
  tenantId: string;
  userId: string;
  createdAt: Date;
  expiresAt: Date;
  usedAt?: Date;
}

/** Who did what to whom, and why. */
export interface AuditDocument {
  _id: string;
  tenantId: string;
  at: Date;
  /** User id, or a service's name. */
  actor: string;
  action: string;
  /** User id, or another thing's. */
  subject: string;
  reason: string;
  interactionId: string;
}

/** Where a stored answer holds a person's data, so that erasing them finds it. */
export interface PersonalAnswerDocument {
  _id: string;
  tenantId: string;
  userId: string;
  caller: string;
  operation: string;
  key: string;
}

/** One secret of an API token. What is kept of it is a hash. */
export interface ApiTokenSecret {
  /** Names the secret in the token's text. */
  lookUp: string;
  /** SHA-256 of the token's text, base64url: 256 random bits need no slow hash. */
  hash: string;
  prefix: string;
  /** Session id of the access tokens that it is exchanged for. */
  sessionId: string;
  /** When it ends before the token does: it was rotated. */
  until?: Date;
}

export interface ApiTokenDocument {
  _id: string;
  tenantId: string;
  userId: string;
  name: string;
  scopes: string[];
  createdAt: Date;
  expiresAt: Date;
  lastUsedAt?: Date;
  invalidatedAt?: Date;
  /** The newest first. */
  secrets: ApiTokenSecret[];
}

/** What a user has beside their password. */
export interface UserFactorsPart {
  totp?: {
    /** Base32, sealed. */
    secret: SealedField;
    confirmedAt?: Date;
    /** The time step of the last code that was used: it and those before are worth nothing. */
    lastStep: number;
  };
  pin?: { hash: string; misses: number };
  /** The user's own choice, beyond the tenant's. */
  chosen?: { otp: boolean; pin: boolean };
}

/** A code that was sent; it is computed from its id, never stored. */
export interface PaymentCodeDocument {
  _id: string;
  tenantId: string;
  userId: string;
  /** Digest of amount, currency and payee. */
  binding: string;
  tries: number;
  createdAt: Date;
  expiresAt: Date;
  usedAt?: Date;
}

/** A contact that somebody is to have: it counts once its code was entered. */
export interface ContactChange {
  _id: string;
  tenantId: string;
  userId: string;
  type: ContactType;
  value: string;
  /** What counted when it was asked for; empty where there was none. */
  previous: string;
  state: "PENDING" | "CONFIRMED" | "REPLACED";
  tries: number;
  /** Its owner asked, and has shown then that it was they. */
  byOwner: boolean;
  createdAt: Date;
  expiresAt: Date;
}

export type ContactChangeDocument = Omit<ContactChange, "value" | "previous"> & {
  value: SealedField;
  previous?: SealedField;
};

export interface RegistrationDetails {
  email: string;
  firstName: string;
  lastName: string;
  phoneNumber: string;
  country: string;
}

/** Somebody who wants to be a customer and has not shown yet that the e-mail address is theirs. MongoDB removes it. */
export interface RegistrationDocument {
  _id: string;
  tenantId: string;
  /** Sealed JSON; gone once it became an account. */
  details?: SealedField;
  passwordHash?: string;
  tries: number;
  createdAt: Date;
  expiresAt: Date;
  /** Whose account it became. */
  userId?: string;
}

export type FactorResetState = "ASKED" | "WAITING" | "DONE" | "STOPPED" | "REFUSED";

/** Somebody's second factors are to be taken away. */
export interface FactorResetDocument {
  _id: string;
  tenantId: string;
  userId: string;
  state: FactorResetState;
  /** While it is ASKED or WAITING. */
  open?: true;
  askedBy: string;
  reason: string;
  askedAt: Date;
  /** Absent where the operator asked. */
  approvalId?: string;
  dueAt?: Date;
}

export type ApprovalStatus = "PENDING" | "APPROVED" | "REFUSED" | "EXPIRED";

export interface ApprovalDocument {
  _id: string;
  tenantId: string;
  kind: ApprovalKind;
  service: string;
  subject: string;
  summary: string;
  amount?: { minor: bigint; currency: string };
  payloadJson: string;
  status: ApprovalStatus;
  askedBy: string;
  askedBecause: string;
  askedAt: Date;
  expiresAt: Date;
  decidedBy?: string;
  decidedBecause?: string;
  decidedAt?: Date;
}

export type ErasureStage = "AT_ONCE" | "AFTER_RETENTION";

export interface CountedRecords {
  kind: string;
  records: bigint;
}

/** What a service answered last at a stage of an erasure. */
export interface ErasureAnswer {
  service: string;
  stage: ErasureStage;
  at: Date;
  erased: CountedRecords[];
  kept: CountedRecords[];
}

/** A person who was erased, and what those who keep personal data made of it. */
export interface ErasureDocument {
  _id: string;
  tenantId: string;
  customerId: string;
  userId: string;
  at: Date;
  by: string;
  reason: string;
  /** Until when the services keep what the law wants kept. */
  retainedUntil: Date;
  /** Who was told. */
  services: string[];
  answers: ErasureAnswer[];
}
