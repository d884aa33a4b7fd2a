import type { ClientSession } from "mongoose";
import type { RecordCollection } from "../../kernel/mongo/record-collection.js";
import type { Preference, TenantRecord } from "../domain/tenants.js";
import type { PreferenceChangeRecord } from "../domain/preference-changes.js";

/** A tenant's preference and the history of its changes. */
export function preferencePart(
  tenants: RecordCollection<TenantRecord, "tenantId">,
  changes: RecordCollection<PreferenceChangeRecord, "changeId">,
) {
  return {
    /** Undefined for a tenant that is not there. */
    putPreference: (preference: Preference, at: Date, revision: string, session: ClientSession) =>
      tenants.findOneAndUpdate(
        {},
        { $set: { preference, updatedAt: at, revision } },
        { session, returnDocument: "after" },
      ),
    insertPreferenceChange: (change: PreferenceChangeRecord, session: ClientSession) =>
      changes.insertOne(change, { session }),
    /** The newest first, before the given one. */
    listPreferenceChanges: ({ after, limit }: { after: string; limit: number }) =>
      changes.find(after === "" ? {} : { _id: { $lt: after } }, { sort: { _id: -1 }, limit }),
  };
}
