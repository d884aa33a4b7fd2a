import type { Connection } from "mongoose";
import { recordCollection } from "../../kernel/mongo/record-collection.js";
import type { Filter } from "../../kernel/mongo/tenant-collection.js";
import { openStatuses, type Transaction } from "../domain/transaction.js";
import { collections } from "./collections.js";

/** Those named, and all of the customer's (to the recipient) that are not over. */
export interface BlockSelection {
  transactionIds: readonly string[];
  customerId?: string;
  recipientCode?: string;
}

/** What a block lies on, as far as it is asked for. */
export type BlockedTransaction = Pick<
  Transaction,
  "transactionId" | "status" | "block" | "payout" | "timeline" | "price"
>;

/** What a block is laid on, and what it lies on. */
export function createBlockedTransactionStore(db: Connection) {
  const transactions = recordCollection<Transaction>(db, collections.transactions);
  return {
    forTenant(tenantId: string) {
      const own = transactions.forTenant(tenantId);
      return {
        /** As they stand, without what of them lies sealed. */
        findToBlock: (selection: BlockSelection, blockId: string): Promise<Transaction[]> =>
          own.find(freshFor(selection, blockId)),

        /** What this block holds now, without what of it lies sealed. */
        findUnderBlock: (blockId: string): Promise<Transaction[]> => own.find(underBlock(blockId)),

        /** Ids of those that the block was not laid on yet, each once. */
        async idsToBlock(selection: BlockSelection, blockId: string): Promise<string[]> {
          const found = await own.find(freshFor(selection, blockId), { projection: { _id: 0, transactionId: 1 } });
          return found.map(({ transactionId }) => transactionId);
        },

        /** Whether one of them waits for its creation to store compliance's first answer. */
        async isBeingCreated(selection: BlockSelection): Promise<boolean> {
          const created = { status: "AWAITING_COMPLIANCE", compliance: { $exists: false } } as const;
          const one = { $and: [selectionOf(selection), created] } as Filter<Transaction>;
          return (await own.findOne(one, { projection: { _id: 1 } })) !== undefined;
        },

        /**
         * The customer's payouts that were held for a hit, or that no partner could take, and not
         * handed over since.
         */
        async waitingPayoutsOf(customerId: string): Promise<string[]> {
          const waiting = {
            "sender.customerId": customerId,
            status: { $in: ["PAID", "PROCESSING"] },
            $or: [{ "payout.heldAt": { $exists: true } }, { "payout.noCarrierSince": { $exists: true } }],
          } as unknown as Filter<Transaction>;
          const found = await own.find(waiting, { projection: { _id: 0, transactionId: 1 } });
          return found.map(({ transactionId }) => transactionId);
        },
        /** Whether anything of the customer's to the recipient is not over. */
        async isAnyUnderWay(of: { customerId: string; recipientCode: string }): Promise<boolean> {
          const one = await own.findOne(selectionOf({ transactionIds: [], ...of }), { projection: { _id: 1 } });
          return one !== undefined;
        },

        /** All that this block was ever laid on. */
        async listBlocked(blockId: string): Promise<BlockedTransaction[]> {
          const projection = { _id: 0, transactionId: 1, status: 1, block: 1, payout: 1, timeline: 1, price: 1 };
          return own.find(underBlock(blockId), { projection, sort: { transactionId: 1 } });
        },
      };
    },
  };
}

function underBlock(blockId: string): Filter<Transaction> {
  return { block: { $exists: true }, "block.by.blockId": blockId } as Filter<Transaction>;
}

function freshFor(selection: BlockSelection, blockId: string): Filter<Transaction> {
  return { $and: [selectionOf(selection), { "block.by.blockId": { $ne: blockId } }] } as Filter<Transaction>;
}

function selectionOf({ transactionIds, customerId, recipientCode }: BlockSelection): Filter<Transaction> {
  const named = { transactionId: { $in: [...transactionIds] } };
  if (customerId === undefined) return named as Filter<Transaction>;
  const ofCustomer = {
    "sender.customerId": customerId,
    status: { $in: openStatuses },
    ...(recipientCode !== undefined && { "recipient.customerCode": recipientCode }),
  };
  return (transactionIds.length === 0 ? ofCustomer : { $or: [ofCustomer, named] }) as Filter<Transaction>;
}
