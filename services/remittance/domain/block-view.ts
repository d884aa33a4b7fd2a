import type { ShownStatus } from "./block.js";
import type { StatusChange, Transaction, TransactionStatus } from "./transaction.js";

/**
 * Where a transaction stands for everybody but managers: a block is told to nobody, so they see,
 * and are refused by, the neutral status that it stands for.
 */
export function shownStatus({
  status,
  block,
}: {
  status: TransactionStatus;
  block?: { shownAs?: ShownStatus };
}): ShownStatus {
  return status === "BLOCKED" ? (block?.shownAs ?? "PROCESSING") : status;
}

/** A transaction as it is shown to everybody but managers, whatever blocks it had. */
export function neutral(transaction: Transaction): Transaction {
  const { block, compliance, expiresAt, ...rest } = transaction;
  if (block === undefined) return transaction;
  const status = shownStatus(transaction);
  const isWaiting = status === "AWAITING_COMPLIANCE";
  const shown = compliance && isWaiting && compliance.decision === "APPROVED" ? underReview(compliance) : compliance;
  return {
    ...rest,
    status,
    ...(shown !== undefined && { compliance: shown }),
    ...(expiresAt !== undefined && !isWaiting && { expiresAt }),
    timeline: shownTimeline(transaction.timeline),
  };
}

/** As compliance answers whatever a person has to look at. */
function underReview({
  policyVersion,
}: NonNullable<Transaction["compliance"]>): NonNullable<Transaction["compliance"]> {
  return { decision: "REVIEW", reasonCode: "", message: "", outstandingRequirements: [], policyVersion };
}

function shownTimeline(timeline: readonly StatusChange[]): StatusChange[] {
  const shown: StatusChange[] = [];
  for (const { shownAs, isSecret, ...entry } of timeline) {
    const status = shownAs ?? entry.status;
    // Of two stops in a row, and of a stop and its end, one entry says all that was shown.
    if (status === "NOTHING" || shown.at(-1)?.status === status) continue;
    shown.push({ ...entry, status, ...(isSecret && { actor: "remittance", reason: "" }) });
  }
  return shown;
}
