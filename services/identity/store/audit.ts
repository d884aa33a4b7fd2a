import { v7 as uuidv7 } from "uuid";
import type { ClientSession } from "mongoose";
import type { RecordCollection } from "../../kernel/mongo/record-collection.js";
import type { AuditRecord } from "../domain/audit.js";

/** Who did what in one tenant, and why. */
export function auditPart(audit: RecordCollection<AuditRecord, "entryId">) {
  return {
    noteAudit: (entry: Omit<AuditRecord, "entryId">, session?: ClientSession) =>
      audit.insertOne({ entryId: uuidv7(), ...entry }, { session }),
    listAudit: (subject: string) => audit.find({ subject }, { sort: { _id: 1 }, limit: 1_000 }),
    /** The newest first, before the given one. */
    listNewestAudit: (subject: string, { after, limit }: { after: string; limit: number }) =>
      audit.find({ subject, ...(after === "" ? {} : { _id: { $lt: after } }) }, { sort: { _id: -1 }, limit }),
  };
}
