import type { Call } from "../../kernel/grpc/context.js";
import { neutral } from "../domain/block-view.js";
import type { Transaction } from "../domain/transaction.js";

/**
 * What an API token needs to be told of compliance's affairs; managers themselves have no scopes.
 */
const complianceScope = "compliance:read";

/**
 * Whether blocks are shown: to managers, but not to their API tokens without compliance's scope,
 * and to operators, who call without a person.
 */
export function seesBlocks({ user }: Pick<Call, "user">): boolean {
  if (user === undefined) return true;
  return user.role === "MANAGER" && (user.scopes === undefined || user.scopes.includes(complianceScope));
}

/**
 * Whether it is shown what a partner said of a payout that a person has to end: to those who may.
 */
export function seesPartners({ user }: Pick<Call, "user">): boolean {
  return user === undefined || user.role === "MANAGER";
}

function withoutPartnersWord(transaction: Transaction): Transaction {
  const { payout } = transaction;
  if (payout?.unclear === undefined) return transaction;
  const { unclear: _unclear, ...shown } = payout;
  return { ...transaction, payout: shown };
}

/** The transaction as whoever calls is shown it. */
export function asSeenBy(call: Call, transaction: Transaction): Transaction {
  const shown = seesBlocks(call) ? transaction : neutral(transaction);
  return seesPartners(call) ? shown : withoutPartnersWord(shown);
}
