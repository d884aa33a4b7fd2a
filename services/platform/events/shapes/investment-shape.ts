import { z } from "zod";
import { Holding } from "../../../../proto/gen/investment/v1/investment.js";
import { shape } from "./codec.js";
import { date, decimalText, integer, shown } from "./schema.js";
import * as leaf from "./leaves.js";

/** What a customer holds of a product, as they read it. */
export const Investment = shape(
  Holding,
  z
    .object({
      holdingId: z.string(),
      investmentApplicationId: z.string(),
      investmentProductId: leaf.investmentProductId,
      productName: leaf.productName,
      customerId: leaf.customerId,
      userWalletId: leaf.accountId,
      status: z.enum(["ACTIVE", "REDEEMED", "MATURED"]),
      numberOfUnits: shown(integer, 2),
      unitPrice: shown(decimalText, "10.00"),
      principal: leaf.sendAmount,
      accruedInterest: leaf.accruedInterest,
      currency: z.string(),
      ratePercent: leaf.ratePercent,
      purchaseDate: date,
      termStartDate: date,
      maturityDate: date.optional(),
      lockedUntil: date,
      nextDueDate: date.optional(),
      interestThrough: date.meta({ description: "Interest is counted for all days before this one." }),
      unpaid: z
        .object({ dueDate: date, code: shown(z.string(), "ACCOUNT_CLOSED") })
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
