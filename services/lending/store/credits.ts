import type { TenantCollection } from "../../shared/mongo/tenant-collection.js";
import { entities, type EntityRow, type Session } from "./rows.js";

/** Money that arrived at the tenant's bank for loans. */
export interface Credit {
  readonly creditId: string;
  readonly reference: string;
  readonly matchReference: string;
  readonly amountMinor: bigint;
  readonly currency: string;
  readonly senderName: string;
  readonly receivedAt: Date;
  /** SUSPENSE while it has matched nothing. */
  readonly state: "MATCHED" | "SUSPENSE";
  /** Repayment or payoff. */
  readonly matchedTo?: string;
  /** In accounts of its own, out of which no repayment is paid: above the operator's ceiling. */
  readonly isApart?: true;
}

export type CreditRow = EntityRow<Credit>;

export function createBankStore(tenantId: string, credits: TenantCollection<CreditRow>) {
  const { insert, one, list, replaceIf } = entities<Credit>(credits);
  const idOf = (creditId: string): string => `${tenantId}/${creditId}`;
  return {
    insertCredit: (credit: Credit, session: Session) => insert(idOf(credit.creditId), credit, session),
    findCredit: (creditId: string, session?: Session) => one({ _id: idOf(creditId) }, session),
    /** True when it was in suspense. */
    takeFromSuspense: (credit: Credit, matchedTo: string, session: Session) =>
      replaceIf({ _id: idOf(credit.creditId), state: "SUSPENSE" }, { ...credit, state: "MATCHED", matchedTo }, session),
    async findInSuspense(matchReference: string, amountMinor: bigint, currency: string, session?: Session) {
      const [oldest] = await list(
        { state: "SUSPENSE", matchReference, amountMinor, currency, isApart: { $exists: false } },
        { sort: { _id: 1 }, limit: 1, session },
      );
      return oldest;
    },
    listSuspense: (after: string, limit: number) =>
      list({ state: "SUSPENSE", _id: { $gt: idOf(after) } }, { sort: { _id: 1 }, limit }),
  };
}
