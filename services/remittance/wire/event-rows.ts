import { Transaction as WireTransaction } from "../../../proto/gen/remittance/v1/remittance.js";
import { readerOf } from "../../platform/events/shapes/codec.js";
import { StoredTransaction } from "../../platform/events/shapes/transaction-shape.js";
import { eventRow } from "../../platform/events/row.js";
import type { NewRow } from "../../kernel/outbox/index.js";
import { neutral } from "../domain/block-view.js";
import type { TransactionEvent } from "../domain/transaction-events.js";
import type { Transaction } from "../domain/transaction.js";
import { transactionToWire } from "./transactions.js";

const storedOf = readerOf(StoredTransaction);

/**
 * The row that tells what became of a transaction: whoever is told knows no more than its owner,
 * who is never shown a block.
 */
export function transactionEventRow(
  cause: Pick<NewRow, "tenantId" | "interactionId" | "actor">,
  type: TransactionEvent,
  after: Transaction,
  at: Date,
): NewRow {
  const { transactionId: subjectId, version, sender } = after;
  const about = { subjectId, version, at, customerId: sender.customerId };
  if (type === "transaction.amended") return eventRow(cause, { ...about, type, data: amendedOf(after, at) });
  const data = storedOf(WireTransaction.fromPartial(transactionToWire(neutral(after), true) as never));
  return eventRow(cause, { ...about, type, data });
}

/** The amendment that was applied last, without the names. */
function amendedOf({ transactionId, transactionCode, amendments = [] }: Transaction, at: Date) {
  // The list is in the order of asking: of two within one millisecond the later is the later asked.
  const last = amendments.toSorted((a, b) => Number(a.appliedAt ?? 0) - Number(b.appliedAt ?? 0)).at(-1);
  return { transactionId, transactionCode, amendmentId: last?.amendmentId ?? "", amendedAt: at.toISOString() };
}
