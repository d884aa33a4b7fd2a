import type { ClientSession } from "mongoose";
import type { RecordCollection } from "../../kernel/mongo/record-collection.js";
import type { PluginKind } from "../../platform/plugins/kinds.js";
import type { FieldCipher } from "../credentials/sealing.js";
import {
  maxPlugins,
  type PluginChange,
  type PluginRecord,
  type PluginSecret,
  type PluginStatus,
} from "../domain/plugins.js";
import type { TenantRecord } from "../domain/tenants.js";

/** Partners that one tenant has installed. Their secrets are sealed here and opened here. */
export function pluginPart(
  plugins: RecordCollection<PluginRecord, "installationId">,
  tenants: RecordCollection<TenantRecord, "tenantId">,
  cipher: FieldCipher,
  tenantId: string,
) {
  const contextOf = (id: string, name: string) => `${tenantId}/${id}/plugin secret ${name}`;
  const pendingContextOf = (id: string) => `${tenantId}/${id}/plugin pending change`;

  return {
    findPlugin: (id: string, session?: ClientSession) => plugins.findOne({ _id: id }, { session }),
    /** The oldest first: all that are not REMOVED, or the newest of a status. */
    async listPlugins({ kinds, status }: { kinds?: readonly PluginKind[]; status?: PluginStatus }) {
      const filter = {
        status: status ?? { $ne: "REMOVED" as const },
        ...(kinds !== undefined && { kind: { $in: [...kinds] } }),
      };
      return (await plugins.find(filter, { sort: { _id: -1 }, limit: maxPlugins })).toReversed();
    },
    /** One tenant's are counted one at a time, so that the last place is given once. */
    async countPlugins(session: ClientSession): Promise<number> {
      await tenants.updateOne({ _id: tenantId }, { $inc: { pluginTurn: 1 } }, { session });
      return plugins.count({ status: { $ne: "REMOVED" } }, { session });
    },
    /** Another installation that lists from these books, or did; looked for one at a time. */
    async findReader(books: string, besidesId: string, session: ClientSession): Promise<PluginRecord | undefined> {
      await tenants.updateOne({ _id: tenantId }, { $inc: { pluginTurn: 1 } }, { session });
      return plugins.findOne({ books, _id: { $ne: besidesId } }, { session });
    },
    insertPlugin: (plugin: PluginRecord, session: ClientSession) => plugins.insertOne(plugin, { session }),
    /** As it has become; what it lacks now is gone. */
    async putPlugin({ installationId, ...plugin }: PluginRecord, session: ClientSession): Promise<void> {
      const isGone = {
        ...(plugin.pending === undefined && { pending: true as const }),
        ...(plugin.former === undefined && { former: true as const }),
      };
      await plugins.updateOne({ _id: installationId }, { $set: plugin, $unset: isGone }, { session });
    },

    sealPluginSecrets: (
      id: string,
      values: Readonly<Record<string, string>>,
      setAt: Date,
    ): Record<string, PluginSecret> =>
      Object.fromEntries(
        Object.entries(values).map(([name, value]) => [
          name,
          { sealed: cipher.seal(value, contextOf(id, name)), setAt },
        ]),
      ),
    openPluginSecrets: ({ installationId, secrets }: PluginRecord): Record<string, string> =>
      Object.fromEntries(
        Object.entries(secrets).map(([name, { sealed }]) => [
          name,
          cipher.open(sealed, contextOf(installationId, name)),
        ]),
      ),
    sealPluginChange: (id: string, change: PluginChange) => cipher.seal(JSON.stringify(change), pendingContextOf(id)),
    openPluginChange: ({ installationId, pending }: PluginRecord): PluginChange | undefined =>
      pending && (JSON.parse(cipher.open(pending.change, pendingContextOf(installationId))) as PluginChange),
    /**
     * What stands for secrets where a request is known again: equal for equal
     * ones, and nobody can guess it.
     */
    markPluginSecrets: (values: Readonly<Record<string, string>>): Record<string, string> =>
      Object.fromEntries(
        Object.entries(values).map(([name, value]) => [name, cipher.lookUp(tenantId, "plugin secret", value)]),
      ),
  };
}
