import type { SubjectRef } from "../../common/domain/subject.js";

/**
 * A hit that keeps a customer's money where it is; kept with the
 * customer, whom every decision locks.
 */
export interface SubjectHold {
  /**
   * Whose: empty of the customer, or what follows "<customerId>/" in the recipient's subject id.
   */
  recipientKey: string;
  status: "OPEN" | "CONFIRMED";
}

/** What a confirmed hit did to a customer's status. */
export interface Block {
  blockId: string;
  /** The status that the customer had; absent where another block was there. */
  statusBefore?: "PENDING" | "CONFIRMED" | "BLOCKED";
}

export function recipientKeyOf({ id, customerId }: SubjectRef): string {
  return id.slice(customerId.length + 1);
}

/** The holds with what one subject's hits come to now. */
export function withHold(
  holds: readonly SubjectHold[],
  recipientKey: string,
  status: SubjectHold["status"] | undefined,
): SubjectHold[] {
  const others = holds.filter((one) => one.recipientKey !== recipientKey);
  if (status === undefined) return others;
  return [...others, { recipientKey, status }].toSorted((a, b) => (a.recipientKey < b.recipientKey ? -1 : 1));
}

/** Holds of the customer, and of a recipient where one is paid. */
export function holdsOn(holds: readonly SubjectHold[], recipient: string | undefined): SubjectHold[] {
  const isRequested = ({ recipientKey: of }: SubjectHold) =>
    of === "" || (recipient !== undefined && (of === recipient || of === `${recipient}/holder`));
  return holds.filter(isRequested);
}

/**
 * Whose confirmed hits hold what a customer sends: all of it, or what
 * goes to recipients of these codes.
 */
export function heldBy(holds: readonly SubjectHold[], isCustomerBlocked: boolean): "ALL" | string[] {
  const confirmed = holds.filter(({ status }) => status === "CONFIRMED");
  if (isCustomerBlocked || confirmed.some(({ recipientKey: of }) => of === "")) return "ALL";
  return [...new Set(confirmed.map(({ recipientKey: of }) => of.split("/")[0]!))];
}
