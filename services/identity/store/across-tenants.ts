import type { ClientSession, Connection } from "mongoose";
import type { WrappedKeys } from "../../kernel/keys/wrapped-keys.js";
import { createHeldTenants } from "../../kernel/mongo/held-tenants.js";
import type { DocumentOf } from "../../kernel/mongo/record-collection.js";
import { acrossTenants, type Filter } from "../../kernel/mongo/tenant-collection.js";
import { inTransaction, unlessThere } from "../../kernel/mongo/transaction.js";
import type { PluginKind } from "../../platform/plugins/kinds.js";
import type { HostRecord, TenantRecord } from "../domain/tenants.js";
import type { Owned, StoredKey, StoredUserDocument } from "./collections.js";
import type { PluginRecord } from "../domain/plugins.js";
import type { RevocationRecord } from "../domain/sessions.js";
import type { KeyRecord } from "../domain/key-rotation.js";

type RevocationDocument = Owned<DocumentOf<RevocationRecord, "revocationId">>;

export type AcrossTenantsStore = ReturnType<typeof createAcrossTenantsStore>;

/**
 * The one place where identity looks past tenants: hosts, its own keys, whose plugin it is, and the
 * mirror of revocations.
 */
export function createAcrossTenantsStore(db: Connection, wrapped: Pick<WrappedKeys, "noteUse">) {
  const hosts = acrossTenants<Owned<DocumentOf<HostRecord, "host">>>(db, "hosts", "look-up of a host");
  const keys = acrossTenants<StoredKey>(db, "keys", "identity's own keys");
  const tenants = acrossTenants<DocumentOf<TenantRecord, "tenantId">>(db, "tenants", "tenants for their operator");
  const users = acrossTenants<Owned<StoredUserDocument>>(db, "users", "retention");
  const strangers = acrossTenants<Owned<StoredUserDocument>>(
    db,
    "users",
    "people whom compliance is to compare with lists",
  );
  const held = createHeldTenants(db, "users");
  const revocations = acrossTenants<RevocationDocument>(db, "revocations", "mirror of revocations");
  const plugins = acrossTenants<Owned<DocumentOf<PluginRecord, "installationId">>>(
    db,
    "plugins",
    "whose plugin a callback is of",
  );
  const removing = createHeldTenants(db, "plugins");
  const unnoted = createHeldTenants(db, "revocations");

  async function* streamRevocations(
    which: Filter<RevocationDocument>,
    batchSize: number,
  ): AsyncGenerator<Owned<RevocationRecord>> {
    for await (const one of revocations.stream(which, { batchSize })) yield revocationOf(one);
  }

  return {
    async findTenantOfHost(host: string): Promise<string | undefined> {
      return (await hosts.findOne({ _id: host }))?.tenantId;
    },

    /** Whose installation it is, and of which kind. */
    async findPluginAnywhere(installationId: string) {
      const projection = { tenantId: 1, type: 1, kind: 1, status: 1 };
      return (await plugins.findOne({ _id: installationId }, { projection })) ?? undefined;
    },

    /**
     * Those on their way out of which a caller has not said that nothing is under
     * way there, the first ones first.
     */
    async listRemovingPlugins(kinds: readonly PluginKind[], caller: string, limit: number) {
      const found = await plugins.find(
        {
          ...(await removing.otherTenants()),
          status: "REMOVING",
          kind: { $in: [...kinds] },
          releasedBy: { $ne: caller } as never,
        },
        { sort: { changedAt: 1 }, limit, projection: { tenantId: 1, kind: 1, changedAt: 1 } },
      );
      return found.map(({ _id: installationId, tenantId, kind, changedAt }) => {
        return { tenantId, installationId, kind, changedAt };
      });
    },

    async listHosts(wanted: readonly string[], session: ClientSession): Promise<Owned<HostRecord>[]> {
      const found = await hosts.find({ _id: { $in: [...wanted] } }, { session });
      return found.map(({ _id: host, tenantId }) => ({ host, tenantId }));
    },

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
    async listTenants({ after, limit }: { after: string; limit: number }): Promise<TenantRecord[]> {
      const found = await tenants.find({ _id: { $gt: after } }, { sort: { _id: 1 }, limit });
      return found.map(({ _id: tenantId, ...rest }) => ({ ...rest, tenantId }));
    },

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
    async listNotIntroduced({ after, limit }: { after: string; limit: number }) {
      const found = await strangers.find(
        { ...(await held.otherTenants()), isIntroduced: { $exists: false }, _id: { $gt: after } },
        { sort: { _id: 1 }, limit, projection: { tenantId: 1 } },
      );
      return found.map(({ _id: userId, tenantId }) => ({ userId, tenantId }));
    },

    findRevocations: async (ids: string[]) => (await revocations.find({ _id: { $in: ids } })).map(revocationOf),
    /** Every revocation that a living access token could still run into. */
    streamLiveRevocations: (now: Date) => streamRevocations({ expiresAt: { $gt: now } }, 1000),
    /** Held tenants' too: Redis must learn of them. */
    streamUnmirrored: () => streamRevocations({ mirrored: false }, 500),
    /**
     * Notes that Redis has been told, unless a later revocation of the same subject has come since.
     * Those of held tenants are left as they are.
     */
    markMirrored: (mirrored: readonly Owned<RevocationRecord>[]): Promise<void> =>
      unnoted.past(async () => {
        const held = new Set(unnoted.others().tenantId?.$nin);
        const operations = mirrored
          .filter(({ tenantId }) => !held.has(tenantId))
          .map(({ revocationId, issuedBefore }) => ({
            updateOne: { filter: { _id: revocationId, issuedBefore }, update: { $set: { mirrored: true } } },
          }));
        if (operations.length > 0) await revocations.bulkWrite(operations, { ordered: false });
      }),
  };
}

function revocationOf({ _id: revocationId, ...rest }: RevocationDocument): Owned<RevocationRecord> {
  return { revocationId, ...rest };
}
