/** Somebody at a desk read a sender's recipients, or saved one for them. */
export interface RecipientLook {
  readonly lookId: string;
  /** Whose recipients. */
  readonly customerId: string;
  /** User id. */
  readonly by: string;
  readonly role: string;
  readonly what: "READ" | "SAVED";
  /** Of the one that was saved. */
  readonly code?: string;
  readonly at: Date;
  readonly interactionId: string;
}
