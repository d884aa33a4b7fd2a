import { z } from "zod";
import { Repayment } from "../../../../proto/gen/lending/v1/repayment.js";
import { shape } from "./codec.js";
import { date, shown } from "./schema.js";
import * as leaf from "./leaves.js";

/** A repayment as the borrower reads it. */
export const RepaidTransaction = shape(
  Repayment,
  z
    .object({
      repaymentId: shown(z.string(), "0199d0c2-4899-7049-845a-f9cd161a9e41"),
      loanApplicationId: shown(z.string(), "5483faa1-6910-8881-a786-52a92862c554"),
      repaymentAmount: leaf.repaymentAmount,
      paymentDate: date,
      paymentMethod: leaf.paymentMethod,
      status: shown(z.string(), "VERIFIED"),
      currency: z.string(),
      accountId: shown(z.string(), "0199d0c2-db96-77b4-b792-ec4db6f98b24"),
      repaymentReference: leaf.repaymentReference,
    })
    .meta({ id: "RepaidTransaction" }),
  { repaymentAmount: "amount", currency: "amount.currency", repaymentReference: "reference" },
);
