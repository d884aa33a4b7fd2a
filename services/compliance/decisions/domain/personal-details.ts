import { compareMoney, type Money } from "../../../kernel/money.js";
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

export interface RequiredDetail {
  detail: string;
  /** REGISTRATION, FIRST_TRANSACTION or ABOVE_AMOUNT. */
  at: string;
  /** Of ABOVE_AMOUNT: compared with transactions of its own currency. */
  amount?: Money;
}

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
  required: readonly RequiredDetail[],
  known: readonly KnownDetail[] | undefined,
  { operation, amount }: { operation: Operation; amount: Money },
  day: string,
): string[] {
  if (!isMovement(operation)) return [];
  const requested = required.filter((one) => isRequiredAt(one, amount)).map(({ detail }) => detail);
  const missing = requested.filter((detail) => !(known ?? []).some((one) => one.detail === detail && lasts(one, day)));
  return [...new Set(missing.map((detail) => outstandingByDetail[detail] ?? detail))].toSorted();
}

/** Whether a customer has a detail now that was not known before. */
export function knowsMore(before: readonly KnownDetail[] | undefined, after: readonly KnownDetail[] = []): boolean {
  return after.some(({ detail, until }) => !(before ?? []).some((one) => one.detail === detail && one.until === until));
}

function isRequiredAt({ at, amount: above }: RequiredDetail, amount: Money): boolean {
  if (at !== "ABOVE_AMOUNT") return true;
  return above !== undefined && above.currency === amount.currency && compareMoney(amount, above) > 0;
}

function lasts({ until }: KnownDetail, day: string): boolean {
  return until === undefined || day <= until;
}
