import { isMovement, type Operation } from "./conditions.js";

/** Details that an organisation may require of customers, by what a customer is asked for. */
export const outstandingByDetail: Readonly<Record<string, string>> = {
  DATE_OF_BIRTH: "DATE_OF_BIRTH",
  PLACE_OF_BIRTH: "PLACE_OF_BIRTH",
  NATIONALITY: "NATIONALITY",
  ADDRESS: "ADDRESS",
  // IDENTITY_DOCUMENT is the picture of one, which is handed in and reviewed.
  IDENTITY_DOCUMENT: "IDENTITY_DOCUMENT_DETAILS",
};

/** A detail that identity has; never what it says. */
export interface KnownDetail {
  detail: string;
  /**
   * Of documents: the last calendar day of the one that lasts longest; absent where one never ends.
   */
  until?: string;
}

/**
 * What is still to be given before this move of money, in the order of names. A detail of
 * REGISTRATION is asked of those who registered before it was required. What moves nothing asks
 * for none.
 */
export function missingDetails(
  required: readonly string[],
  known: readonly KnownDetail[] | undefined,
  { operation }: { operation: Operation },
  day: string,
): string[] {
  if (!isMovement(operation)) return [];
  const missing = required.filter((detail) => !(known ?? []).some((one) => one.detail === detail && lasts(one, day)));
  return [...new Set(missing.map((detail) => outstandingByDetail[detail] ?? detail))].toSorted();
}

/** Whether a customer has a detail now that was not known before. */
export function knowsMore(before: readonly KnownDetail[] | undefined, after: readonly KnownDetail[] = []): boolean {
  return after.some(({ detail, until }) => !(before ?? []).some((one) => one.detail === detail && one.until === until));
}

function lasts({ until }: KnownDetail, day: string): boolean {
  return until === undefined || day <= until;
}
