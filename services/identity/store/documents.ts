import type { Preference } from "../domain/tenants.js";
import type { Role } from "../domain/roles.js";
import type { WrappedSecret } from "../kms.js";

export interface TenantDocument {
  /** The tenant's id. */
  _id: string;
  tenantId: string;
  name: string;
  hosts: string[];
  preference: Preference;
  createdAt: Date;
  updatedAt: Date;
  /** Changes with every write, so that a commit of unknown outcome can be recognised. */
  revision: string;
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
  phoneNumber: string;
  country: string;
  agentId?: string;
}

export interface UserDocument {
  _id: string;
  tenantId: string;
  email: string;
  /** What e-mail addresses are compared by. */
  emailKey: string;
  name: string;
  role: Role;
  passwordHash: string;
  /** Present exactly where the role is CUSTOMER. */
  customer?: CustomerPart;
  createdAt: Date;
  /** User id, or a service's name. */
  createdBy: string;
}

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

/** Lives as long as an access token that it revokes could. */
export interface RevocationDocument {
  /** `session:<id>` or `user:<id>`. */
  _id: string;
  tenantId: string;
  kind: "session" | "user";
  subjectId: string;
  /** Tokens issued before it are revoked; all of them where a session is. */
  issuedBefore: Date;
  expiresAt: Date;
  /** Whether Redis has been told. */
  mirrored: boolean;
}

export type KeyPurpose = "access-token" | "refresh-token";

export interface StoredKey {
  keyId: string;
  purpose: KeyPurpose;
  /** One per purpose is CURRENT; PREVIOUS ones still verify. */
  state: "CURRENT" | "PREVIOUS";
  secret: WrappedSecret;
  publicJwk?: { kty: string; crv: string; x: string };
  createdAt: Date;
}

export type KeyDocument = Omit<StoredKey, "keyId"> & { _id: string };
