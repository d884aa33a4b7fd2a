import type { Filter, TenantCollection } from "../../shared/mongo/tenant-collection.js";
import type { AuditEntry } from "../domain/audit.js";
import type { Override } from "../domain/override.js";
import type { Owned, Page, Session } from "./collections.js";

const projection = { _id: 0, tenantId: 0 };

/** Overrides of customers' statuses, and the audit trail of all that people decide. */
export function oversightStore(
  overrides: TenantCollection<Owned<Override>>,
  audit: TenantCollection<Owned<AuditEntry>>,
) {
  return {
    async findOverride(by: Partial<Override>, session?: Session): Promise<Override | undefined> {
      return (await overrides.findOne(by as Filter<Owned<Override>>, { projection, session })) ?? undefined;
    },
    insertOverride: (one: Override, session: Session) => overrides.insertOne(one, { session }),
    async putOverride({ overrideId, ...content }: Override, session: Session): Promise<void> {
      await overrides.updateOne({ overrideId }, { $set: content }, { session });
    },
    listOverrides: ({ limit, after }: Page): Promise<Override[]> =>
      overrides.find(after === undefined ? {} : { overrideId: { $lt: after } }, {
        sort: { overrideId: -1 },
        limit,
        projection,
      }),

    /** Nothing here changes or removes an entry. */
    insertAudit: (entry: AuditEntry, session?: Session) => audit.insertOne(entry, { session }),
    listAudit: ({ subject, limit, after }: Page & { subject?: string }): Promise<AuditEntry[]> =>
      audit.find(
        { ...(subject !== undefined && { subject }), ...(after !== undefined && { entryId: { $lt: after } }) },
        { sort: { entryId: -1 }, limit, projection },
      ),
  };
}
