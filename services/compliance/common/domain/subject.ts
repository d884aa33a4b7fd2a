import type { ListSource } from "../../lists/domain/list-entry.js";

export const subjectKinds = ["CUSTOMER", "RECIPIENT", "STAFF", "SEARCH"] as const;
export type SubjectKind = (typeof subjectKinds)[number];

/** Somebody who is compared with lists. */
export interface SubjectRef {
  kind: SubjectKind;
  /**
   * Customer id, "<customerId>/<recipientCode>" (with "/holder" for who owns the account),
   * user id, or the id of the search.
   */
  id: string;
  /** The customer behind it; empty for STAFF and SEARCH. */
  customerId: string;
}

/** A version of a list that somebody was compared with. */
export interface UsedList {
  source: ListSource;
  listId: string;
  version: number;
}

export function customerSubject(customerId: string): SubjectRef {
  return { kind: "CUSTOMER", id: customerId, customerId };
}

/** `code` names the recipient among the customer's own. */
export function recipientSubject(customerId: string, code: string, isHolder = false): SubjectRef {
  return { kind: "RECIPIENT", id: `${customerId}/${code}${isHolder ? "/holder" : ""}`, customerId };
}

export function staffSubject(userId: string): SubjectRef {
  return { kind: "STAFF", id: userId, customerId: "" };
}

/** "CUSTOMER:c1". */
export function subjectName({ kind, id }: Pick<SubjectRef, "kind" | "id">): string {
  return `${kind}:${id}`;
}
