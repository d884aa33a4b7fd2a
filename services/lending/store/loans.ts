import type { Loan } from "../domain/loan.js";
import { replace, under, type Entities, type Session } from "./rows.js";

export function createLoanStore(loans: Entities<Loan>) {
  return {
    insertLoan: (loan: Loan, session: Session) => loans.insertOne(under(loan.accountId, loan), { session }),
    findLoan: (accountId: string, session?: Session) => loans.findOne({ _id: accountId }, { session }),
    findLoanByApplication: (loanApplicationId: string, session?: Session) =>
      loans.findOne({ loanApplicationId }, { session }),
    /** Throws when it changed meanwhile: the transaction runs again. */
    replaceLoan: (loan: Loan, session: Session) =>
      replace(loans, { _id: loan.accountId, version: loan.version - 1 }, loan, session),
    /** One customer's, the newest first. */
    async listLoansOf(customerId: string, skip: number, limit: number): Promise<{ loans: Loan[]; total: number }> {
      const [found, total] = await Promise.all([
        loans.find({ customerId }, { sort: { _id: -1 }, skip, limit }),
        loans.count({ customerId }),
      ]);
      return { loans: found, total };
    },
    /**
     * Loans of which nobody records repayments, by what these name: somebody else collects them, or
     * they were written off. Two where a reference is not one loan's.
     */
    listUnrecorded: (reference: string, session?: Session) =>
      loans.find(
        { reference, $or: [{ thirdPartyCollection: true }, { status: "WRITTEN_OFF" }] },
        { sort: { _id: 1 }, limit: 2, session },
      ),
    loansAfter: (accountId: string, limit: number) =>
      loans.find({ _id: { $gt: accountId } }, { sort: { _id: 1 }, limit }),
  };
}
