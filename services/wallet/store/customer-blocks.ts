import type { RecordCollection } from "../../kernel/mongo/record-collection.js";
import type { Session } from "./collections.js";

/** Blocks of compliance on a customer's wallets. */
export interface CustomerBlocks {
  customerId: string;
  /** Those that hold. */
  blockIds: string[];
  /** Those that are over: laid again by a late repetition, they freeze nothing. */
  endedIds: string[];
  changes: { blockId: string; frozen: boolean; at: Date; by: string }[];
}

export function customerBlockStore(blocks: RecordCollection<CustomerBlocks>) {
  const known = (customerId: string) =>
    blocks.updateOne({ customerId }, { $setOnInsert: { blockIds: [], endedIds: [], changes: [] } } as never, {
      upsert: true,
    });
  return {
    /** Those that hold the customer's wallets. */
    async blocksOf(customerId: string, session?: Session): Promise<readonly string[]> {
      return (await blocks.findOne({ customerId }, { session }))?.blockIds ?? [];
    },

    /** Notes a block; false where it is over already. */
    async beginBlock(customerId: string, blockId: string, by: { at: Date; by: string }): Promise<boolean> {
      await known(customerId);
      const fresh = { customerId, blockIds: { $ne: blockId }, endedIds: { $ne: blockId } };
      const update = { $push: { blockIds: blockId, changes: { blockId, frozen: true, ...by } } };
      await blocks.updateOne(fresh as never, update as never);
      return (await blocks.findOne({ customerId, blockIds: blockId } as never)) !== undefined;
    },

    /** Notes the end of a block, heard of or not: one that comes behind its end holds nothing. */
    async endBlock(customerId: string, blockId: string, by: { at: Date; by: string }): Promise<void> {
      await known(customerId);
      const held = { customerId, endedIds: { $ne: blockId } };
      const update = {
        $pull: { blockIds: blockId },
        $push: { endedIds: blockId, changes: { blockId, frozen: false, ...by } },
      };
      await blocks.updateOne(held as never, update as never);
    },
  };
}
