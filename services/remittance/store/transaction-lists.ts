import type { Connection } from "mongoose";
import { recordCollection } from "../../kernel/mongo/record-collection.js";
import type { Filter } from "../../kernel/mongo/tenant-collection.js";
import { deliveryMethods } from "../domain/corridor.js";
import type { ListPosition, TransactionFilter } from "../domain/transaction-list.js";
import { transactionStatuses, type Transaction } from "../domain/transaction.js";
import { recipientMembers } from "../domain/transparency.js";
import { collections } from "./collections.js";

/** Held for a hit, and nobody outside has it: the work queue counts the same ones. */
export const heldPayouts = { "payout.heldAt": { $exists: true }, status: { $in: ["PAID", "PROCESSING"] } };
/** Nobody may take them as they are: the work queue counts the same ones. */
export const uncarriedPayouts = {
  "payout.noCarrierSince": { $exists: true },
  status: { $in: ["PAID", "PROCESSING"] },
};
/** Their partner's word ends nothing: a person says how they ended. */
export const unclearPayouts = { "payout.unclear.since": { $exists: true } };
// Lists say nothing of what lies sealed as a whole.
const unsealed = {
  _id: 0,
  tenantId: 0,
  sealedParties: 0,
  sealedRecipientDetails: 0,
  sealedOrderParties: 0,
  sealedAmendments: 0,
  sealedTraces: 0,
  sealedPayer: 0,
  counted: 0,
  linkedBy: 0,
  uncountedSince: 0,
};
const newestFirst = { createdAt: -1, transactionId: -1 } as const;

/** Where a transaction stands; the last entry of its timeline alone. */
export type DescribedTransaction = Pick<Transaction, "transactionId" | "transactionCode" | "status" | "timeline"> & {
  recipient: Pick<Transaction["recipient"], "name">;
};

/** Lists of transactions, each along an index. */
export function createTransactionListStore(
  db: Connection,
  open: (tenantId: string, found: Transaction) => Promise<Transaction>,
) {
  const transactions = recordCollection<Transaction>(db, collections.transactions);
  return {
    forTenant: (tenantId: string) => ({
      /** The newest first, after a position. */
      async listNewest(
        filter: TransactionFilter,
        { after, limit }: { after?: ListPosition; limit: number },
      ): Promise<Transaction[]> {
        const index = indexOf(filter);
        const found = await transactions.forTenant(tenantId).find(filterOf(filter, after), {
          sort: newestFirst,
          limit,
          projection: unsealed,
          ...(index !== undefined && { hint: index }),
        });
        return Promise.all(found.map((one) => open(tenantId, one)));
      },

      /**
       * Ids of what waits to a recipient for something that must be known of them, or for a
       * payment, whose claim may ask for it; the oldest first, after one of them.
       */
      async listWaitingTo(
        { customerId, beneficiaryId }: { customerId: string; beneficiaryId: string },
        { after, limit }: { after: string | undefined; limit: number },
      ): Promise<string[]> {
        const waiting = {
          "sender.customerId": customerId,
          status: { $in: ["AWAITING_COMPLIANCE", "AWAITING_PAYMENT"] },
          beneficiaryId,
          $or: [
            { status: "AWAITING_PAYMENT" },
            { "compliance.outstandingRequirements": { $in: [...recipientMembers] } },
          ],
          ...(after !== undefined && { transactionId: { $gt: after } }),
        } as Filter<Transaction>;
        const options = { sort: { transactionId: 1 as const }, limit, projection: { _id: 0, transactionId: 1 } };
        const found = await transactions.forTenant(tenantId).find(waiting, options);
        return found.map(({ transactionId }) => transactionId);
      },

      /** Where those named stand, in one read; those that there are. */
      async describe(transactionIds: readonly string[]): Promise<DescribedTransaction[]> {
        const found = await transactions.forTenant(tenantId).find({ transactionId: { $in: [...transactionIds] } }, {
          projection: {
            _id: 0,
            transactionId: 1,
            transactionCode: 1,
            status: 1,
            "recipient.name": 1,
            timeline: { $slice: -1 },
          },
        } as object);
        return found as DescribedTransaction[];
      },
    }),
  };
}

