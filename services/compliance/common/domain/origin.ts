/** Who is behind a change, for outbox rows and history. */
export interface Origin {
  tenantId: string;
  interactionId: string;
  actor: string;
}
