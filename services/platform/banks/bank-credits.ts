import { creditMetrics } from "./credit-metrics.js";
import { erasedText } from "../erasure/erasure.js";
import type { Logger } from "../../kernel/process/log.js";
import { parseMoney, type Money } from "../../kernel/money.js";
import { Refusal } from "../../kernel/refusal.js";
import { isSandbox } from "../sandbox/sandbox.js";

/**
 * A credit of which nothing can be booked: beyond int64, of a currency that nobody has, or of
 * nothing.
 */
export interface UnreadableCredit {
  readonly creditId: string;
  /** In the bank's words. */
  readonly amount: string;
  readonly currency: string;
  readonly reason: string;
}

interface CreditText {
  readonly creditId: string;
  readonly amount: string;
  readonly currency: string;
  readonly receivedAt: string;
}

/**
 * Those of a page that can be booked, and those that cannot: one of them must not keep the others
 * from arriving.
 */
export function readCredits<Given extends CreditText>(page: readonly Given[]) {
  const credits: (Omit<Given, "amount" | "currency" | "receivedAt"> & { amount: Money; receivedAt: Date })[] = [];
  const unreadable: UnreadableCredit[] = [];
  for (const { amount, currency, receivedAt, ...credit } of page) {
    const read = amountOf(amount, currency);
    if (read instanceof Refusal) {
      unreadable.push({ creditId: credit.creditId, amount, currency, reason: read.message });
    } else credits.push({ ...credit, amount: read, receivedAt: new Date(receivedAt) });
  }
  return { credits, unreadable };
}

/** Says of each that it lies at the bank and in no book: an operator asks the bank about its id. */
export function reportUnreadable(unreadable: readonly UnreadableCredit[], tenantId: string, log: Logger): void {
  for (const credit of unreadable) {
    if (!isSandbox(tenantId)) creditMetrics.unreadable.inc();
    log.error({ tenantId, ...credit }, "a credit of the bank cannot be booked and was passed over");
  }
}

interface CreditContent {
  readonly creditId: string;
  readonly reference: string;
  readonly amount: Money;
  readonly senderName: string;
}

/**
 * Says where a bank lists a credit as another one than it has under this id in the books, which
 * stays: a bank that numbers its credits anew would have its new ones taken for known. What the
 * parts are is not said, since a reference may name somebody.
 */
export function reportChanged(known: CreditContent, listed: CreditContent, tenantId: string, log: Logger): void {
  // A reference that names a person is erased with them.
  const isErased = known.senderName === erasedText;
  const changed = [
    ...(known.amount.minor === listed.amount.minor ? [] : ["amount"]),
    ...(known.amount.currency === listed.amount.currency ? [] : ["currency"]),
    ...(isErased || known.reference === listed.reference ? [] : ["reference"]),
  ];
  if (changed.length === 0) return;
  if (!isSandbox(tenantId)) creditMetrics.changed.inc();
  const { creditId } = listed;
  log.error({ tenantId, creditId, changed }, "a bank lists a known credit as another one, which was not booked");
}

function amountOf(text: string, currency: string): Money | Refusal {
  try {
    const amount = parseMoney(text, currency);
    return amount.minor > 0n ? amount : new Refusal("AMOUNT_NOT_POSITIVE", "a credit of nothing");
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}
