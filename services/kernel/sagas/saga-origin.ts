/**
 * Who asked for something that takes more than one step, kept with it so that recovery goes on in
 * their name.
 */
export interface SagaOrigin {
  /**
   * Scope of the idempotency record that gets the answer; without meaning where there is no key.
   */
  readonly caller: string;
  /**
   * Empty for what no request asks for, such as the calendar's work: nobody waits for an answer.
   */
  readonly idempotencyKey: string;
  readonly interactionId: string;
  /** User id, or the calling service; lands on the ledger's entries. */
  readonly createdBy: string;
}
