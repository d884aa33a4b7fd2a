/** Who did what to whom, and why. */
export interface AuditRecord {
  _id: string;
  tenantId: string;
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
