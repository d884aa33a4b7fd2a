import type { Application, Loan } from "./types";

/** Whether the money may be asked for: the offer is accepted, and no payout of it is under way. */
export function mayBeDisbursed({ status, accountId, disbursementStatus }: Application): boolean {
  return status === "APPROVED" && accountId !== undefined && ["NONE", "FAILED"].includes(disbursementStatus);
}

export const isRunning = ({ status }: Loan): boolean => status === "ACTIVE";

export const isPositive = (amount: string): boolean => /[1-9]/.test(amount) && !amount.startsWith("-");
