import { z } from "zod";
import { Repayment } from "../../../../proto/gen/lending/v1/repayment.js";
import { shape } from "./codec.js";
import { date, moneyNumber } from "./schema.js";

/** A repayment as the borrower reads it. */
export const RepaidTransaction = shape(
  Repayment,
  z
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
    .meta({ id: "RepaidTransaction" }),
  { repaymentAmount: "amount", currency: "amount.currency", repaymentReference: "reference" },
);
