/** A session is a family of refresh tokens. It holds nothing that could be presented. */
export interface SessionRecord {
  sessionId: string;
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
export interface RevocationRecord {
  /** `session:<id>` or `user:<id>`. */
  revocationId: string;
  kind: "session" | "user";
  subjectId: string;
  /**
   * Of a user: tokens issued before it are revoked. Of a session: from when on all of its tokens
   * are; the epoch for one that ends at once.
   */
  issuedBefore: Date;
  expiresAt: Date;
  /** Whether Redis has been told. */
  mirrored: boolean;
}
