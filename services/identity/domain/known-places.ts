/** A place that somebody has signed in from: docs/decisions/0003. */
export interface KnownPlaceRecord {
  /** Keyed hash of tenant, account and network. */
  placeId: string;
  userId: string;
  expiresAt: Date;
}
