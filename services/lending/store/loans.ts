import type { TenantCollection } from "../../kernel/mongo/tenant-collection.js";
import type { Loan } from "../domain/loan.js";
import { entities, type EntityRow, type Session } from "./rows.js";

export function createLoanStore(loans: TenantCollection<EntityRow<Loan>>) {
  const { insert, one, list, replace } = entities(loans);
  return {
    insertLoan: (loan: Loan, session: Session) => insert(loan.accountId, loan, session),
    findLoan: (accountId: string, session?: Session) => one({ _id: accountId }, session),
    findLoanByApplication: (loanApplicationId: string, session?: Session) => one({ loanApplicationId }, session),
    /** Throws when it changed meanwhile: the transaction runs again. */
    replaceLoan: (loan: Loan, session: Session) =>
      replace({ _id: loan.accountId, version: loan.version - 1 }, loan, session),
    /** One customer's, the newest first. */
    async listLoansOf(customerId: string, skip: number, limit: number): Promise<{ loans: Loan[]; total: number }> {
      const [found, total] = await Promise.all([
        list({ customerId }, { sort: { _id: -1 }, skip, limit }),
        loans.count({ customerId }),
      ]);
      return { loans: found, total };
    },
    /**
     * Loans of which nobody records repayments, by what these name: somebody else collects them, or
     * they were written off. Two where a reference is not one loan's.
     */
    listUnrecorded: (reference: string, session?: Session) =>
      list(
        { reference, $or: [{ thirdPartyCollection: true }, { status: "WRITTEN_OFF" }] },
        { sort: { _id: 1 }, limit: 2, session },
      ),
    loansAfter: (accountId: string, limit: number) => list({ _id: { $gt: accountId } }, { sort: { _id: 1 }, limit }),
  };
}
