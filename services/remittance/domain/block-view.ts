import type { ShownStatus } from "./block.js";
import type { StatusChange, Transaction, TransactionStatus } from "./transaction.js";

/**
 * Where a transaction stands for whoever may not know of blocks: they see, and are refused by, the
 * neutral status that BLOCKED stands for. What nobody has paid for waits for compliance, as in
 * every review; what was paid for is on its way.
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

/** A transaction as it is shown to whoever may not know of blocks, whatever blocks it had. */
export function neutral(transaction: Transaction): Transaction {
  const { block, compliance, expiresAt, ...rest } = transaction;
  if (block === undefined) return transaction;
  const status = shownStatus(transaction);
  const isWaiting = status === "AWAITING_COMPLIANCE";
  const isDecided = compliance?.decision === "APPROVED" || compliance?.decision === "REJECTED";
  const shown = compliance && isWaiting && isDecided ? underReview(compliance) : compliance;
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
  let isBehindStop = false;
  for (const { shownAs, isSecret, ...entry } of timeline) {
    const status = shownAs ?? entry.status;
    const isOfBlock = shownAs !== undefined || isSecret === true;
    // Of two stops in a row, and of a stop and its end, one entry says all that was shown.
    const isShown = shown.at(-1)?.status === status && (isOfBlock || isBehindStop);
    isBehindStop = isOfBlock;
    if (isShown) continue;
    shown.push({ ...entry, status, ...(isSecret && { actor: "remittance", reason: "" }) });
  }
  return shown;
}
