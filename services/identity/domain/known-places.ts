/** A place that somebody has signed in from: docs/decisions/0029. */
export interface KnownPlaceRecord {
  /** Keyed hash of tenant, account and network. */
  _id: string;
  tenantId: string;
  userId: string;
  expiresAt: Date;
}
