import { z } from "zod";
import type { Holding as WireHolding } from "../../../../proto/gen/investment/v1/investment.js";
import { date, decimalText, integer } from "./schema.js";
import { absentIfEmpty, filled, moneyText } from "./wire.js";

/** What a customer holds of a product, as they read it. */
export const Investment = z
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
  .meta({ id: "Investment" });

export function holdingFromWire(holding: WireHolding): z.output<typeof Investment> {
  return {
    holdingId: holding.holdingId,
    investmentApplicationId: holding.applicationId,
    investmentProductId: holding.productId,
    productName: holding.productName,
    customerId: holding.customerId,
    userWalletId: holding.walletAccountId,
    status: holding.status as "ACTIVE",
    numberOfUnits: holding.units,
    unitPrice: moneyText(holding.unitPrice, "unit_price"),
    principal: moneyText(holding.principal, "principal"),
    accruedInterest: moneyText(holding.accruedInterest, "accrued_interest"),
    currency: filled(holding.principal, "principal").currency,
    ratePercent: holding.ratePercent,
    purchaseDate: holding.purchasedOn,
    termStartDate: holding.termStart,
    maturityDate: absentIfEmpty(holding.maturityDate),
    lockedUntil: holding.lockedUntil,
    nextDueDate: absentIfEmpty(holding.nextDueOn),
    interestThrough: holding.interestThrough,
    ...(holding.unpaidSince !== "" && { unpaid: { dueDate: holding.unpaidSince, code: holding.unpaidCode } }),
  };
}
