import type { ClientSession, Connection } from "mongoose";
import type { WrappedKeys } from "../../kernel/keys/wrapped-keys.js";
import { createHeldTenants } from "../../kernel/mongo/held-tenants.js";
import { acrossTenants } from "../../kernel/mongo/tenant-collection.js";
import { inTransaction, unlessThere } from "../../kernel/mongo/transaction.js";
import type { PluginKind } from "../../platform/plugins/kinds.js";
import type { HostRecord, TenantRecord } from "../domain/tenants.js";
import type { StoredKey, StoredUser } from "./collections.js";
import type { PluginRecord } from "../domain/plugins.js";
import type { RevocationRecord } from "../domain/sessions.js";
import type { KeyRecord } from "../domain/key-rotation.js";

export type AcrossTenantsStore = ReturnType<typeof createAcrossTenantsStore>;

/**
 * The one place where identity looks past tenants: hosts, its own keys, whose plugin it is, and the
 * mirror of revocations.
 */
export function createAcrossTenantsStore(db: Connection, wrapped: Pick<WrappedKeys, "noteUse">) {
  const hosts = acrossTenants<HostRecord>(db, "hosts", "look-up of a host");
  const keys = acrossTenants<StoredKey>(db, "keys", "identity's own keys");
  const tenants = acrossTenants<TenantRecord>(db, "tenants", "tenants for their operator");
  const users = acrossTenants<StoredUser>(db, "users", "retention");
  const strangers = acrossTenants<StoredUser>(db, "users", "people whom compliance is to compare with lists");
  const held = createHeldTenants(db, "users");
  const revocations = acrossTenants<RevocationRecord>(db, "revocations", "mirror of revocations");
  const plugins = acrossTenants<PluginRecord>(db, "plugins", "whose plugin a callback is of");
  const removing = createHeldTenants(db, "plugins");
  const unnoted = createHeldTenants(db, "revocations");
  return {
    async findTenantOfHost(host: string): Promise<string | undefined> {
      return (await hosts.findOne({ _id: host }))?.tenantId;
    },

    /** Whose installation it is, and of which kind. */
    findPluginAnywhere: (installationId: string) =>
      plugins.findOne({ _id: installationId }, { projection: { tenantId: 1, type: 1, kind: 1, status: 1 } }),

    /**
     * Those on their way out of which a caller has not said that nothing is under
     * way there, the first ones first.
     */
    listRemovingPlugins: async (kinds: readonly PluginKind[], caller: string, limit: number) =>
      plugins.find(
        {
          ...(await removing.otherTenants()),
          status: "REMOVING",
          kind: { $in: [...kinds] },
          releasedBy: { $ne: caller } as never,
        },
        { sort: { changedAt: 1 }, limit, projection: { tenantId: 1, kind: 1, changedAt: 1 } },
      ),

    listHosts: (wanted: readonly string[], session: ClientSession) =>
      hosts.find({ _id: { $in: [...wanted] } }, { session }),

    async listKeys(): Promise<KeyRecord[]> {
      const found = await keys.find({}, { sort: { createdAt: 1 } });
      return found.map(({ _id, ...key }) => ({ keyId: _id, ...key }));
    },
    insertCurrentKey({ keyId, ...key }: KeyRecord): Promise<boolean> {
      const insert = async (session: ClientSession) => {
        await keys.insertOne({ _id: keyId, ...key }, { session });
        await wrapped.noteUse(key.secret.masterKeyId, session);
        return true;
      };
      const readBack = async () => ((await keys.findOne({ _id: keyId })) ? true : undefined);
      return unlessThere(inTransaction(db, insert, { readBack }));
    },

    replaceCurrentKey: ({ from, key }: { from: string; key: KeyRecord }): Promise<boolean> => {
      const { keyId, ...content } = key;
      return inTransaction(
        db,
        async (session) => {
          const previous = { $set: { state: "PREVIOUS" as const } };
          const { matchedCount } = await keys.updateOne({ _id: from, state: "CURRENT" }, previous, { session });
          if (matchedCount === 0) return false;
          await keys.insertOne({ _id: keyId, ...content }, { session });
          await wrapped.noteUse(content.secret.masterKeyId, session);
          return true;
        },
        { readBack: async () => ((await keys.findOne({ _id: keyId })) ? true : undefined) },
      );
    },
    async deleteKeys(keyIds: readonly string[]): Promise<void> {
      if (keyIds.length > 0) await keys.deleteMany({ _id: { $in: [...keyIds] } });
    },

    /** In the order of their ids, after the given one. */
    listTenants: ({ after, limit }: { after: string; limit: number }) =>
      tenants.find({ _id: { $gt: after } }, { sort: { _id: 1 }, limit }),

    /** Customers who were disabled before the time and are not erased yet; none of held tenants. */
    listCustomersDisabledBefore: async (before: Date, { after, limit }: { after: string; limit: number }) =>
      users.find(
        {
          ...(await held.otherTenants()),
          "disabled.at": { $lt: before },
          role: "CUSTOMER",
          erasedAt: { $exists: false },
          _id: { $gt: after },
        },
        { sort: { _id: 1 }, hint: "disabled", limit, projection: { tenantId: 1, "customer.id": 1 } },
      ),

    /**
     * People of whom compliance was not told yet, in the order of their ids, after the
     * given one; none of held tenants.
     */
    listNotIntroduced: async ({ after, limit }: { after: string; limit: number }) =>
      strangers.find(
        { ...(await held.otherTenants()), isIntroduced: { $exists: false }, _id: { $gt: after } },
        { sort: { _id: 1 }, limit, projection: { tenantId: 1 } },
      ),

    findRevocations: (ids: string[]) => revocations.find({ _id: { $in: ids } }),
    /** Every revocation that a living access token could still run into. */
    streamLiveRevocations: (now: Date) => revocations.stream({ expiresAt: { $gt: now } }, { batchSize: 1000 }),
    /** Held tenants' too: Redis must learn of them. */
    streamUnmirrored: () => revocations.stream({ mirrored: false }, { batchSize: 500 }),
    /**
     * Notes that Redis has been told, unless a later revocation of the same subject has come since.
     * Those of held tenants are left as they are.
     */
    markMirrored: (mirrored: readonly RevocationRecord[]): Promise<void> =>
      unnoted.past(async () => {
        const held = new Set(unnoted.others().tenantId?.$nin);
        const operations = mirrored
          .filter(({ tenantId }) => !held.has(tenantId))
          .map(({ _id, issuedBefore }) => ({
            updateOne: { filter: { _id, issuedBefore }, update: { $set: { mirrored: true } } },
          }));
        if (operations.length > 0) await revocations.bulkWrite(operations, { ordered: false });
      }),
  };
}
