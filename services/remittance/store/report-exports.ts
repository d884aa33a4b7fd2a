import { createHash } from "node:crypto";
import type { ClientSession, Connection } from "mongoose";
import type { SealedField } from "../../kernel/keys/data-keys.js";
import { recordCollection } from "../../kernel/mongo/record-collection.js";
import { createTakeDue } from "../../kernel/mongo/take-due.js";
import { inTransaction } from "../../kernel/mongo/transaction.js";
import type { PersonalRecords } from "../../platform/erasure/erasure.js";
import type { ExportFault, ReportExport } from "../domain/report-export.js";
import type { ListPosition } from "../domain/transaction-list.js";
import { collections } from "./collections.js";
import type { PartyCipher } from "./party-cipher.js";

type Stored = ReportExport & { dueAt?: Date };

interface Piece {
  exportId: string;
  number: number;
  customerIds: string[];
  sealed: SealedField;
  expiresAt: Date;
}

const open = { status: { $in: ["QUEUED", "RUNNING"] } } as const;

/** Exports and the sealed pieces of their files; both go by themselves when their time is over. */
export function createReportExportStore(db: Connection, cipher: PartyCipher) {
  const exports = recordCollection<Stored>(db, collections.reportExports);
  const allPieces = recordCollection<Piece>(db, collections.reportPieces);
  const key = ["exportId"] as const;
  const recordOf = (tenantId: string, exportId: string) => `${tenantId} report export ${exportId}`;

  return {
    takeReportExport: createTakeDue<Stored & { tenantId: string; dueAt: Date }>(db, collections.reportExports, {
      key,
      reason: "exports of reports",
    }),

    forTenant(tenantId: string) {
      const own = exports.forTenant(tenantId);
      const pieces = allPieces.forTenant(tenantId);

      async function readExportPiece(exportId: string, number: number): Promise<string | undefined> {
        const found = await pieces.findOne({ exportId, number });
        const opened = await cipher.openValue<{ text: string }>(
          found?.sealed,
          recordOf(tenantId, exportId),
          `${number}`,
        );
        return opened?.text;
      }

      return {
        readExportPiece,

        insertExport: (made: ReportExport, session: ClientSession): Promise<void> =>
          own.insertOne({ ...made, dueAt: made.askedAt }, { session }),

        countOpenExports: (session: ClientSession, limit: number): Promise<number> =>
          own.count(open, { session, limit }),

        findExport: (exportId: string, askedBy: string): Promise<ReportExport | undefined> =>
          own.findOne({ exportId, askedBy }),

        /** Of whoever asked for them, the newest first. */
        listExports: (askedBy: string, limit: number): Promise<ReportExport[]> =>
          own.find({ askedBy }, { sort: { exportId: -1 }, limit }),

        /** The one that is made now: they are made one after the other. */
        findFirstOpenExport: (): Promise<ReportExport | undefined> => own.findOne(open, { sort: { exportId: 1 } }),

        /**
         * Keeps a piece, and that it is in; false where somebody else was first, or the export is
         * over.
         */
        async addExportPiece(
          { exportId, pieces: number, expiresAt }: ReportExport,
          { text, customerIds, rows, position }: AddedPiece,
          dueAt: Date,
        ): Promise<boolean> {
          const sealed = await cipher.sealValue({ text }, recordOf(tenantId, exportId), `${number}`);
          if (sealed === undefined) throw new Error("exports are kept sealed, and there is no key");
          const added = async (session: ClientSession) => {
            const { matchedCount } = await own.updateOne(
              { exportId, pieces: number, ...open },
              {
                $set: { status: "RUNNING", dueAt, ...(position !== undefined && { position }) },
                $inc: { pieces: 1, rows },
              },
              { session },
            );
            if (matchedCount === 0) return false;
            await pieces.insertOne({ exportId, number, customerIds, sealed, expiresAt }, { session });
            return true;
          };
          // Added again it is not: the next number is another one.
          return inTransaction(db, added, { readBack: async () => undefined });
        },

        /** The file is whole. */
        async finishExport({ exportId, pieces: count }: ReportExport, doneAt: Date): Promise<void> {
          const hash = createHash("sha256");
          for (let number = 0; number < count; number += 1)
            hash.update((await readExportPiece(exportId, number)) ?? "");
          const done = {
            $set: { status: "DONE", sha256: hash.digest("hex"), doneAt },
            $unset: { dueAt: true },
          } as const;
          await own.updateOne({ exportId, pieces: count, ...open }, done);
        },

        async failExport({ exportId }: ReportExport, fault: ExportFault, doneAt: Date): Promise<void> {
          await own.updateOne(
            { exportId, ...open },
            { $set: { status: "FAILED", fault, doneAt }, $unset: { dueAt: true } },
          );
          await pieces.deleteMany({ exportId });
        },
      };
    },
  };
}

interface AddedPiece {
  text: string;
  customerIds: string[];
  rows: number;
  position?: ListPosition;
}

/** Exports with a person in them: the whole file goes, and who asked for it is told why. */
export function exportsOfPerson(db: Connection): PersonalRecords {
  const exports = recordCollection<Stored>(db, collections.reportExports);
  const pieces = recordCollection<Piece>(db, collections.reportPieces);
  return {
    kind: "report-exports",
    async erase({ tenantId, customerId }, limit, session) {
      const own = pieces.forTenant(tenantId);
      const found = await own.find(
        { customerIds: customerId },
        { limit, session, projection: { _id: 0, exportId: 1 } },
      );
      const exportId = { $in: [...new Set(found.map((one) => one.exportId))] };
      if (found.length === 0) return 0;
      const gone = {
        $set: { status: "FAILED", fault: "PERSON_ERASED" },
        $unset: { dueAt: true, sha256: true },
      } as const;
      await exports.forTenant(tenantId).updateMany({ exportId }, gone, { session });
      await own.deleteMany({ exportId }, { session });
      return found.length;
    },
  };
}
