import type { Approval } from "../../../proto/gen/identity/v1/approvals.js";
import { countOfPrints, effectToWire } from "../../platform/approvals/approval-effects.js";
import { moneyToWire } from "../../kernel/money.js";
import type { ApprovalRecord, Foreseen } from "../domain/approvals.js";

/** Without its effects: answers that list approvals stay small. */
export function approvalToWire(approval: ApprovalRecord): Approval {
  const {
    amount,
    decidedBy = "",
    decidedBecause = "",
    payloadJson: _payload,
    customerId: _customer,
    changes = [],
    moreChanges = 0,
    agreed: _agreed,
    joined: _joined,
    carriedOutAt: _carriedOut,
    ...rest
  } = approval;
  return {
    ...rest,
    amount: amount && moneyToWire(amount),
    changes: [...changes],
    moreChanges,
    decidedBy,
    decidedBecause,
    decidedAt: approval.decidedAt,
    effects: [],
    effectCount: 0,
    digest: "",
    joined: [],
    joinedCount: 0,
  };
}

/** With what it does: as it was approved, or is foreseen now, and what joined. */
export function approvalWithEffects(approval: ApprovalRecord, foreseen: Foreseen | undefined): Approval {
  const { agreed = foreseen, joined = { effects: [] } } = approval;
  return {
    ...approvalToWire(approval),
    ...(agreed && {
      effects: agreed.effects.map(effectToWire),
      effectCount: agreed.count,
      digest: agreed.digest,
    }),
    joined: joined.effects.map(effectToWire),
    joinedCount: joined.effects.length + countOfPrints(joined.prints ?? ""),
  };
}
