import type { Credit } from "../domain/credit.js";
import { replaceIf, under, type Entities, type Session } from "./rows.js";

export function createCreditStore(tenantId: string, credits: Entities<Credit>) {
  const idOf = (creditId: string): string => `${tenantId}/${creditId}`;
  return {
    insertCredit: (credit: Credit, session: Session) =>
      credits.insertOne(under(idOf(credit.creditId), credit), { session }),
    findCredit: (creditId: string, session?: Session) => credits.findOne({ _id: idOf(creditId) }, { session }),
    /** True when it was in suspense. */
    takeFromSuspense: (credit: Credit, matchedTo: string, session: Session) =>
      replaceIf(
        credits,
        { _id: idOf(credit.creditId), state: "SUSPENSE" },
        { ...credit, state: "MATCHED", matchedTo },
        session,
      ),
    async findInSuspense(matchReference: string, amountMinor: bigint, currency: string, session?: Session) {
      const [oldest] = await credits.find(
        { state: "SUSPENSE", matchReference, amountMinor, currency, isApart: { $exists: false } },
        { sort: { _id: 1 }, limit: 1, session },
      );
      return oldest;
    },
    /** Those that name a loan, as far as anything may be paid out of them. */
    listNaming: (matchReference: string, currency: string, after: string, limit: number) =>
      credits.find(
        { state: "SUSPENSE", matchReference, currency, isApart: { $exists: false }, _id: { $gt: idOf(after) } },
        { sort: { _id: 1 }, limit },
      ),
    listSuspense: (after: string, limit: number) =>
      credits.find({ state: "SUSPENSE", _id: { $gt: idOf(after) } }, { sort: { _id: 1 }, limit }),
  };
}
