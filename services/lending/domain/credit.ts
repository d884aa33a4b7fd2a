import type { OwnPartner } from "../../platform/banks/own-partner.js";

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
  /** The tenant's own bank that it arrived at; the operator's where absent. */
  readonly partner?: OwnPartner;
}

/** A credit before anybody knows what it is for. */
export type UnmatchedCredit = Omit<Credit, "state" | "matchedTo">;
