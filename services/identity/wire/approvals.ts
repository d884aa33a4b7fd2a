import type { Approval } from "../../../proto/gen/identity/v1/approvals.js";
import { moneyToWire } from "../../shared/money.js";
import type { ApprovalRecord } from "../domain/approvals.js";

export function approvalToWire(approval: ApprovalRecord): Approval {
  const {
    _id,
    amount,
    decidedBy = "",
    decidedBecause = "",
    payloadJson: _payload,
    tenantId: _tenant,
    customerId: _customer,
    changes = [],
    moreChanges = 0,
    ...rest
  } = approval;
  return {
    ...rest,
    approvalId: _id,
    amount: amount && moneyToWire(amount),
    changes: [...changes],
    moreChanges,
    decidedBy,
    decidedBecause,
    decidedAt: approval.decidedAt,
  };
}
