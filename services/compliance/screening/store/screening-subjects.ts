import type { Connection } from "mongoose";
import { perTenant } from "../../../kernel/mongo/per-tenant.js";
import { recordCollection } from "../../../kernel/mongo/record-collection.js";
import {
  acrossTenants,
  type BulkOperation,
  type Filter,
  type FindOptions,
} from "../../../kernel/mongo/tenant-collection.js";
import { retryDuplicates } from "../../../kernel/mongo/transaction.js";
import type { ScreenedParty } from "../../lists/domain/party.js";
import type { ScreenedSubject } from "../domain/screened-subject.js";
import { subjectName, type SubjectKind, type SubjectRef } from "../../common/domain/subject.js";
import { collections, type Owned, type Session } from "../../common/store/collections.js";
import type { ScreeningCipher, SealedField } from "./screening-cipher.js";

/** Who they are lies sealed; kind, id and customer are the subject's. */
type StoredSubject = Omit<ScreenedSubject, "subject" | "party"> & SubjectRef & { sealed: SealedField; locks?: number };

/** A row to be written. */
export interface SubjectRow extends ScreenedSubject {
  /** Leaves what is known of the subject as it is, where anything is. */
  isNewOnly?: boolean;
}

export type ScreeningSubjectStore = ReturnType<typeof createScreeningSubjectStore>;
export type TenantSubjects = ReturnType<ScreeningSubjectStore["forTenant"]>;

type NamedSubject = Pick<SubjectRef, "kind" | "id">;

/** Those of a look who can be compared, and those who cannot be opened. */
export interface FoundSubjects {
  readable: ScreenedSubject[];
  unreadable: { subject: NamedSubject; error: unknown }[];
}

/**
 * Whom a tenant compares with lists, and with which they were compared:
 * CUSTOMER, RECIPIENT and STAFF.
 */
