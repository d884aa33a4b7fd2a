import type { SubjectRef } from "../../common/domain/subject.js";

/**
 * A hit that keeps a customer's money where it is; kept with the
 * customer, whom every decision locks.
 */
export interface Stop {
  /**
   * Whose: empty of the customer, or what follows "<customerId>/" in the recipient's subject id.
   */
  of: string;
  standing: "OPEN" | "CONFIRMED";
}

/** What a confirmed hit did to a customer's status. */
export interface Block {
  blockId: string;
  /** The status that the customer had; absent where another block was there. */
  statusBefore?: "PENDING" | "CONFIRMED" | "BLOCKED";
}

export function stopName({ id, customerId }: SubjectRef): string {
  return id.slice(customerId.length + 1);
}

/** The stops with what one subject's hits come to now. */
export function withStop(stops: readonly Stop[], of: string, standing: Stop["standing"] | undefined): Stop[] {
  const others = stops.filter((one) => one.of !== of);
  return standing === undefined ? others : [...others, { of, standing }].toSorted((a, b) => (a.of < b.of ? -1 : 1));
}

/** Stops of the customer, and of a recipient where one is paid. */
export function stopsOn(stops: readonly Stop[], recipient: string | undefined): Stop[] {
  const isAsked = ({ of }: Stop) =>
    of === "" || (recipient !== undefined && (of === recipient || of === `${recipient}/holder`));
  return stops.filter(isAsked);
}

/**
 * Whose confirmed hits hold what a customer sends: all of it, or what
 * goes to recipients of these codes.
 */
export function heldBy(stops: readonly Stop[], isCustomerBlocked: boolean): "ALL" | string[] {
  const confirmed = stops.filter(({ standing }) => standing === "CONFIRMED");
  if (isCustomerBlocked || confirmed.some(({ of }) => of === "")) return "ALL";
  return [...new Set(confirmed.map(({ of }) => of.split("/")[0]!))];
}
