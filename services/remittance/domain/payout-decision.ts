import { compareMoney, formatMoney, money, type Money } from "../../kernel/money.js";
import { invalidInput } from "../../kernel/refusal.js";
import { isPaidByPartner } from "./accepted-payout-polling.js";
import { mayBeDecided } from "./asked-of-person.js";
import {
  changing,
  conflict,
  isGivenBackOnRequest,
  payoutOf,
  type RequestedOutcome,
  type PartnerPayout,
  type Step,
} from "./payout.js";
import type { Transaction } from "./transaction.js";

/**
 * One person says how a payout has ended of which the partner has said what ends nothing. Refuses
 * STATE_CONFLICT where nothing is unclear, another word waits for its second person, or money was
 * given back on request; INVALID_INPUT for what cannot have been kept.
 */
export function requestOutcome(transaction: Transaction, requested: RequestedOutcome, now: Date): Step {
  const { unclear } = payoutOf(transaction);
  if (unclear === undefined || !isPaidByPartner(transaction)) {
    throw conflict("nothing of this payout waits for a person's word");
  }
  if (unclear.asked !== undefined && mayBeDecided(unclear.asked, now)) {
    throw conflict("another word about this payout waits for a second person");
  }
  assertDeduction(requested, transaction.price.receive);
  if (requested.outcome !== "PAID" && isGivenBackOnRequest(transaction)) {
    throw conflict("money of this transaction was given back on request");
  }
  return { change: changing(transaction, { unclear: { ...unclear, asked: requested } }), drive: "KEEP" };
}

/** What identity made of the question; undefined where it was decided or overtaken meanwhile. */
export function recordRequest(
  transaction: Transaction,
  outcomeId: string,
  approvalId: string | undefined,
): Step | undefined {
  const { unclear } = payoutOf(transaction);
  if (unclear?.asked?.outcomeId !== outcomeId || unclear.asked.approvalId !== undefined) return undefined;
  const { asked, ...open } = unclear;
  const noted = approvalId === undefined ? open : { ...open, asked: { ...asked, approvalId } };
  return { change: changing(transaction, { unclear: noted }), drive: "KEEP" };
}

/**
 * Whether its whole refund may follow from what two persons say, or have said, about how it ended.
 */
export function mayBeRevoked(transaction: Transaction, now: Date): boolean {
  const { asked } = payoutOf(transaction).unclear ?? {};
  if (asked !== undefined && asked.outcome !== "PAID" && mayBeDecided(asked, now)) return true;
  const report = decidedReport(transaction);
  return report !== undefined && report.status !== "PAID";
}

/**
 * The second person's answer; undefined where it is known already, or what was unclear is clear by
 * now. It stays unclear where money was given back on request meanwhile: another word is asked for.
 */
export function decideOutcome(
  transaction: Transaction,
  outcomeId: string,
  decision: { approved: boolean; decidedBy: string; approvalId: string },
  now: Date,
): Step | undefined {
  const { unclear } = payoutOf(transaction);
  if (unclear?.asked?.outcomeId !== outcomeId) return undefined;
  const { asked, said, ...open } = unclear;
  const { approved, decidedBy, approvalId } = decision;
  const isOvertaken = asked.outcome !== "PAID" && isGivenBackOnRequest(transaction);
  if (!approved || isOvertaken) return { change: changing(transaction, { unclear: { ...open, said } }), drive: "KEEP" };
  const decided = { ...asked, approvalId, decidedBy, said };
  const change = changing(transaction, { decided, unclear: undefined });
  const isToDo = decidedReport({ ...transaction, ...change.set }) !== undefined;
  return { change, drive: isToDo ? { at: now } : "KEEP" };
}

/**
 * What the partner would have said had it said how it ended; undefined
 * where that is not decided, or done.
 */
export function decidedReport(transaction: Transaction): PartnerPayout | undefined {
  const { decided, outcome: known } = payoutOf(transaction);
  if (decided === undefined) return undefined;
  const { receive } = transaction.price;
  const { outcome: status, kept = money(0n, receive.currency), reason } = decided;
  const report = { reason, amount: receive };
  switch (transaction.status) {
    case "BLOCKED":
      if (transaction.block?.recall !== "ASKED") return undefined;
      return known === undefined ? { ...report, status, kept } : undefined;
    case "PROCESSING":
    case "READY_FOR_PICKUP":
    case "CANCELLING":
      return known === undefined ? { ...report, status, kept } : undefined;
    case "COMPLETED":
    case "PARTIALLY_REFUNDED":
      // What was settled can come back alone, and a refusal after it is that nothing was kept.
      return known === "PAID" && status !== "PAID" ? { ...report, status: "RETURNED", kept } : undefined;
    default:
      return undefined;
  }
}

function assertDeduction({ outcome, kept }: RequestedOutcome, receive: Money): void {
  if (kept === undefined) return;
  if (outcome !== "RETURNED") throw invalidInput("kept", "is of RETURNED alone");
  if (kept.currency !== receive.currency) throw invalidInput("kept", `must be in ${receive.currency}`);
  if (compareMoney(kept, receive) > 0) {
    throw invalidInput("kept", `must not be above ${formatMoney(receive)}`);
  }
}
