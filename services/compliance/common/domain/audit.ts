/** Something that a person decided. Entries are added and read, never changed. */
export interface AuditEntry {
  entryId: string;
  at: Date;
  /** User id, or the service whose credential was used. */
  actor: string;
  /** Of a user; empty for a service's credential. */
  role: string;
  /** Such as policy.publish. */
  action: string;
  /** Such as customer:c1. */
  subject: string;
  /** All that it is about, and is found by; the subject alone where absent. */
  subjects?: string[];
  reason: string;
  /** JSON text: what was decided. */
  content: string;
  interactionId: string;
}
