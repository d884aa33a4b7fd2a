import type { Connection } from "mongoose";
import { tenantCollection } from "../../kernel/mongo/tenant-collection.js";
import { isDuplicateKey } from "../../kernel/mongo/transaction.js";
import type { PositionBook } from "../domain/position-fold.js";
import { collections } from "./collections.js";
import { documentId } from "./mapping.js";

type PositionDocument = PositionBook & { _id: string; tenantId: string; version: number };

/** A book as it was read, so that it is replaced by whoever read it last. */
export interface ReadBook {
  readonly book: PositionBook;
  /** 0 where it is not stored yet. */
  readonly version: number;
}

export type PositionStore = ReturnType<typeof createPositionStore>;

/** Positions by the code of their accounts. */
export function createPositionStore(db: Connection) {
  const all = tenantCollection<PositionDocument>(db, collections.positions);
  return {
    forTenant(tenantId: string) {
      const books = all.forTenant(tenantId);
      return {
        async find(code: string): Promise<ReadBook | undefined> {
          const found = await books.findOne({ _id: documentId(tenantId, code) });
          if (found === null) return undefined;
          const { _id, tenantId: _tenantId, version, ...book } = found;
          return { book, version };
        },
        /** False where somebody else has replaced it meanwhile. */
        async replace({ version }: ReadBook, book: PositionBook): Promise<boolean> {
          const _id = documentId(tenantId, book.code);
          const next = { ...book, version: version + 1 };
          try {
            if (version === 0) await books.insertOne({ _id, ...next });
            else {
              const gone = book.waiting === undefined ? { $unset: { waiting: true as const } } : {};
              const { matchedCount } = await books.updateOne({ _id, version }, { $set: next, ...gone });
              return matchedCount === 1;
            }
            return true;
          } catch (error) {
            if (isDuplicateKey(error)) return false;
            throw error;
          }
        },
      };
    },
  };
}
