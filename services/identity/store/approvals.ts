import type { ClientSession } from "mongoose";
import { erasedText, type RetainedRecords } from "../../shared/erasure/erasure.js";
import type { GuardedCollection } from "../../shared/mongo/collection.js";
import type { FieldCipher } from "../credentials/sealing.js";
import type { ApprovalKind, ApprovalRecord, ApprovalStatus } from "../domain/approvals.js";
import type { StoredApproval } from "./collections.js";

/** What whoever asked wrote, as it is sealed. */
type AskedWords = Pick<ApprovalRecord, "summary" | "askedBecause">;

/**
 * Approvals of one tenant. What people wrote, which may be of anybody, is sealed on its way in and
 * opened on its way out.
 */
export function approvalPart(approvals: GuardedCollection<StoredApproval>, cipher: FieldCipher, tenantId: string) {
  const contextOf = (id: string, field: string) => `${tenantId}/${id}/approval ${field}`;
  const sealDecided = (id: string, because: string) => cipher.seal(because, contextOf(id, "decided"));

  function opened({ asked, decided, areWordsErased, ...rest }: StoredApproval): ApprovalRecord {
    if (asked === undefined) {
      if (areWordsErased !== true) throw new Error(`approval ${rest._id} has no words`);
      return { ...rest, summary: erasedText, askedBecause: erasedText, decidedBecause: erasedText };
    }
    return {
      ...rest,
      ...(JSON.parse(cipher.open(asked, contextOf(rest._id, "asked"))) as AskedWords),
      ...(decided && { decidedBecause: cipher.open(decided, contextOf(rest._id, "decided")) }),
    };
  }
  const one = (found: StoredApproval | null) => (found === null ? null : opened(found));

  return {
    async insertApproval(approval: Omit<ApprovalRecord, "tenantId">, session: ClientSession): Promise<void> {
      const { summary, askedBecause, decidedBecause, ...rest } = approval;
      const words: AskedWords = { summary, askedBecause };
      const asked = cipher.seal(JSON.stringify(words), contextOf(rest._id, "asked"));
      const decided = decidedBecause === undefined ? {} : { decided: sealDecided(rest._id, decidedBecause) };
      await approvals.insertOne({ ...rest, asked, ...decided }, { session });
    },
    findApproval: async (id: string): Promise<ApprovalRecord | null> => one(await approvals.findOne({ _id: id })),
    /** The newest first, before the given one, without kinds that are hidden from whoever asks. */
    async listApprovals(
      {
        status,
        hidden,
        reader,
      }: { status: ApprovalStatus | undefined; hidden: readonly ApprovalKind[]; reader: string | undefined },
      { after, limit }: { after: string; limit: number },
    ): Promise<ApprovalRecord[]> {
      const found = await approvals.find(
        {
          ...(status === undefined ? {} : { status }),
          // What concerns whoever reads is for others.
          ...(reader === undefined ? {} : { concernedUserId: { $ne: reader } }),
          ...(hidden.length === 0 ? {} : { kind: { $nin: [...hidden] } }),
          ...(after === "" ? {} : { _id: { $lt: after } }),
        },
        { sort: { _id: -1 }, limit },
      );
      return found.map(opened);
    },
    /** Decides it, if it is pending. Null where it was decided before. */
    async decideApproval(
      id: string,
      {
        decidedBecause,
        ...decision
      }: { status: ApprovalStatus; decidedBy: string; decidedBecause: string; decidedAt: Date },
      session: ClientSession,
    ): Promise<ApprovalRecord | null> {
      const decided = sealDecided(id, decidedBecause);
      return one(
        await approvals.findOneAndUpdate(
          { _id: id, status: "PENDING" },
          { $set: { ...decision, decided } },
          { session, returnDocument: "after" },
        ),
      );
    },
  };
}

/**
 * What people wrote in approvals about a customer. One that waits keeps its words until it is decided,
 * and is counted until then.
 */
export function approvalWords(of: (tenantId: string) => GuardedCollection<StoredApproval>): RetainedRecords {
  return {
    kind: "approval-reasons",
    async erase({ tenantId, customerId }, limit, session) {
      const own = of(tenantId);
      const decided = { customerId, asked: { $exists: true }, status: { $ne: "PENDING" as const } };
      const found = await own.find(decided, { limit, session, projection: { _id: 1 } });
      if (found.length === 0) return 0;
      const gone = { $set: { areWordsErased: true as const }, $unset: { asked: 1, decided: 1 } } as object;
      await own.updateMany({ _id: { $in: found.map(({ _id }) => _id) } }, gone, { session });
      return found.length;
    },
    count: ({ tenantId, customerId }) => of(tenantId).count({ customerId, asked: { $exists: true } }),
  };
}