export function createScreeningSubjectStore(db: Connection, cipher: ScreeningCipher) {
  const all = recordCollection<StoredSubject>(db, collections.screeningSubjects);
  const everywhere = acrossTenants<Owned<StoredSubject>>(
    db,
    collections.screeningSubjects,
    "tenants are found that lists are asked for",
  );

  return {
    /** Tenants that have anybody to compare, in their order; `after` is the last one known. */
    async nextTenant(after: string): Promise<string | undefined> {
      const options = { sort: { tenantId: 1 as const }, projection: { _id: 0, tenantId: 1 } };
      return (await everywhere.findOne({ tenantId: { $gt: after } }, options))?.tenantId;
    },

    forTenant: perTenant((tenantId: string) => {
      const subjects = all.forTenant(tenantId);
      const recordOf = ({ kind, id }: Pick<SubjectRef, "kind" | "id">) => `${tenantId} subject ${kind}:${id}`;

      async function open({ sealed, kind, id, customerId, locks: _locks, ...rest }: StoredSubject) {
        const subject = { kind, id, customerId };
        return { ...rest, subject, party: await cipher.open<ScreenedParty>(sealed, recordOf(subject)) };
      }
      async function contentOf({ subject, party, isNewOnly: _isNewOnly, ...rest }: SubjectRow) {
        return { customerId: subject.customerId, ...rest, sealed: await cipher.seal(party, recordOf(subject)) };
      }
      async function operationFor(row: SubjectRow) {
        const { isNewOnly, subject } = row;
        const { kind, id } = subject;
        const content = await contentOf(row);
        const update = isNewOnly === true ? { $setOnInsert: content } : { $set: content };
        return { updateOne: { filter: { kind, id }, update, upsert: true } } as BulkOperation<StoredSubject>;
      }
      async function find(filter: object, options: FindOptions): Promise<ScreenedSubject[]> {
        const found = await subjects.find(filter as Filter<StoredSubject>, { ...options });
        return Promise.all(found.map(open));
      }

      async function upsertMany(rows: readonly SubjectRow[], session?: Session): Promise<void> {
        if (rows.length === 0) return;
        const operations = await Promise.all(rows.map(operationFor));
        // Inside a transaction a race ends the transaction; outside, the second of
        // two inserts is then an update.
        const write = () => subjects.bulkWrite(operations, { session, ordered: false });
        await (session === undefined ? retryDuplicates(write) : write());
      }

      return {
        /** Writes all of them in one round trip. */
        upsertMany,

        /**
         * Takes the subject for this transaction, so that nobody else judges it at the time;
         * what is known of it. Where nothing is, a place is made for the row that has to
         * follow, unless `upsert` is false.
         */
        async lock(
          { kind, id, customerId }: SubjectRef,
          session: Session,
          { upsert = true } = {},
        ): Promise<ScreenedSubject | undefined> {
          const options = { session, upsert, returnDocument: "after" } as const;
          const change = { $inc: { locks: 1 }, $setOnInsert: { customerId } } as object;
          const found = await subjects.findOneAndUpdate({ kind, id }, change, options);
          return found?.sealed === undefined ? undefined : open(found);
        },

        async find({ kind, id }: Pick<SubjectRef, "kind" | "id">, session?: Session) {
          const found = await subjects.findOne({ kind, id }, { session });
          return found?.sealed === undefined ? undefined : open(found);
        },

        /** Names of those who are known, by subjectName, in one read. */
        async namesOf(refs: readonly Pick<SubjectRef, "kind" | "id">[]): Promise<Map<string, string>> {
          if (refs.length === 0) return new Map();
          const kinds = [...new Set(refs.map(({ kind }) => kind))];
          const ids = [...new Set(refs.map(({ id }) => id))];
          const found = await find({ kind: { $in: kinds }, id: { $in: ids }, sealed: { $exists: true } }, {});
          return new Map(found.map(({ subject, party }) => [subjectName(subject), party.names[0] ?? ""]));
        },

        findMany: (kind: SubjectKind, ids: readonly string[], session?: Session): Promise<ScreenedSubject[]> =>
          find({ kind, id: { $in: [...ids] }, sealed: { $exists: true } }, { session }),

        /**
         * Whom to compare again: with something else than `basis`, or last compared before that
         * time; nobody of `except`. Whoever cannot be opened keeps nobody else from being found.
         */
        async findOthersThan(
          basis: string,
          limit: number,
          { before, except = [] }: { before?: Date | undefined; except?: readonly NamedSubject[] } = {},
        ): Promise<FoundSubjects> {
          const others = except.length === 0 ? {} : { $nor: except.map(({ kind, id }) => ({ kind, id })) };
          const read = (filter: object, options: FindOptions) =>
            subjects.find({ ...filter, ...others } as Filter<StoredSubject>, { ...options });
          let found = await read({ basis: { $ne: basis } }, { limit });
          if (found.length === 0 && before !== undefined) {
            found = await read({ screenedAt: { $lt: before } }, { sort: { screenedAt: 1 }, limit });
          }
          const all = await Promise.allSettled(found.map(open));
          return {
            readable: all.flatMap((one) => (one.status === "fulfilled" ? [one.value] : [])),
            unreadable: all.flatMap((one, at) => {
              const { kind, id } = found[at]!;
              return one.status === "fulfilled" ? [] : [{ subject: { kind, id }, error: one.reason as unknown }];
            }),
          };
        },

        /** How many findOthersThan would find in all, up to a limit. */
        async countDue(basis: string, before: Date | undefined, limit: number): Promise<number> {
          const others = await subjects.count({ basis: { $ne: basis } } as Filter<StoredSubject>, { limit });
          if (others > 0 || before === undefined) return others;
          return subjects.count({ screenedAt: { $lt: before } } as Filter<StoredSubject>, { limit });
        },
        /** Those who were compared last, newest first. */
        async *streamNewest(limit: number): AsyncGenerator<ScreenedSubject> {
          const options = { sort: { screenedAt: -1 }, limit, batchSize: 200 } as const;
          const known = { screenedAt: { $exists: true } } as Filter<StoredSubject>;
          for await (const one of subjects.stream(known, options)) yield open(one);
        },

        /** They are compared with nothing any more, until somebody asks about them again. */
        async remove({ kind, id }: Pick<SubjectRef, "kind" | "id">, session: Session): Promise<void> {
          await subjects.deleteMany({ kind, id }, { session });
        },

        /** Has the subject compared again, whatever it was compared with. */
        async compareAnew({ kind, id }: Pick<SubjectRef, "kind" | "id">, session: Session): Promise<void> {
          await subjects.updateOne({ kind, id, sealed: { $exists: true } }, { $set: { basis: "" } }, { session });
        },

        /**
         * Notes that subjects were compared with `basis` and nothing was found, where
         * they are still who they were then.
         */
        async noteBasis(
          compared: readonly Pick<ScreenedSubject, "subject" | "fingerprint">[],
          basis: string,
          screenedAt: Date,
        ): Promise<void> {
          if (compared.length === 0) return;
          const operations = compared.map(({ subject: { kind, id }, fingerprint }) => ({
            updateOne: { filter: { kind, id, fingerprint }, update: { $set: { basis, screenedAt } } },
          }));
          await subjects.bulkWrite(operations as BulkOperation<StoredSubject>[], { ordered: false });
        },
      };
    }),
  };
}
