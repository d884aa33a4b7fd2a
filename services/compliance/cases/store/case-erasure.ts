import type { Connection } from "mongoose";
import { erasedText, type ErasedPerson, type RetainedRecords } from "../../../platform/erasure/erasure.js";
import { recordCollection } from "../../../kernel/mongo/record-collection.js";
import { tenantCollection, type Filter } from "../../../kernel/mongo/tenant-collection.js";
import type { Case, CaseEvent } from "../domain/case.js";
import { collections, type Owned } from "../../common/store/collections.js";

/** Their parts go with them, so few at a time. */
const casesAtOnce = 5;

/** What was written in timelines: who did what, and when, stays. */
export function caseTexts(db: Connection): RetainedRecords {
  const all = tenantCollection<Owned<CaseEvent> & { _id: string }>(db, collections.caseEvents);
  const written = ({ customerId }: ErasedPerson) =>
    ({ customerId, sealed: { $exists: true } }) as Filter<Owned<CaseEvent> & { _id: string }>;
  const gone = { $set: { text: erasedText }, $unset: { sealed: true } } as object;
  return {
    kind: "case-texts",
    async erase(person, limit, session) {
      const own = all.forTenant(person.tenantId);
      const found = await own.find(written(person), { limit, session, projection: { _id: 1 } });
      const those = { _id: { $in: found.map(({ _id }) => _id) } };
      if (found.length > 0) await own.updateMany(those, gone, { session });
      return found.length;
    },
    count: (person) => all.forTenant(person.tenantId).count(written(person)),
  };
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
