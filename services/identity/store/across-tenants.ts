import type { ClientSession, Connection } from "mongoose";
import { acrossTenants } from "../../shared/mongo/tenant-collection.js";
import { isDuplicateKey } from "../../shared/mongo/transaction.js";
import type { HostDocument, KeyDocument, RevocationDocument, StoredKey } from "./documents.js";

export type AcrossTenantsStore = ReturnType<typeof createAcrossTenantsStore>;

/** The one place where identity looks past tenants: hosts, its own keys, and the mirror of revocations. */
export function createAcrossTenantsStore(db: Connection) {
  const hosts = acrossTenants<HostDocument>(db, "hosts", "look-up of a host");
  const keys = acrossTenants<KeyDocument>(db, "keys", "identity's own keys");
  const revocations = acrossTenants<RevocationDocument>(db, "revocations", "mirror of revocations");
  return {
    async findTenantOfHost(host: string): Promise<string | undefined> {
      return (await hosts.findOne({ _id: host }))?.tenantId;
    },

    listHosts: (wanted: readonly string[], session: ClientSession) =>
      hosts.find({ _id: { $in: [...wanted] } }, { session }),

    async listKeys(): Promise<StoredKey[]> {
      const found = await keys.find({}, { sort: { createdAt: 1 } });
      return found.map(({ _id, ...key }) => ({ keyId: _id, ...key }));
    },
    async insertCurrentKey({ keyId, ...key }: StoredKey): Promise<boolean> {
      try {
        await keys.insertOne({ _id: keyId, ...key });
        return true;
      } catch (error) {
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    },

    findRevocations: (ids: string[]) => revocations.find({ _id: { $in: ids } }),
    /** Every revocation that a living access token could still run into. */
    streamLiveRevocations: (now: Date) => revocations.stream({ expiresAt: { $gt: now } }, { batchSize: 1000 }),
    listUnmirrored: (limit: number) => revocations.find({ mirrored: false }, { limit }),
    /** Notes that Redis has been told, unless a later revocation of the same subject has come since. */
    async markMirrored(told: readonly RevocationDocument[]): Promise<void> {
      const operations = told.map(({ _id, issuedBefore }) => ({
        updateOne: { filter: { _id, issuedBefore }, update: { $set: { mirrored: true } } },
      }));
      await revocations.bulkWrite(operations, { ordered: false });
    },
  };
}
