import type { ClientSession, Connection } from "mongoose";
import { recordCollection } from "../../kernel/mongo/record-collection.js";
import { isDuplicateKey, retryDuplicates } from "../../kernel/mongo/transaction.js";
import { Refusal } from "../../kernel/refusal.js";
import type { Settlement, SettlementReversal, SettlementStatus } from "../domain/settlement.js";
import { lineTaken, type SettlementLine, type SettlementMark } from "../domain/settlement-lines.js";
import { collections } from "./collections.js";

/** As it lies: taken while its settlement lives, so that another cannot have it. */
interface StoredLine extends SettlementLine {
  settlementId: string;
  isLiving?: true;
}

export interface SettlementFilter {
  readonly accountId: string;
  /** All where undefined. */
  readonly statuses: readonly SettlementStatus[] | undefined;
}

export type SettlementStore = ReturnType<typeof createSettlementStore>;
export type TenantSettlements = ReturnType<SettlementStore["forTenant"]>;

/** Settlements, and which transfers each of them settles. */
export function createSettlementStore(db: Connection) {
  const settlementsOf = recordCollection<Settlement, "settlementId">(db, collections.settlements, "settlementId");
  const linesOf = recordCollection<StoredLine>(db, collections.settlementLines);
  const marksOf = recordCollection<SettlementMark>(db, collections.settlementMarks);

  return {
    forTenant(tenantId: string) {
      const settlements = settlementsOf.forTenant(tenantId);
      const lines = linesOf.forTenant(tenantId);
      return { ...settlementRecords(settlements), ...lineRecords(lines), ...markRecords(marksOf.forTenant(tenantId)) };
    },
  };
}

function settlementRecords(
  settlements: ReturnType<ReturnType<typeof recordCollection<Settlement, "settlementId">>["forTenant"]>,
) {
  return {
    /** Refuses SETTLEMENT_REFERENCE_TAKEN. */
    async insert(settlement: Settlement, session: ClientSession): Promise<void> {
      const { accountId, reference } = settlement;
      const taken = await settlements.findOne({ accountId, reference, isLiving: true }, { session });
      const refusal = (id: string) =>
        new Refusal(
          "SETTLEMENT_REFERENCE_TAKEN",
          `${reference} stands in ${id || "another settlement"} of ${accountId}`,
        );
      if (taken !== undefined) throw refusal(taken.settlementId);
      try {
        await settlements.insertOne(settlement, { session });
      } catch (error) {
        throw isDuplicateKey(error) ? refusal("") : error;
      }
    },

    find: (settlementId: string, session?: ClientSession): Promise<Settlement | undefined> =>
      settlements.findOne({ _id: settlementId }, { session }),

    /** Newest first, from one before `beforeId`. */
    list(
      { accountId, statuses }: SettlementFilter,
      beforeId: string | undefined,
      limit: number,
    ): Promise<Settlement[]> {
      const filter = {
        ...(accountId !== "" && { accountId }),
        ...(statuses !== undefined && { status: { $in: [...statuses] } }),
        ...(beforeId !== undefined && { _id: { $lt: beforeId } }),
      };
      return settlements.find(filter, { sort: { _id: -1 }, limit });
    },

    async noteApproval(settlementId: string, approvalId: string, session: ClientSession): Promise<void> {
      await settlements.updateOne({ _id: settlementId }, { $set: { approvalId } }, { session });
    },

    /** False where it was in another state, and nothing is changed. */
    async move(
      settlementId: string,
      from: SettlementStatus,
      change: Partial<Settlement>,
      session: ClientSession,
    ): Promise<boolean> {
      const { isLiving, ...set } = change;
      const ends = set.status === "REFUSED" || set.status === "REVERSED";
      const update = { $set: set, ...(ends && { $unset: { isLiving: "" as const } }) };
      const { matchedCount } = await settlements.updateOne({ _id: settlementId, status: from }, update as never, {
        session,
      });
      return matchedCount === 1;
    },

    /** As `move`, of the reversal that has begun; `alone` where there is none that still may. */
    async moveReversal(
      settlementId: string,
      from: SettlementReversal["status"] | "NONE",
      reversal: SettlementReversal,
      session?: ClientSession,
    ): Promise<boolean> {
      const before =
        from === "NONE"
          ? { "reversal.status": { $in: [null, "REFUSED"] } }
          : { "reversal.status": from, "reversal.reversalId": reversal.reversalId };
      const filter = { _id: settlementId, status: "POSTED", ...before };
      const { matchedCount } = await settlements.updateOne(filter as never, { $set: { reversal } }, { session });
      return matchedCount === 1;
    },

    async noteReversalApproval(settlementId: string, reversalId: string, approvalId: string): Promise<void> {
      const filter = { _id: settlementId, "reversal.reversalId": reversalId };
      await settlements.updateOne(filter as never, { $set: { "reversal.approvalId": approvalId } } as never);
    },
  };
}

