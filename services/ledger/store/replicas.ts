import type { Connection } from "mongoose";
import { acrossTenants } from "../../kernel/mongo/tenant-collection.js";
import type { Peer } from "../domain/sharing.js";
import { collections, type ReplicaDocument } from "./collections.js";

export interface PublishedPeer extends Peer {
  /** How often it has told of itself. */
  readonly told: number;
}

export type ReplicaStore = ReturnType<typeof createReplicaStore>;

/** What the ledger's replicas tell each other of themselves, by the server's clock. */
export function createReplicaStore(
  db: Connection,
  { address: listening, holder, ttlMs }: { address: Promise<string>; holder: string; ttlMs: number },
) {
  const replicas = acrossTenants<ReplicaDocument>(db, collections.replicas, "the ledger's own replicas");

  return {
    async tell(own: Omit<PublishedPeer, "address">): Promise<void> {
      const row = { holder: { $literal: holder }, ...own, seenAt: "$$NOW" };
      await replicas.updateOne({ _id: await listening }, [{ $set: row }] as never, { upsert: true });
    },

    /** Those that told of themselves in time. */
    async others(): Promise<PublishedPeer[]> {
      const isFresh = { $gt: ["$seenAt", { $subtract: ["$$NOW", ttlMs] }] };
      const found = await replicas.find({ _id: { $ne: await listening }, $expr: isFresh });
      return found.map(({ _id: address, load, isReserved, told }) => ({ address, load, isReserved, told }));
    },

    /** Nobody hands this replica a journal any more, once they have looked again. */
    async leave(): Promise<void> {
      // A process that has taken the address over since stays.
      await replicas.deleteOne({ _id: await listening, holder });
    },
  };
}
