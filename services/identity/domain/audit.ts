/** Who did what to whom, and why. */
export interface AuditRecord {
  entryId: string;
  at: Date;
  /** User id, or a service's name. */
  actor: string;
  action: string;
  /** User id, or another thing's. */
  subject: string;
  reason: string;
  /** What of the subject it was about, in one line. */
  detail?: string;
  interactionId: string;
}
