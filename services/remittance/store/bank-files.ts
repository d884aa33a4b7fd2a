import type { ClientSession, Connection } from "mongoose";
import { isDuplicateKey, retryDuplicates, unlessThere } from "../../kernel/mongo/transaction.js";
import { recordCollection, type RecordCollection } from "../../kernel/mongo/record-collection.js";
import type { Filter } from "../../kernel/mongo/tenant-collection.js";
import type { BankFile, BankFileTries, BankMark, BankMessage, BankOrder, BankReport } from "../domain/bank-files.js";
import { collections } from "./collections.js";

const chunk = 500;

export type BankFileStore = ReturnType<ReturnType<typeof createBankFileStore>["forTenant"]>;

/** What was handed to banks that take files, and what their files said. */
export function createBankFileStore(db: Connection) {
  const marks = recordCollection<BankMark>(db, collections.bankMarks);
  const messages = recordCollection<BankMessage>(db, collections.bankMessages);
  const orders = recordCollection<BankOrder>(db, collections.bankOrders);
  const files = recordCollection<BankFile>(db, collections.bankFiles);
  const reports = recordCollection<BankReport>(db, collections.bankReports);
  const tries = recordCollection<BankFileTries>(db, collections.bankFileTries);
  return {
    forTenant: (tenantId: string) => ({
      ...marksOf(marks.forTenant(tenantId)),
      ...ordersOf(messages.forTenant(tenantId), orders.forTenant(tenantId)),
      ...triesOf(tries.forTenant(tenantId)),
      ...reportsOf(files.forTenant(tenantId), reports.forTenant(tenantId)),
    }),
  };
}

function marksOf(marks: RecordCollection<BankMark>) {
  const find = (installationId: string) => marks.findOne({ installationId });
  return {
    findMark: find,
    /** Gives what there is then: that of whoever was first. */
    async proposeMark(installationId: string, mark: string): Promise<BankMark> {
      const begun = { $setOnInsert: { mark, isLaid: false } };
      await retryDuplicates(() => marks.updateOne({ installationId }, begun, { upsert: true }));
      const known = await find(installationId);
      if (known === undefined) throw new Error(`the mark of ${installationId} is there and is not`);
      return known;
    },
    async setMarkLaid(installationId: string): Promise<void> {
      await marks.updateOne({ installationId }, { $set: { isLaid: true } });
    },
  };
}

function ordersOf(messages: RecordCollection<BankMessage>, orders: RecordCollection<BankOrder>) {
  return {
    /** By reference, by the bank's name of it, or by message. */
    async findOrders(
      installationId: string,
      by: "reference" | "endToEndId" | "messageId",
      values: readonly string[],
    ): Promise<BankOrder[]> {
      const found: BankOrder[] = [];
      for (let start = 0; start < values.length; start += chunk) {
        const some = { installationId, [by]: { $in: values.slice(start, start + chunk) } };
        found.push(...(await orders.find(some as Filter<BankOrder>)));
      }
      return found;
    },
    /** Throws a duplicate's error where one of them is recorded already. */
    async insertMessage(message: BankMessage, its: readonly BankOrder[], session: ClientSession): Promise<void> {
      await messages.insertOne(message, { session });
      await orders.insertMany(its, { session });
    },
    /** Of an order that never came. False where it has come. */
    insertRecalled: (order: BankOrder): Promise<boolean> => unlessThere(orders.insertOne(order)),
    findMessage: (installationId: string, messageId: string): Promise<BankMessage | undefined> =>
      messages.findOne({ installationId, messageId }),
    async setHandedOver(installationId: string, messageId: string): Promise<void> {
      const state = { from: "STAGED", to: "HANDED_OVER" } as const;
      await messages.updateOne({ installationId, messageId, state: state.from }, { $set: { state: state.to } });
    },
    /** From then on nobody records that attempt. False where somebody has. */
    discardAttempt: (message: BankMessage): Promise<boolean> => unlessThere(messages.insertOne(message)),
  };
}

