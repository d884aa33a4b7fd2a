import { z } from "zod";
import type { Repayment as WireRepayment } from "../../../../proto/gen/lending/v1/repayment.js";
import { date, moneyNumber } from "./schema.js";
import { moneyAsNumber, moneyOf } from "./wire.js";

/** A repayment as the borrower reads it. */
export const RepaidTransaction = z
  .object({
    repaymentId: z.string(),
    loanApplicationId: z.string(),
    repaymentAmount: moneyNumber,
    paymentDate: date,
    paymentMethod: z.string(),
    status: z.string(),
    currency: z.string(),
    accountId: z.string(),
    repaymentReference: z.string(),
  })
  .meta({ id: "RepaidTransaction" });

export function repaidFromWire(repayment: WireRepayment): z.output<typeof RepaidTransaction> {
  const amount = moneyOf(repayment.amount, "repayment.amount");
  const { repaymentId, loanApplicationId, paymentDate, paymentMethod, status, accountId, reference } = repayment;
  return {
    repaymentId,
    loanApplicationId,
    repaymentAmount: moneyAsNumber(amount.minor, amount.currency),
    paymentDate,
    paymentMethod,
    status,
    currency: amount.currency,
    accountId,
    repaymentReference: reference,
  };
}
