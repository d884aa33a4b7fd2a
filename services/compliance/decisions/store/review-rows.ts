import type { NewRow } from "../../../kernel/outbox/index.js";
import type { RecordedDecision } from "../domain/recorded-decision.js";
import type { Origin } from "../../common/domain/origin.js";
import type { CompiledPolicy } from "../domain/policy.js";
import { reviewJoins } from "../domain/review-joins.js";
import { caseJoinRow } from "../../common/store/outbox-rows.js";

// One transaction is of few people: its sender, its recipient, who owns the account or the wallet.
const maxJoins = 16;

/**
 * Has a decision on a transaction join the cases that it is a matter of, in the order of decisions.
 */
export function reviewRows(origin: Origin, recorded: RecordedDecision, policy: CompiledPolicy | undefined): NewRow[] {
  const joins = reviewJoins(recorded, policy?.transactionRules ?? []);
  return joins.map((join, index) =>
    caseJoinRow(origin, `transaction:${recorded.transactionId}`, recorded.version * maxJoins + index, join),
  );
}
