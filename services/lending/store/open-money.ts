import type { Connection } from "mongoose";
import { recordCollection } from "../../kernel/mongo/record-collection.js";
import type { CountOpenMoney } from "../../platform/erasure/open-money.js";
import type { Loan, LoanState } from "../domain/loan.js";
import { collections } from "./collections.js";

const open: readonly LoanState[] = ["PENDING_DISBURSEMENT", "ACTIVE"];

/** Loans that are paid out, or about to be, and not repaid. */
export function countOpenLoans(db: Connection): CountOpenMoney {
  const loans = recordCollection<Loan>(db, collections.loans);
  return async (customerId, { tenantId }) => ({
    loans: await loans.forTenant(tenantId).count({ customerId, status: { $in: [...open] } }),
  });
}
