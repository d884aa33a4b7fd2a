export const passwordResetLifetimeMs = 30 * 60_000;

/** A token of a mail, known by its id and a MAC: what is kept cannot be presented. */
export interface PasswordResetRecord {
  resetId: string;
  userId: string;
  createdAt: Date;
  expiresAt: Date;
  usedAt?: Date;
}
