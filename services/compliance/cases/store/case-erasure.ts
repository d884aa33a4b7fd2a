import type { Connection } from "mongoose";
import {
  erasedDocuments,
  erasedText,
  type ErasedPerson,
  type RetainedRecords,
} from "../../../platform/erasure/erasure.js";
import { recordCollection } from "../../../kernel/mongo/record-collection.js";
import { tenantCollection, type Filter } from "../../../kernel/mongo/tenant-collection.js";
import type { Case } from "../domain/case.js";
import { collections } from "../../common/store/collections.js";

/** Their parts go with them, so few at a time. */
const casesAtOnce = 5;

/** What was written in timelines: who did what, and when, stays. */
export function caseTexts(db: Connection): RetainedRecords {
  return erasedDocuments(db, {
    kind: "case-texts",
    collection: collections.caseEvents,
    which: ({ customerId }) => ({ customerId, sealed: { $exists: true } }),
    change: { $set: { text: erasedText }, $unset: { sealed: true } },
  });
}

/** Files of cases, with their names. */
export function caseFiles(db: Connection): RetainedRecords {
  const cases = recordCollection<Case>(db, collections.cases);
  const chunks = tenantCollection<{ tenantId: string; files_id: string }>(db, collections.caseFileChunks);
  const holding = ({ customerId }: ErasedPerson) => ({ customerId, "files.0": { $exists: true } }) as Filter<Case>;
  return {
    kind: "case-files",
    batch: casesAtOnce,
    async erase(person, limit, session) {
      const { tenantId } = person;
      const found = await cases.forTenant(tenantId).find(holding(person), { limit, session });
      if (found.length === 0) return 0;
      const fileIds = found.flatMap(({ files }) => files.map(({ fileId }) => fileId));
      await chunks.forTenant(tenantId).deleteMany({ files_id: { $in: fileIds } }, { session });
      const those = { caseId: { $in: found.map(({ caseId }) => caseId) } };
      await cases.forTenant(tenantId).updateMany(those, { $set: { files: [] } }, { session });
      return found.length;
    },
    count: (person) => cases.forTenant(person.tenantId).count(holding(person)),
  };
}
