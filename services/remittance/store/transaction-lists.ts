import type { Connection } from "mongoose";
import { tenantCollection, type Filter } from "../../shared/mongo/tenant-collection.js";
import type { DeliveryMethod } from "../domain/corridor.js";
import type { Transaction } from "../domain/transaction.js";

/** Whose transactions are listed; none of them means all of the tenant. */
export interface TransactionOwners {
  customerId?: string;
  createdBy?: string;
  agentId?: string;
}

export interface TransactionFilter extends TransactionOwners {
  statuses?: readonly string[];
  deliveryMethod?: DeliveryMethod;
  from?: Date;
  to?: Date;
  sendCurrency?: string;
  receivingCountry?: string;
  senderCode?: string;
  recipientCode?: string;
  words?: readonly string[];
}

/** The last transaction of a page. */
export interface ListPosition {
  createdAt: Date;
  transactionId: string;
}

/** What a report needs of a transaction. */
export type ReportedTransaction = Pick<
  Transaction,
  "createdAt" | "createdBy" | "createdByRole" | "agentId" | "status" | "deliveryMethod"
> & {
  price: Pick<Transaction["price"], "principal" | "totalFees" | "totalTaxes" | "total" | "receive">;
  transferInformation: Pick<Transaction["transferInformation"], "originCountry" | "receivingCountry">;
};

const projection = { _id: 0, tenantId: 0 };
const newestFirst = { createdAt: -1, transactionId: -1 } as const;

/** Lists of transactions, each along an index. */
export function createTransactionListStore(
  db: Connection,
  open: (tenantId: string, found: Transaction) => Promise<Transaction>,
) {
  const transactions = tenantCollection<Transaction & { tenantId: string }>(db, "transactions");
  return {
    forTenant: (tenantId: string) => ({
      /** The newest first, after a position. */
      async listNewest(
        filter: TransactionFilter,
        { after, limit }: { after?: ListPosition; limit: number },
      ): Promise<Transaction[]> {
        const found = await transactions
          .forTenant(tenantId)
          .find(filterOf(filter, after), { projection, sort: newestFirst, limit });
        return Promise.all(found.map((one) => open(tenantId, one)));
      },

      async findTransactionByCode(transactionCode: string): Promise<Transaction | undefined> {
        const found = await transactions.forTenant(tenantId).findOne({ transactionCode }, { projection });
        return found === null ? undefined : open(tenantId, found);
      },

      /** Counts a try of a pickup code before it is looked at; false where there is none left. */
      async countPickupTry(transactionId: string, maxTries: number): Promise<boolean> {
        const counted = await transactions
          .forTenant(tenantId)
          .updateOne(
            { transactionId, status: "READY_FOR_PICKUP", "pickup.tries": { $lt: maxTries } },
            { $inc: { "pickup.tries": 1 } },
          );
        return counted.matchedCount === 1;
      },

      /** Those created in a range, for counting; as a stream, for there may be many: a thousand of them are held at a time. */
      streamCreated: (
        { from, to }: { from: Date; to: Date },
        owners: TransactionOwners,
      ): AsyncIterable<ReportedTransaction> =>
        transactions.forTenant(tenantId).stream(filterOf({ ...owners, from, to }, undefined), {
          sort: newestFirst,
          batchSize: 1_000,
          projection: {
            _id: 0,
            createdAt: 1,
            createdBy: 1,
            createdByRole: 1,
            agentId: 1,
            status: 1,
            deliveryMethod: 1,
            "price.principal": 1,
            "price.totalFees": 1,
            "price.totalTaxes": 1,
            "price.total": 1,
            "price.receive": 1,
            "transferInformation.originCountry": 1,
            "transferInformation.receivingCountry": 1,
          },
        } as object) as AsyncIterable<ReportedTransaction>,
    }),
  };
}

/** Lower-case words of names and codes that a transaction is found by. */
export function searchWordsOf({
  transactionId,
  transactionCode,
  sender,
  recipient,
}: Pick<Transaction, "transactionId" | "transactionCode" | "sender" | "recipient">): string[] {
  const texts = [sender.name, recipient.name];
  const codes = [transactionId, transactionCode, sender.customerCode, recipient.customerCode];
  return [...new Set([...texts.flatMap(wordsOf), ...codes.map((code) => code.toLowerCase())])].filter(Boolean);
}

/** Words of what somebody typed or is called, without accents. */
export function wordsOf(text: string): string[] {
  const plain = text.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase();
  return plain.split(/[\s,;]+/).filter((word) => word !== "");
}

function filterOf(
  filter: TransactionFilter,
  after: ListPosition | undefined,
): Filter<Transaction & { tenantId: string }> {
  const { customerId, createdBy, agentId, statuses, deliveryMethod, from, to, sendCurrency, receivingCountry } = filter;
  const created = {
    ...(from !== undefined && { $gte: from }),
    ...(to !== undefined && { $lt: to }),
    ...(after !== undefined && { $lte: after.createdAt }),
  };
  return {
    ...(customerId !== undefined && { "sender.customerId": customerId }),
    ...(createdBy !== undefined && { createdBy }),
    ...(agentId !== undefined && { agentId }),
    ...(statuses !== undefined && { status: { $in: [...statuses] } }),
    ...(deliveryMethod !== undefined && { deliveryMethod }),
    ...(sendCurrency !== undefined && { "price.principal.currency": sendCurrency }),
    ...(receivingCountry !== undefined && { "transferInformation.receivingCountry": receivingCountry }),
    ...(filter.senderCode !== undefined && { "sender.customerCode": filter.senderCode }),
    ...(filter.recipientCode !== undefined && { "recipient.customerCode": filter.recipientCode }),
    ...(filter.words !== undefined && { searchWords: { $all: [...filter.words] } }),
    ...(Object.keys(created).length > 0 && { createdAt: created }),
    ...(after !== undefined && {
      $or: [{ createdAt: { $lt: after.createdAt } }, { transactionId: { $lt: after.transactionId } }],
    }),
  } as Filter<Transaction & { tenantId: string }>;
}
