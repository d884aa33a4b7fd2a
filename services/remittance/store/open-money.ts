import type { Connection } from "mongoose";
import { recordCollection } from "../../kernel/mongo/record-collection.js";
import type { CountOpenMoney } from "../../platform/erasure/open-money.js";
import { openStatuses, type Transaction } from "../domain/transaction.js";
import { collections } from "./collections.js";

/** Money of the sender is here, or with a partner, and may come back. */
const paidAndOpen = openStatuses.filter((status) => status !== "AWAITING_COMPLIANCE" && status !== "AWAITING_PAYMENT");

/** Transactions that were paid and are not over. */
export function countOpenTransactions(db: Connection): CountOpenMoney {
  const transactions = recordCollection<Transaction>(db, collections.transactions);
  return async (customerId, { tenantId }) => {
    const filter = { "sender.customerId": customerId, status: { $in: paidAndOpen } };
    return { transactions: await transactions.forTenant(tenantId).count(filter, { hint: "newest_of_sender" }) };
  };
}
