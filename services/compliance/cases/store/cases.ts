import type { Connection } from "mongoose";
import { perTenant } from "../../../kernel/mongo/per-tenant.js";
import { recordCollection } from "../../../kernel/mongo/record-collection.js";
import type { Filter } from "../../../kernel/mongo/tenant-collection.js";
import type { CaseSubject } from "../../common/domain/case-join.js";
import type { Case, CaseChange, CaseEvent } from "../domain/case.js";
import { collections, type Session } from "../../common/store/collections.js";
import { createUploadQuotas } from "../../common/store/upload-quotas.js";
import { createChunkStore } from "../../common/store/chunks.js";
import type { SealedField, TextCipher } from "../../screening/store/screening-cipher.js";
import { filterOf, placeAfter, sortOf, type CaseQuery, type Queue } from "./case-queues.js";

const newestFirst = { number: -1 } as const;

export type CaseStore = ReturnType<typeof createCaseStore>;
export type TenantCases = ReturnType<CaseStore["forTenant"]>;

/**
 * What people wrote, or quoted, lies sealed; an entry without any, or
 * an erased one, has it as it is.
 */
type StoredEvent = CaseEvent & { sealed?: SealedField };

/** Who caused a change, and when. */
export interface Cause {
  actor: string;
  at: Date;
  /** Of the outbox row that is applied. */
  rowId?: string;
}

/** A case, and who works it; nobody where absent. */
export type WhoseCase = Pick<Case, "caseId" | "assignee">;

