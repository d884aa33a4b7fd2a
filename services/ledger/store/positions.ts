import type { ClientSession, Connection } from "mongoose";
import { recordCollection } from "../../kernel/mongo/record-collection.js";
import { createTakeDue } from "../../kernel/mongo/take-due.js";
import { tenantCollection } from "../../kernel/mongo/tenant-collection.js";
import { inTransaction, isDuplicateKey, retryDuplicates } from "../../kernel/mongo/transaction.js";
import { assertInt64 } from "../../kernel/money.js";
import type { Day } from "../domain/days.js";
import type { PositionBook, PositionMove } from "../domain/position-fold.js";
import type { CodedMove, Revaluation } from "../domain/revaluation.js";
import { collections } from "./collections.js";
import { documentId } from "./mapping.js";

type PositionDocument = PositionBook & { _id: string; tenantId: string; version: number };

/** A book as it was read, so that it is replaced by whoever read it last. */
export interface ReadBook {
  readonly book: PositionBook;
  /** 0 where it is not stored yet. */
  readonly version: number;
}

/** When a tenant's positions are looked at next, by real time. */
export interface PositionLook {
  tenantId: string;
  dueAt: Date;
}

export type PositionStore = ReturnType<typeof createPositionStore>;
export type TenantPositions = ReturnType<PositionStore["forTenant"]>;

/**
 * Has a tenant's positions looked at as soon as somebody looks, and from time to time from then on:
 * before the first account that they stand on is made.
 */
export async function watchPositions(db: Connection, tenantId: string): Promise<void> {
  const looks = recordCollection<PositionLook>(db, collections.positionLooks).forTenant(tenantId);
  await retryDuplicates(() => looks.updateOne({}, { $min: { dueAt: new Date() } }, { upsert: true }));
}

/** Positions by the code of their accounts, what moved them on each day, and their revaluations. */
export function createPositionStore(db: Connection) {
  const all = tenantCollection<PositionDocument>(db, collections.positions);
  const allMoves = recordCollection<CodedMove>(db, collections.positionMoves);
  const allLooks = recordCollection<PositionLook>(db, collections.positionLooks);
  const allRevaluations = recordCollection<Revaluation>(db, collections.revaluations);
  return {
    /** Takes one tenant whose positions are to be looked at. */
    takeLook: createTakeDue<PositionLook>(db, collections.positionLooks, { key: [], reason: "positions to look at" }),

    forTenant(tenantId: string) {
      const books = all.forTenant(tenantId);
      const moves = allMoves.forTenant(tenantId);
      const looks = allLooks.forTenant(tenantId);
      const revaluations = allRevaluations.forTenant(tenantId);

      async function write({ version }: ReadBook, book: PositionBook, session: ClientSession): Promise<boolean> {
        const _id = documentId(tenantId, book.code);
        const next = { ...book, version: version + 1 };
        if (version === 0) {
          await books.insertOne({ _id, ...next }, { session });
          return true;
        }
        const gone = book.waiting === undefined ? { $unset: { waiting: true as const } } : {};
        const { matchedCount } = await books.updateOne({ _id, version }, { $set: next, ...gone }, { session });
        return matchedCount === 1;
      }

      return {
        async find(code: string): Promise<ReadBook | undefined> {
          const found = await books.findOne({ _id: documentId(tenantId, code) });
          if (found === null) return undefined;
          const { _id, tenantId: _tenantId, version, ...book } = found;
          return { book, version };
        },

        /**
         * Replaces a book, and adds what moved it to the days. False where somebody else has
         * replaced it meanwhile.
         */
        async replace(read: ReadBook, book: PositionBook, added: readonly PositionMove[] = []): Promise<boolean> {
          for (const { quantityMinor, costMinor, realisedMinor } of book.positions) {
            for (const minor of [quantityMinor, costMinor, realisedMinor]) assertInt64(minor, "a position");
          }
          const { code } = book;
          const upserts = added.map(({ currency, day, quantityMinor, costMinor }) => ({
            updateOne: {
              filter: { code, currency, day },
              update: { $inc: { quantityMinor, costMinor } },
              upsert: true,
            },
          }));
          const replaceBook = async (session: ClientSession): Promise<boolean> => {
            if (!(await write(read, book, session))) return false;
            if (upserts.length > 0) await moves.bulkWrite(upserts as never, { session });
            return true;
          };
          try {
            // Done again after it was done, it finds another version, and the count is read anew.
            return await inTransaction(db, replaceBook, { readBack: async () => undefined });
          } catch (error) {
            if (isDuplicateKey(error)) return false;
            throw error;
          }
        },

        /** What moved positions on days after one. */
        movesAfter: (day: Day): Promise<CodedMove[]> => moves.find({ day: { $gt: day } }),
        async firstMoveDay(): Promise<Day | undefined> {
          return (await moves.findOne({}, { sort: { day: 1 } }))?.day;
        },

        findRevaluation: (day: Day): Promise<Revaluation | undefined> => revaluations.findOne({ day }),
        listRevaluations: (first: Day, last: Day): Promise<Revaluation[]> =>
          revaluations.find({ day: { $gte: first, $lte: last } }),
        /** Puts the next state of a day; false where somebody has put another one meanwhile. */
        async putRevaluation(before: Revaluation | undefined, next: Revaluation): Promise<boolean> {
          try {
            if (before === undefined) {
              await revaluations.insertOne(next);
              return true;
            }
            const { day, rounds } = before;
            const same = { day, rounds, "toPost.0": { $exists: before.toPost.length > 0 } };
            return (await revaluations.updateOne(same as never, { $set: next })).matchedCount === 1;
          } catch (error) {
            if (isDuplicateKey(error)) return false;
            throw error;
          }
        },

        watch: (): Promise<void> => watchPositions(db, tenantId),
        /** Has positions looked at as soon as somebody looks; nothing where there are none. */
        async hurry(): Promise<void> {
          await looks.updateOne({}, { $min: { dueAt: new Date() } });
        },
        /** Nothing where somebody has hurried it meanwhile. */
        async lookAgain({ dueAt }: PositionLook, next: Date): Promise<void> {
          await looks.updateOne({ dueAt }, { $set: { dueAt: next } });
        },
      };
    },
  };
}
