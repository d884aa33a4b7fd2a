import type { ClientSession } from "mongoose";
import { erasedText, type RetainedRecords } from "../../platform/erasure/erasure.js";
import type { Filter } from "../../kernel/mongo/collection.js";
import type { RecordCollection } from "../../kernel/mongo/record-collection.js";
import type { FieldCipher } from "../credentials/sealing.js";
import type { SealedField } from "../domain/sealed-field.js";
import {
  beyond,
  maxEffects,
  printsOf,
  type ApprovalEffect,
  type KnownEffects,
} from "../../platform/approvals/approval-effects.js";
import type { ApprovalKind, ApprovalRecord, ApprovalStatus, Foreseen } from "../domain/approvals.js";
import type { StoredApproval, StoredApprovalDocument } from "./collections.js";

/** Which approvals are listed or counted: all of the tenant where nothing is given. */
export interface ApprovalFilter {
  status?: ApprovalStatus;
  kind?: ApprovalKind;
  subject?: string;
  askedBy?: string;
  /** Who did not ask for it. */
  notAskedBy?: string;
  /** Kinds that whoever reads must not learn of. */
  hidden: readonly ApprovalKind[];
  /** What concerns whoever reads is for others. */
  reader?: string;
}

/** What whoever asked wrote, as it is sealed. */
type RequestWords = Pick<ApprovalRecord, "summary" | "askedBecause" | "changes" | "moreChanges">;

/**
 * Approvals of one tenant. What people wrote, which may be of anybody, is sealed on its way in and
 * opened on its way out.
 */
export function approvalPart(
  approvals: RecordCollection<StoredApproval, "approvalId">,
  cipher: FieldCipher,
  tenantId: string,
) {
  const contextOf = (id: string, field: string) => `${tenantId}/${id}/approval ${field}`;
  const sealEffects = (id: string, field: "agreed" | "joined", effects: KnownEffects) =>
    cipher.seal(JSON.stringify(effects, withText), contextOf(id, field));
  const sealDecided = (id: string, because: string) => cipher.seal(because, contextOf(id, "decided"));

  function effectsOf<T>(id: string, field: "agreed" | "joined", sealed: SealedField | undefined): { of?: T } {
    return sealed === undefined ? {} : { of: JSON.parse(cipher.open(sealed, contextOf(id, field)), withBigints) as T };
  }

  function opened({ asked, decided, agreed, joined, areWordsErased, ...others }: StoredApproval): ApprovalRecord {
    const [approved, more] = [
      effectsOf<Foreseen>(others.approvalId, "agreed", agreed).of,
      effectsOf<KnownEffects>(others.approvalId, "joined", joined).of,
    ];
    const rest = { ...others, ...(approved && { agreed: approved }), ...(more && { joined: more }) };
    if (asked === undefined) {
      if (areWordsErased !== true) throw new Error(`approval ${rest.approvalId} has no words`);
      return { ...rest, summary: erasedText, askedBecause: erasedText, decidedBecause: erasedText };
    }
    return {
      ...rest,
      ...(JSON.parse(cipher.open(asked, contextOf(rest.approvalId, "asked"))) as RequestWords),
      ...(decided && { decidedBecause: cipher.open(decided, contextOf(rest.approvalId, "decided")) }),
    };
  }
  const one = (found: StoredApproval | undefined) => (found === undefined ? undefined : opened(found));

  return {
    async insertApproval(approval: ApprovalRecord, session: ClientSession): Promise<void> {
      const { summary, askedBecause, changes, moreChanges, decidedBecause, agreed: _a, joined: _j, ...rest } = approval;
      const words: RequestWords = {
        summary,
        askedBecause,
        ...(changes && { changes }),
        ...(moreChanges && { moreChanges }),
      };
      const asked = cipher.seal(JSON.stringify(words), contextOf(rest.approvalId, "asked"));
      const decided = decidedBecause === undefined ? {} : { decided: sealDecided(rest.approvalId, decidedBecause) };
      await approvals.insertOne({ ...rest, asked, ...decided }, { session });
    },
    findApproval: async (id: string): Promise<ApprovalRecord | undefined> => one(await approvals.findOne({ _id: id })),
    /** The newest first, before the given one; without effects, which may be a thousand of each. */
    async listApprovals(
      filter: ApprovalFilter,
      { after, limit }: { after: string; limit: number },
    ): Promise<ApprovalRecord[]> {
      const before = after === "" ? {} : { _id: { $lt: after } };
      const options = { sort: { _id: -1 }, limit, projection: { agreed: 0, joined: 0 } } as const;
      const found = await approvals.find({ ...filterOf(filter), ...before }, options);
      return found.map(opened);
    },
    /** Decides it, if it is pending. Undefined where it was decided before. */
    async decideApproval(
      id: string,
      {
        decidedBecause,
        agreed,
        ...decision
      }: {
        status: ApprovalStatus;
        decidedBy: string;
        decidedBecause: string;
        decidedAt: Date;
        agreed?: Foreseen;
      },
      session: ClientSession,
    ): Promise<ApprovalRecord | undefined> {
      const decided = sealDecided(id, decidedBecause);
      const approved = agreed && { agreed: sealEffects(id, "agreed", agreed) };
      return one(
        await approvals.findOneAndUpdate(
          { _id: id, status: "PENDING" },
          { $set: { ...decision, decided, ...approved } },
          { session, returnDocument: "after" },
        ),
      );
    },
    /** False where its outcome was carried out before. */
    beginCarryingOut: async (id: string, carriedOutAt: Date, session: ClientSession): Promise<boolean> => {
      const first = { _id: id, carriedOutAt: { $exists: false } };
      return (await approvals.findOneAndUpdate(first, { $set: { carriedOutAt } }, { session })) !== undefined;
    },
    /**
     * Lists what was done beyond what was approved, each once. Where one
     * person was enough nothing was.
     */
    async joinEffects(id: string, done: readonly ApprovalEffect[], session: ClientSession): Promise<void> {
      const found = one(await approvals.findOne({ _id: id }, { session }));
      if (found?.agreed === undefined || found.status !== "APPROVED") return;
      const { agreed, joined = { effects: [] } } = found;
      const more = beyond(done, [agreed, joined]);
      if (more.length === 0) return;
      const after = withMore(joined, more);
      await approvals.updateOne({ _id: id }, { $set: { joined: sealEffects(id, "joined", after) } }, { session });
    },
  };
}

