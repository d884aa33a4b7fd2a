import type { Connection } from "mongoose";
import { tenantCollection, type Filter } from "../../kernel/mongo/tenant-collection.js";
import type { Transaction, TransactionStatus } from "../domain/transaction.js";
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

type Owned = Transaction & { tenantId: string };

// Of which something may still go out, or back.
const under: readonly TransactionStatus[] = [
  "AWAITING_COMPLIANCE",
  "AWAITING_PAYMENT",
  "PAYING",
  "PAID",
  "PROCESSING",
  "READY_FOR_PICKUP",
  "CANCELLING",
  "FAILED",
  "RETURNED",
  "BLOCKED",
];

/** What a block is laid on, and what it lies on. */
export function createBlockedTransactionStore(db: Connection) {
  const transactions = tenantCollection<Owned>(db, collections.transactions);
  return {
    forTenant(tenantId: string) {
      const own = transactions.forTenant(tenantId);
      return {
        /** As they stand, without what of them lies sealed. */
        findToBlock: (selection: BlockSelection, blockId: string): Promise<Transaction[]> =>
          own.find(freshFor(selection, blockId), { projection: { _id: 0, tenantId: 0 } }),

        /** What this block holds now, without what of it lies sealed. */
        async findUnderBlock(blockId: string): Promise<Transaction[]> {
          return own.find(underBlock(blockId), { projection: { _id: 0, tenantId: 0 } });
        },

        /** Ids of those that the block was not laid on yet, each once. */
        async idsToBlock(selection: BlockSelection, blockId: string): Promise<string[]> {
          const found = await own.find(freshFor(selection, blockId), { projection: { _id: 0, transactionId: 1 } });
          return found.map(({ transactionId }) => transactionId);
        },

        /** Whether one of them waits for its creation to store compliance's first answer. */
        async isBeingCreated(selection: BlockSelection): Promise<boolean> {
          const created = { status: "AWAITING_COMPLIANCE", compliance: { $exists: false } } as const;
          const one = { $and: [selectionOf(selection), created] } as Filter<Owned>;
          return (await own.findOne(one, { projection: { _id: 1 } })) !== null;
        },

        /** The customer's payouts that were held for a hit and not handed over since. */
        async heldPayoutsOf(customerId: string): Promise<string[]> {
          const held = {
            "sender.customerId": customerId,
            status: { $in: ["PAID", "PROCESSING"] },
            "payout.heldAt": { $exists: true },
          } as unknown as Filter<Owned>;
          const found = await own.find(held, { projection: { _id: 0, transactionId: 1 } });
          return found.map(({ transactionId }) => transactionId);
        },
        /** Whether anything of the customer's to the recipient is not over. */
        async isAnyUnderWay(of: { customerId: string; recipientCode: string }): Promise<boolean> {
          const one = await own.findOne(selectionOf({ transactionIds: [], ...of }), { projection: { _id: 1 } });
          return one !== null;
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

function underBlock(blockId: string): Filter<Owned> {
  return { block: { $exists: true }, "block.by.blockId": blockId } as Filter<Owned>;
}

function freshFor(selection: BlockSelection, blockId: string): Filter<Owned> {
  return { $and: [selectionOf(selection), { "block.by.blockId": { $ne: blockId } }] } as Filter<Owned>;
}

function selectionOf({ transactionIds, customerId, recipientCode }: BlockSelection): Filter<Owned> {
  const named = { transactionId: { $in: [...transactionIds] } };
  if (customerId === undefined) return named as Filter<Owned>;
  const ofCustomer = {
    "sender.customerId": customerId,
    status: { $in: [...under] },
    ...(recipientCode !== undefined && { "recipient.customerCode": recipientCode }),
  };
  return (transactionIds.length === 0 ? ofCustomer : { $or: [ofCustomer, named] }) as Filter<Owned>;
}
