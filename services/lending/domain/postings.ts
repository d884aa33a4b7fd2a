import type { Movement } from "../../platform/books/movements.js";

/** A linked group of transfers that the ledger is asked for, once, whoever asks how often. */
export interface Posting {
  readonly postingId: string;
  readonly currency: string;
  readonly transfers: readonly PlannedTransfer[];
  readonly interactionId: string;
  readonly createdBy: string;
  readonly isOpen: boolean;
  /** The business day that it counts for. */
  readonly on: string;
  /** The loan whose principal account has to be there first. */
  readonly opens?: { readonly accountId: string; readonly customerId: string; readonly productName: string };
}

export interface PlannedTransfer extends Movement {
  readonly key: string;
  readonly kind: string;
  readonly description: string;
}

/** Everything in it follows from what is stored, so that repeating it changes nothing. */
export function postingOf(
  postingId: string,
  currency: string,
  movements: readonly Movement[],
  about: { kind: string; description: string; interactionId: string; createdBy: string; on: string },
): Posting {
  const { kind, description, interactionId, createdBy, on } = about;
  const transfers = movements.map((movement, index) => ({
    ...movement,
    key: `lending:${postingId}:${index + 1}`,
    kind,
    description,
  }));
  return { postingId, currency, transfers, interactionId, createdBy, on, isOpen: true };
}
