import type { Call } from "../../shared/grpc/context.js";
import { neutral } from "../domain/block-view.js";
import type { Transaction } from "../domain/transaction.js";

/** Whether blocks are shown: to managers, and to operators, who call without a person. */
export function seesBlocks({ user }: Call): boolean {
  return user === undefined || user.role === "MANAGER";
}

/** The transaction as whoever calls is shown it. */
export function asSeenBy(call: Call, transaction: Transaction): Transaction {
  return seesBlocks(call) ? transaction : neutral(transaction);
}