function filterOf(filter: TransactionFilter, after: ListPosition | undefined): Filter<Transaction> {
  const { customerId, createdBy, agentId, from, to, sendCurrency, receivingCountry } = filter;
  const created = {
    ...(from !== undefined && { $gte: from }),
    ...(to !== undefined && { $lt: to }),
    ...(after !== undefined && { $lte: after.createdAt }),
  };
  // Beside those of the status.
  const others = [
    ...(filter.isHeld === true ? [heldPayouts] : []),
    ...(filter.isUnclear === true ? [unclearPayouts] : []),
    ...(after === undefined
      ? []
      : [{ $nor: [{ createdAt: { $gte: after.createdAt }, transactionId: { $gte: after.transactionId } }] }]),
  ];
  return {
    ...(customerId !== undefined && { "sender.customerId": customerId }),
    ...(createdBy !== undefined && { createdBy }),
    ...(agentId !== undefined && { agentId }),
    ...statusesAndWays(filter),
    ...(sendCurrency !== undefined && { "price.principal.currency": sendCurrency }),
    ...(receivingCountry !== undefined && { "transferInformation.receivingCountry": receivingCountry }),
    ...(filter.senderCode !== undefined && { "sender.customerCode": filter.senderCode }),
    ...(filter.recipientCode !== undefined && { "recipient.customerCode": filter.recipientCode }),
    ...(filter.words !== undefined && { searchWords: { $all: [...filter.words] } }),
    ...(Object.keys(created).length > 0 && { createdAt: created }),
    ...(others.length > 0 && { $and: others }),
  } as Filter<Transaction>;
}

/**
 * The index that has all of what is asked before the newest. MongoDB would take another one, and
 * sort, as long as little is found. Undefined where no index has all of it: MongoDB tries then
 * which one leads to the page soonest.
 */
function indexOf(filter: TransactionFilter): string | undefined {
  const { statuses, deliveryMethod, customerId, receivingCountry, from, to, seesBlocks, ...others } = filter;
  if (Object.values(others).some((one) => one !== undefined)) return undefined;
  if (customerId !== undefined) {
    return deliveryMethod === undefined && receivingCountry === undefined ? "newest_of_sender" : undefined;
  }
  if (receivingCountry !== undefined) return "newest_to_country";
  return statuses === undefined && deliveryMethod === undefined ? undefined : "newest_of_status";
}

/**
 * Where an index has statuses and ways before the newest, all of them are named when the caller
 * names none: MongoDB then reads the newest of each and merges them, at most 200 (statuses times
 * ways), where it would read all and sort them.
 */
function statusesAndWays(filter: TransactionFilter) {
  const { statuses, deliveryMethod, customerId, receivingCountry } = filter;
  const alongStatuses = [customerId, receivingCountry, deliveryMethod].some((one) => one !== undefined);
  const alongWays = [statuses, receivingCountry].some((one) => one !== undefined);
  return {
    ...(statuses !== undefined && withStatus(statuses, filter.seesBlocks === true)),
    ...(statuses === undefined && alongStatuses && { status: { $in: [...transactionStatuses] } }),
    ...(deliveryMethod !== undefined && { deliveryMethod }),
    ...(deliveryMethod === undefined && alongWays && { deliveryMethod: { $in: [...deliveryMethods] } }),
  };
}

/** Along the index of statuses: what is blocked is read with the others and sorted out. */
function withStatus(statuses: readonly string[], seesBlocks: boolean) {
  if (seesBlocks) return { status: { $in: [...statuses] } };
  const shown = statuses.filter((status) => status !== "BLOCKED");
  if (shown.length === 0) return { status: { $in: [] } };
  return {
    status: { $in: [...shown, "BLOCKED"] },
    // By "nor": MongoDB may look up both sides of an "or" by themselves, and sort what it finds.
    $nor: [{ status: "BLOCKED", "block.shownAs": { $nin: shown } }],
  };
}
