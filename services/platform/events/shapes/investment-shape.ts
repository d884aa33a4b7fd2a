import { z } from "zod";
import { Holding } from "../../../../proto/gen/investment/v1/investment.js";
import { shape } from "./codec.js";
import { date, decimalText, integer } from "./schema.js";

/** What a customer holds of a product, as they read it. */
export const Investment = shape(
  Holding,
  z
    .object({
      holdingId: z.string(),
      investmentApplicationId: z.string(),
      investmentProductId: z.string(),
      productName: z.string(),
      customerId: z.string(),
      userWalletId: z.string(),
      status: z.enum(["ACTIVE", "REDEEMED", "MATURED"]),
      numberOfUnits: integer,
      unitPrice: decimalText,
      principal: decimalText,
      accruedInterest: decimalText,
      currency: z.string(),
      ratePercent: decimalText,
      purchaseDate: date,
      termStartDate: date,
      maturityDate: date.optional(),
      lockedUntil: date,
      nextDueDate: date.optional(),
      interestThrough: date.meta({ description: "Interest is counted for all days before this one." }),
      unpaid: z
        .object({ dueDate: date, code: z.string() })
        .optional()
        .meta({ description: "What was due and could not be paid, such as into a closed wallet; it stays owed." }),
    })
    .meta({ id: "Investment" }),
  {
    investmentApplicationId: "applicationId",
    investmentProductId: "productId",
    userWalletId: "walletAccountId",
    numberOfUnits: "units",
    currency: "principal.currency",
    purchaseDate: "purchasedOn",
    termStartDate: "termStart",
    nextDueDate: "nextDueOn",
    unpaid: { group: { dueDate: "unpaidSince", code: "unpaidCode" } },
  },
);
