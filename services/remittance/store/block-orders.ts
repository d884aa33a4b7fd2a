import type { ClientSession, Connection } from "mongoose";
import { recordCollection } from "../../kernel/mongo/record-collection.js";
import type { ReleaseOutcome } from "../domain/block.js";
import { collections } from "./collections.js";

/** A block as compliance ordered it, whatever it is laid on. */
export interface BlockOrder {
  blockId: string;
  orderedAt: Date;
  /** Raised by each transaction that it is laid on: that and its release exclude each other. */
  laid: number;
  /** Absent while it holds. */
  released?: Release;
}

export interface Release {
  at: Date;
  outcome: ReleaseOutcome;
}

/** Which blocks hold, and which are over: one that comes late, or once more, lays nothing. */
export function createBlockOrderStore(db: Connection) {
  const orders = recordCollection<BlockOrder>(db, collections.blockOrders);
  return {
    forTenant(tenantId: string) {
      const own = orders.forTenant(tenantId);
      const note = (blockId: string, orderedAt: Date) =>
        own.updateOne({ blockId }, { $setOnInsert: { orderedAt, laid: 0 } }, { upsert: true });
      return {
        /** Notes a block; safe to repeat. */
        async orderBlock(blockId: string, at: Date): Promise<void> {
          await note(blockId, at);
        },

        /**
         * Counts a transaction that the block is laid on, in the commit
         * that does; false where it is over.
         */
        async mayLay(blockId: string, session: ClientSession): Promise<boolean> {
          const holding = { blockId, released: { $exists: false } };
          return (await own.updateOne(holding, { $inc: { laid: 1 } }, { session })).matchedCount === 1;
        },

        /**
         * Notes the end of a block, heard of or not; gives the release that stands, the first one.
         */
        async orderRelease(blockId: string, release: Release): Promise<Release> {
          await note(blockId, release.at);
          await own.updateOne({ blockId, released: { $exists: false } }, { $set: { released: release } });
          return (await own.findOne({ blockId }))!.released!;
        },
      };
    },
  };
}
