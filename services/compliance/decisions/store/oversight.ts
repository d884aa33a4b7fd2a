import type { RecordCollection } from "../../../kernel/mongo/record-collection.js";
import type { Filter } from "../../../kernel/mongo/tenant-collection.js";
import type { AuditEntry } from "../../common/domain/audit.js";
import type { Override } from "../domain/override.js";
import type { Page, Session } from "../../common/store/collections.js";
import type { SealedField, TextCipher } from "../../screening/store/screening-cipher.js";

/** An entry with a reason has that, and what was decided, sealed until they are erased. */
export type StoredAudit = AuditEntry & { sealed?: SealedField };

/** Overrides of customers' statuses, and the audit trail of all that people decide. */
export function oversightStore(
  tenantId: string,
  overrides: RecordCollection<Override>,
  audit: RecordCollection<StoredAudit>,
  cipher: TextCipher,
) {
  const recordOf = (entryId: string) => `${tenantId} audit ${entryId}`;

  async function seal(entry: AuditEntry) {
    const { reason, content, ...rest } = entry;
    if (reason === "") return entry;
    return { ...rest, reason: "", content: "", sealed: await cipher.seal({ reason, content }, recordOf(rest.entryId)) };
  }
  async function open({ sealed: field, ...entry }: StoredAudit): Promise<AuditEntry> {
    if (field === undefined) return entry;
    const texts = await cipher.open<Pick<AuditEntry, "reason" | "content">>(field, recordOf(entry.entryId));
    return { ...entry, ...texts };
  }

  return {
    findOverride: (by: Partial<Override>, session?: Session): Promise<Override | undefined> =>
      overrides.findOne(by as Filter<Override>, { session }),
    insertOverride: (one: Override, session: Session) => overrides.insertOne(one, { session }),
    async putOverride({ overrideId, ...content }: Override, session: Session): Promise<void> {
      await overrides.updateOne({ overrideId }, { $set: content }, { session });
    },
    listOverrides: ({ limit, after }: Page): Promise<Override[]> =>
      overrides.find(after === undefined ? {} : { overrideId: { $lt: after } }, {
        sort: { overrideId: -1 },
        limit,
      }),

    /** Nothing here changes or removes an entry. */
    insertAudit: async (entry: AuditEntry, session?: Session) =>
      audit.insertOne(await seal({ ...entry, subjects: entry.subjects ?? [entry.subject] }), { session }),
    /** Without what is about the member of staff who reads. */
    async listAudit({
      subject,
      reader,
      limit,
      after,
    }: Page & { subject?: string; reader?: string }): Promise<AuditEntry[]> {
      const about = [
        ...(subject === undefined ? [] : [{ subjects: subject }]),
        ...(reader === undefined ? [] : [{ subjects: { $ne: `staff:${reader}` } }]),
        ...(after === undefined ? [] : [{ entryId: { $lt: after } }]),
      ];
      const filter = (about.length === 0 ? {} : { $and: about }) as Filter<StoredAudit>;
      const found = await audit.find(filter, { sort: { entryId: -1 }, limit });
      return Promise.all(found.map(open));
    },
  };
}