function lineRecords(lines: ReturnType<ReturnType<typeof recordCollection<StoredLine>>["forTenant"]>) {
  /** Of these transfers of an account, those that living settlements have. */
  async function takenOf(accountId: string, keys: readonly string[], session?: ClientSession): Promise<Set<string>> {
    const filter = { accountId, transferKey: { $in: [...keys] }, isLiving: true as const };
    const found = await lines.find(filter, { session, projection: { _id: 0, transferKey: 1 } });
    return new Set(found.map(({ transferKey }) => transferKey));
  }

  return {
    takenOf,

    /** Refuses LINE_TAKEN by name. */
    async takeLines(settlementId: string, taken: readonly SettlementLine[], session: ClientSession): Promise<void> {
      const [first] = taken;
      if (first === undefined) return;
      const keys = taken.map(({ transferKey }) => transferKey);
      const [other] = await takenOf(first.accountId, keys, session);
      if (other !== undefined) throw lineTaken(other);
      const documents = taken.map((line) => ({ ...line, settlementId, isLiving: true as const }));
      try {
        await lines.insertMany(documents, { session });
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
        const [now] = await takenOf(first.accountId, keys);
        throw lineTaken(now ?? "of them");
      }
    },

    /** Lets others have them; which ones they were stays known. */
    async freeLines(settlementId: string): Promise<void> {
      await lines.updateMany({ settlementId, isLiving: true }, { $unset: { isLiving: "" } } as never);
    },

    linesAfter: (settlementId: string, seq: bigint, limit: number): Promise<SettlementLine[]> =>
      lines.find(
        { settlementId, seq: { $gt: seq } },
        { sort: { seq: 1 }, limit, projection: { _id: 0, tenantId: 0, settlementId: 0, isLiving: 0 } },
      ),
  };
}

function markRecords(marks: ReturnType<ReturnType<typeof recordCollection<SettlementMark>>["forTenant"]>) {
  return {
    markOf: async (accountId: string): Promise<SettlementMark> =>
      (await marks.findOne({ accountId })) ?? { accountId, throughSeq: 0n, version: 0 },

    /** False where somebody else has moved it meanwhile. */
    async moveMark({ accountId, version }: SettlementMark, throughSeq: bigint): Promise<boolean> {
      const update = { $set: { throughSeq, version: version + 1 } };
      try {
        const { matchedCount, upsertedCount } = await marks.updateOne({ accountId, version }, update as never, {
          upsert: version === 0,
        });
        return matchedCount + upsertedCount === 1;
      } catch (error) {
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    },

    /** After lines from a sequence on were freed: whoever looked before that moves it no more. */
    async lowerMark(accountId: string, firstSeq: bigint): Promise<void> {
      const lower = { $min: { throughSeq: firstSeq - 1n }, $inc: { version: 1 } };
      await retryDuplicates(() => marks.updateOne({ accountId }, lower as never, { upsert: true }));
    },
  };
}
