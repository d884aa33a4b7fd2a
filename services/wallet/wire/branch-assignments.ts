import type { BranchAssignment as WireAssignment } from "../../../proto/gen/wallet/v1/branch_cash.js";
import type { BranchAssignment } from "../domain/branch-assignment.js";

export function assignmentToWire(assignment: Omit<BranchAssignment, "openings">): WireAssignment {
  const { userId, branch: branchCode, assignedBy = "", assignedAt } = assignment;
  return { userId, branchCode, assignedBy, assignedAt };
}
