import type { ClientSession } from "mongoose";
import type { GuardedCollection } from "../../shared/mongo/collection.js";
import type { ApprovalKind, ApprovalRecord, ApprovalStatus } from "../domain/approvals.js";

/** Approvals of one tenant. */
export function approvalPart(approvals: GuardedCollection<ApprovalRecord>) {
  return {
    insertApproval: (approval: Omit<ApprovalRecord, "tenantId">, session: ClientSession) =>
      approvals.insertOne(approval, { session }),
    findApproval: (id: string) => approvals.findOne({ _id: id }),
    /** The newest first, before the given one, without kinds that are hidden from whoever asks. */
    listApprovals: (
      {
        status,
        hidden,
        reader,
      }: { status: ApprovalStatus | undefined; hidden: readonly ApprovalKind[]; reader: string | undefined },
      { after, limit }: { after: string; limit: number },
    ) =>
      approvals.find(
        {
          ...(status === undefined ? {} : { status }),
          // What concerns whoever reads is for others.
          ...(reader === undefined ? {} : { concernedUserId: { $ne: reader } }),
          ...(hidden.length === 0 ? {} : { kind: { $nin: [...hidden] } }),
          ...(after === "" ? {} : { _id: { $lt: after } }),
        },
        { sort: { _id: -1 }, limit },
      ),
    /** Decides it, if it is pending. Null where it was decided before. */
    decideApproval: (
      id: string,
      decision: { status: ApprovalStatus; decidedBy: string; decidedBecause: string; decidedAt: Date },
      session: ClientSession,
    ) =>
      approvals.findOneAndUpdate(
        { _id: id, status: "PENDING" },
        { $set: decision },
        { session, returnDocument: "after" },
      ),
  };
}
