import type { RefusalCode, RefusalDetails } from "../../shared/refusal.js";

/** Who asked for something that takes more than one step, kept with it so that recovery goes on in their name. */
export interface SagaOrigin {
  /** Scope of the idempotency record that gets the answer; empty for what the calendar asks for. */
  readonly caller: string;
  readonly idempotencyKey: string;
  readonly interactionId: string;
  /** User id, or this service; lands on the ledger's entries. */
  readonly createdBy: string;
}

/** A refusal that ended a saga. */
export interface KeptRefusal {
  readonly code: RefusalCode;
  readonly message: string;
  readonly details?: RefusalDetails;
}