/** The first thousand are listed, the rest is counted. */
function withMore({ effects, prints = "" }: KnownEffects, more: readonly ApprovalEffect[]): KnownEffects {
  const room = maxEffects - effects.length;
  const rest = Buffer.concat([prints, printsOf(more.slice(room))].map((one) => Buffer.from(one, "base64")));
  return { effects: [...effects, ...more.slice(0, room)], ...(rest.length > 0 && { prints: rest.toString("base64") }) };
}

/** JSON with the minor units of amounts. */
const withText = (_name: string, value: unknown) => (typeof value === "bigint" ? String(value) : value);
const withBigints = (name: string, value: unknown) => (name === "minor" ? BigInt(value as string) : value);

/** Along one of the indexes of what is named: each is in the order of ids. */
export function filterOf({
  status,
  kind,
  subject,
  askedBy,
  notAskedBy,
  hidden,
  reader,
}: ApprovalFilter): Filter<StoredApprovalDocument> {
  return {
    ...(status !== undefined && { status }),
    ...(subject !== undefined && { subject }),
    ...((askedBy !== undefined || notAskedBy !== undefined) && {
      askedBy: { ...(askedBy !== undefined && { $eq: askedBy }), ...(notAskedBy !== undefined && { $ne: notAskedBy }) },
    }),
    ...(reader !== undefined && { concernedUserId: { $ne: reader } }),
    ...((kind !== undefined || hidden.length > 0) && {
      kind: { ...(kind !== undefined && { $eq: kind }), ...(hidden.length > 0 && { $nin: [...hidden] }) },
    }),
  };
}

/**
 * What people wrote in approvals about a customer. One that waits keeps its words until it is
 * decided, and is counted until then.
 */
export function approvalWords(
  of: (tenantId: string) => RecordCollection<StoredApproval, "approvalId">,
): RetainedRecords {
  return {
    kind: "approval-reasons",
    async erase({ tenantId, customerId }, limit, session) {
      const own = of(tenantId);
      const decided = { customerId, asked: { $exists: true }, status: { $ne: "PENDING" as const } };
      const found = await own.find(decided, { limit, session, projection: { _id: 1 } });
      if (found.length === 0) return 0;
      const gone = {
        $set: { areWordsErased: true as const },
        $unset: { asked: 1, decided: 1, agreed: 1, joined: 1 },
      } as object;
      await own.updateMany({ _id: { $in: found.map(({ approvalId }) => approvalId) } }, gone, { session });
      return found.length;
    },
    count: ({ tenantId, customerId }) => of(tenantId).count({ customerId, asked: { $exists: true } }),
  };
}