/** Cases, their timelines and the bytes of their files. */
export function createCaseStore(db: Connection, cipher: TextCipher) {
  const allCases = recordCollection<Case>(db, collections.cases);
  const allEvents = recordCollection<StoredEvent>(db, collections.caseEvents);
  const allNumbers = recordCollection<{ last: number }>(db, collections.caseNumbers);
  const allChunks = createChunkStore(db, collections.caseFileChunks);
  const quotas = createUploadQuotas(db);

  return {
    forTenant: perTenant((tenantId: string) => {
      const cases = allCases.forTenant(tenantId);
      const events = allEvents.forTenant(tenantId);

      const findOne = (filter: Filter<Case>, session?: Session): Promise<Case | undefined> =>
        cases.findOne(filter, { session, sort: newestFirst });
      const recordOf = ({ caseId, sequence }: Pick<CaseEvent, "caseId" | "sequence">) =>
        `${tenantId} case ${caseId} ${sequence}`;
      async function seal(event: CaseEvent) {
        if (event.text === "") return event;
        return { ...event, text: "", sealed: await cipher.seal(event.text, recordOf(event)) };
      }
      async function open({ sealed: field, ...event }: StoredEvent): Promise<CaseEvent> {
        return field === undefined ? event : { ...event, text: await cipher.open<string>(field, recordOf(event)) };
      }
      /** Puts the events of a change behind those that there are; the case with its new version. */
      async function insertEvents({ after, events: added }: CaseChange, cause: Cause, session: Session): Promise<Case> {
        const { caseId, customerId, version } = after;
        const rows = await Promise.all(
          added.map((event, index) => seal({ caseId, sequence: version + index + 1, customerId, ...event, ...cause })),
        );
        if (rows.length > 0) await events.insertMany(rows, { session });
        return { ...after, version: version + rows.length };
      }

      return {
        ...allChunks.forTenant(tenantId),
        quotas: quotas.forTenant(tenantId),
        findCase: (caseId: string, session?: Session) => findOne({ caseId }, session),
        findOpenCase: ({ subjectKind, subjectId }: CaseSubject, session?: Session) =>
          findOne({ subjectKind, subjectId, isOpen: true }, session),
        /** The subject's newest case, open or closed. */
        findLastCase: ({ subjectKind, subjectId }: CaseSubject, session?: Session) =>
          findOne({ subjectKind, subjectId }, session),
        /** Those that have this screening or transaction, newest first. */
        findCasesWith: (of: { screeningIds: string } | { transactionIds: string }, session: Session): Promise<Case[]> =>
          cases.find(of as Filter<Case>, { session, sort: newestFirst, limit: 100 }),
        /** By id of the screening, the newest case that each has joined. */
        async caseIdsOf(screeningIds: readonly string[]): Promise<Map<string, string>> {
          if (screeningIds.length === 0) return new Map();
          const joined = { screeningIds: { $in: [...screeningIds] } } as Filter<Case>;
          const fields = { _id: 0, caseId: 1, screeningIds: 1 } as const;
          const found = await cases.find(joined, { projection: fields, sort: { number: 1 } });
          return new Map(found.flatMap(({ caseId, screeningIds: ids }) => ids.map((id) => [id, caseId] as const)));
        },
        /**
         * By id of the transaction, the newest case that each has joined; in one
         * read with those of screenings.
         */
        async casesWith(of: {
          screeningIds: readonly string[];
          transactionIds: readonly string[];
        }): Promise<{ byScreening: Map<string, WhoseCase>; byTransaction: Map<string, WhoseCase> }> {
          const joined = [
            ...(of.screeningIds.length > 0 ? [{ screeningIds: { $in: [...of.screeningIds] } }] : []),
            ...(of.transactionIds.length > 0 ? [{ transactionIds: { $in: [...of.transactionIds] } }] : []),
          ];
          const fields = { _id: 0, caseId: 1, assignee: 1, screeningIds: 1, transactionIds: 1 } as const;
          const found =
            joined.length === 0
              ? []
              : await cases.find({ $or: joined } as Filter<Case>, { projection: fields, sort: { number: 1 } });
          const by = (ids: "screeningIds" | "transactionIds") =>
            new Map(found.flatMap((one) => one[ids].map((id) => [id, one] as const)));
          return { byScreening: by("screeningIds"), byTransaction: by("transactionIds") };
        },
        /** Whether an outbox row was applied. */
        async isApplied(rowId: string, session?: Session): Promise<boolean> {
          return (await events.findOne({ rowId }, { projection: { _id: 1 }, session })) !== undefined;
        },

        /** The next number. A transaction that fails gives it back. */
        async nextNumber(session: Session): Promise<number> {
          const options = { session, upsert: true, returnDocument: "after" } as const;
          const stored = await allNumbers
            .forTenant(tenantId)
            .findOneAndUpdate({}, { $inc: { last: 1 } } as object, options);
          return Number(stored!.last);
        },
        async insertCase(change: CaseChange, cause: Cause, session: Session): Promise<Case> {
          const after = await insertEvents(change, cause, session);
          await cases.insertOne(after, { session });
          return after;
        },
        /**
         * Throws where the case is not as `before` any more: its transaction's snapshot holds it.
         */
        async putCase(change: CaseChange, cause: Cause, session: Session): Promise<Case> {
          const { caseId, version } = change.after;
          const after = await insertEvents(change, cause, session);
          const { matchedCount } = await cases.updateOne({ caseId, version }, updateTo(after), { session });
          if (matchedCount !== 1) throw new Error("a case changed inside this transaction's snapshot");
          return after;
        },

        async listEvents(caseId: string, after: number, limit: number): Promise<CaseEvent[]> {
          const found = await events.find({ caseId, sequence: { $gt: after } }, { sort: { sequence: 1 }, limit });
          return Promise.all(found.map(open));
        },
        listCases: (query: CaseQuery): Promise<Case[]> =>
          cases.find({ $and: [filterOf(query), placeAfter(query)] } as Filter<Case>, {
            sort: sortOf(query.order),
            limit: query.limit,
          }),
        countCases: (queue: Queue, caller: string, now: Date): Promise<number> =>
          cases.count(filterOf({ queue, caller, now }) as Filter<Case>),
      };
    }),
  };
}

const optional = ["outcome", "assignee", "snoozedUntil", "closedAt", "previousCaseId", "isOpen"] as const;

function updateTo(after: Case): object {
  const gone = optional.filter((name) => after[name] === undefined);
  const { caseId: _id, ...content } = after;
  return { $set: content, ...(gone.length > 0 && { $unset: Object.fromEntries(gone.map((name) => [name, true])) }) };
}
