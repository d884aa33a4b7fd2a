import type { Filter } from "../../kernel/mongo/collection.js";
import { isDuplicateKey } from "../../kernel/mongo/transaction.js";
import { Refusal } from "../../kernel/refusal.js";
import type { FieldCipher } from "../credentials/sealing.js";
import type { StoredUser, StoredUserDocument } from "./collections.js";

/**
 * A field of the customer that is unique in its tenant, the user who logs in as them, or the phone
 * number they gave.
 */
export type CustomerKey =
  { customerId: string } | { customerCode: string } | { userId: string } | { phoneNumber: string };

export function customerFilter(key: CustomerKey, cipher: FieldCipher, tenantId: string): Filter<StoredUserDocument> {
  if ("customerId" in key) return { "customer.id": key.customerId };
  if ("customerCode" in key) return { "customer.code": key.customerCode };
  if ("phoneNumber" in key) return { "customer.phone.lookUp": cipher.lookUp(tenantId, "phone", key.phoneNumber) };
  return { _id: key.userId, role: "CUSTOMER" };
}

const takenMessages: Record<string, string> = {
  emailKey: "this e-mail address is registered already",
  "customer.code": "this customer code is taken already",
};

/** What was taken already, of a write that met one; undefined of any other failure. */
export function duplicateRefusal(error: unknown): Refusal | undefined {
  if (!isDuplicateKey(error)) return undefined;
  const keyPattern = (error as { keyPattern?: Record<string, unknown> }).keyPattern ?? {};
  const field = Object.keys(keyPattern).find((path) => takenMessages[path] !== undefined);
  return field === undefined ? undefined : new Refusal("ALREADY_EXISTS", takenMessages[field]!);
}

/** A customer as they were read, as far as words follow from it. */
export function wordsAsRead({ userId, emailKey, erasedAt, customer }: StoredUser): object {
  return {
    _id: userId,
    emailKey,
    "customer.firstName": customer?.firstName,
    "customer.lastName": customer?.lastName,
    "customer.standing.sequence": customer?.standing?.sequence ?? { $exists: false },
    erasedAt: { $exists: erasedAt !== undefined },
  };
}
