import type { Connection } from "mongoose";
import { tenantCollection } from "../../kernel/mongo/tenant-collection.js";
import type { CountOpenMoney } from "../../platform/erasure/open-money.js";
import type { Loan, LoanState } from "../domain/loan.js";
import { collections } from "./collections.js";
import type { EntityRow } from "./rows.js";

const open: readonly LoanState[] = ["PENDING_DISBURSEMENT", "ACTIVE"];

/** Loans that are paid out, or about to be, and not repaid. */
export function countOpenLoans(db: Connection): CountOpenMoney {
  const loans = tenantCollection<EntityRow<Loan>>(db, collections.loans);
  return async (customerId, { tenantId }) => ({
    loans: await loans.forTenant(tenantId).count({ customerId, status: { $in: [...open] } }),
  });
}
