import type { CustomerDetails } from "./people.js";
import type { SealedField } from "./sealed-field.js";

/** What a bank is told of whoever a transfer is made for; numbers of documents are not. */
export type TransferParty = Pick<CustomerDetails, "id" | "code" | "firstName" | "lastName" | "country" | "details">;

/**
 * Who a customer was when a transfer for them was first sent: whoever sends it again says the same.
 * MongoDB removes it.
 */
export interface TransferPartyRecord {
  transferPartyId: string;
  /** The service whose transfer it is, and its reference of it. */
  transfer: string;
  customerId: string;
  /** Sealed JSON. */
  party: SealedField;
  expiresAt: Date;
}

// Longer than a bank that does not know a transfer is sent it again.
const keptForMs = 90 * 86_400_000;

export const keptUntil = (now: Date): Date => new Date(now.getTime() + keptForMs);

export function partyOf({ id, code, firstName, lastName, country, details }: CustomerDetails): TransferParty {
  const { identityDocuments: _documents, ...told } = details ?? {};
  return { id, code, firstName, lastName, country, details: told };
}
