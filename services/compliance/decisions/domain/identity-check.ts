import type { CustomerRecord } from "./customer.js";
import { renew } from "./requirements.js";

export const identityStatuses = ["VERIFIED", "NOT_VERIFIED", "REFER", "PENDING"] as const;
export type IdentityStatus = (typeof identityStatuses)[number];

type CheckedCustomer = Pick<CustomerRecord, "customerId" | "requirements" | "details" | "detailsRevision">;

const needed = ["DATE_OF_BIRTH", "IDENTITY_DOCUMENT"];

/**
 * The reference under which a partner is asked whether somebody is who their document says;
 * undefined where nothing is to be asked. Each cycle of the requirement is another question, and so
 * is another name or another document: an answer to the one says nothing of the other.
 */
export function identityQuestion({ customerId, requirements, details = [], detailsRevision }: CheckedCustomer) {
  const one = requirements.find(({ kind }) => kind === "IDENTITY_DOCUMENT");
  // What staff have rejected is staff's.
  const isOpen = one?.state === "OUTSTANDING" || one?.state === "EXPIRED";
  if (!isOpen || one.ruleIds.length === 0) return undefined;
  if (!needed.every((part) => details.some(({ detail }) => detail === part))) return undefined;
  const reference = `${customerId}:${one.requirementId}:${renew(one).cycle}`;
  return detailsRevision === undefined ? reference : `${reference}:${detailsRevision}`;
}

/** Whether a change of a customer made it something to ask. */
export function isNewIdentityQuestion(before: CheckedCustomer, after: CheckedCustomer): boolean {
  const question = identityQuestion(after);
  return question !== undefined && question !== identityQuestion(before);
}