function triesOf(tries: RecordCollection<BankFileTries>) {
  return {
    /**
     * The number of the try that begins, 1 the first; undefined where as many as `most` were
     * begun, and one may be under way.
     */
    async beginTry(
      installationId: string,
      file: string,
      { now, forMs, most }: { now: Date; forMs: number; most: number },
    ): Promise<number | undefined> {
      const change = { $inc: { tries: 1 }, $set: { until: new Date(now.getTime() + forMs), at: now } };
      const free = { $or: [{ tries: { $lt: most } }, { until: { $lte: now } }] };
      try {
        const which = { installationId, file, ...free };
        const begun = await tries.findOneAndUpdate(which, change, { upsert: true, returnDocument: "after" });
        return begun?.tries;
      } catch (error) {
        if (isDuplicateKey(error)) return undefined;
        throw error;
      }
    },
    /** Another one may begin; one that says nothing of the file does not count. */
    async endTry(installationId: string, file: string, now: Date, counts: boolean): Promise<void> {
      await tries.updateOne(
        { installationId, file },
        { $set: { until: now }, ...(!counts && { $inc: { tries: -1 } }) },
      );
    },
    forgetTries: async (installationId: string, file: string): Promise<void> =>
      void (await tries.deleteMany({ installationId, file })),
    /** Of those of the files that were begun before. */
    listTries: (installationId: string, files: readonly string[]): Promise<BankFileTries[]> =>
      tries.find({ installationId, file: { $in: [...files] } }),
  };
}

function reportsOf(files: RecordCollection<BankFile>, reports: RecordCollection<BankReport>) {
  /** Whether reports of these files count. */
  async function areRead(installationId: string, fileIds: readonly string[]): Promise<Set<string>> {
    const found = await files.find({ installationId, fileId: { $in: [...fileIds] }, state: "READ" });
    return new Set(found.map(({ fileId }) => fileId));
  }

  return {
    /** Of files that were read as a whole. */
    async listReports(installationId: string, references: readonly string[]): Promise<BankReport[]> {
      const found: BankReport[] = [];
      for (let start = 0; start < references.length; start += chunk) {
        const some = { installationId, reference: { $in: references.slice(start, start + chunk) } };
        found.push(...(await reports.find(some)));
      }
      const read = await areRead(installationId, [...new Set(found.map(({ fileId }) => fileId))]);
      return found.filter(({ fileId }) => read.has(fileId));
    },
    /** They count once their file is READ. Twice is once. */
    async addReports(some: readonly BankReport[]): Promise<void> {
      for (let start = 0; start < some.length; start += chunk) {
        const upserts = some.slice(start, start + chunk).map(({ installationId, fileId, line, ...rest }) => ({
          updateOne: { filter: { installationId, fileId, line }, update: { $setOnInsert: rest }, upsert: true },
        }));
        await retryDuplicates(() => reports.bulkWrite(upserts, { ordered: false }));
      }
    },
    /** Entries of statements, by time. */
    async *streamEntries(installationId: string, { from, to }: { from?: Date; to?: Date }): AsyncIterable<BankReport> {
      const at = { ...(from && { $gte: from }), ...(to && { $lt: to }) };
      const which = { installationId, kind: { $in: ["DEBIT", "RETURN"] }, ...((from ?? to) && { at }) };
      const known = new Map<string, boolean>();
      const sort = { at: 1, fileId: 1, line: 1 } as const;
      for await (const report of reports.stream(which as Filter<BankReport>, { sort })) {
        const { fileId } = report;
        if (!known.has(fileId)) known.set(fileId, (await areRead(installationId, [fileId])).has(fileId));
        if (known.get(fileId)) yield report;
      }
    },
    /** A file that was read: by its bytes, or by its sender's number. */
    findReadFile: (
      installationId: string,
      { fileId, kind, messageId }: Pick<BankFile, "fileId" | "kind" | "messageId">,
    ): Promise<BankFile | undefined> =>
      files.findOne({ installationId, state: "READ", $or: [{ fileId }, { kind, messageId }] }),
    /** The oldest first. */
    listToHint: (installationId: string, limit: number): Promise<BankFile[]> =>
      files.find({ installationId, toHint: true }, { sort: { at: 1 }, limit }),
    listReportsOf: (installationId: string, fileId: string): Promise<BankReport[]> =>
      reports.find({ installationId, fileId }, { sort: { line: 1 } }),
    async setHinted(installationId: string, fileId: string): Promise<void> {
      await files.updateOne({ installationId, fileId, toHint: true }, { $unset: { toHint: true } });
    },
    /** False where it was READ already, or another one of its number. */
    insertFile: (file: BankFile): Promise<boolean> => unlessThere(files.insertOne(file)),
    /** The newest first. */
    listFiles: (installationId: string, limit: number): Promise<BankFile[]> =>
      files.find({ installationId }, { sort: { at: -1 }, limit }),
  };
}
