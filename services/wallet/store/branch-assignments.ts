import type { RecordCollection } from "../../kernel/mongo/record-collection.js";
import type { BranchAssignment } from "../domain/branch-assignment.js";
import { house } from "../domain/vault.js";
import type { Session } from "./collections.js";

export function branchAssignmentStore(assignments: RecordCollection<BranchAssignment>) {
  return {
    /** Before the transaction that notes it: a document made inside could be made twice. */
    async openAssignment(userId: string): Promise<void> {
      const first = { branch: house, openings: 0n };
      await assignments.updateOne({ userId }, { $setOnInsert: first }, { upsert: true });
    },
    /** The branch that somebody works at. */
    branchOf: async (userId: string): Promise<string> => (await assignments.findOne({ userId }))?.branch ?? house,
    /** True while they work there: nobody assigns them elsewhere before this has committed. */
    async noteOpening(userId: string, branch: string, session: Session): Promise<boolean> {
      const change = { $inc: { openings: 1n } as never };
      return (await assignments.updateOne({ userId, branch }, change, { session })).matchedCount === 1;
    },
    async assign(assignment: Omit<BranchAssignment, "openings">, session: Session): Promise<void> {
      const { userId, ...change } = assignment;
      await assignments.updateOne({ userId }, { $set: change }, { session });
    },
    /** Those who work at a branch, or at any; by user id. */
    listAssignments(branch: string, after: string, limit: number): Promise<BranchAssignment[]> {
      const filter = {
        branch: branch === "" ? { $ne: house } : branch,
        ...(after !== "" && { userId: { $gt: after } }),
      };
      return assignments.find(filter as never, { sort: { userId: 1 }, limit });
    },
  };
}
