import type { Dividend as WireDividend } from "../../../proto/gen/investment/v1/investment.js";
import type { Dividend } from "../domain/dividend.js";
import { amountToWire } from "./values.js";

export function dividendToWire(dividend: Dividend, failedHoldingIds: readonly string[] = []): WireDividend {
  const { currency } = dividend.amount;
  return {
    dividendId: dividend.dividendId,
    productId: dividend.productId,
    from: dividend.from.toString(),
    to: dividend.to.toString(),
    amount: amountToWire(dividend.amount.minor, currency),
    status: dividend.status,
    holdings: dividend.holdings,
    paid: amountToWire(dividend.paidMinor, currency),
    tax: amountToWire(dividend.taxMinor, currency),
    failed: amountToWire(dividend.failedMinor, currency),
    declaredAt: dividend.declaredAt,
    failedHoldingIds: [...failedHoldingIds],
  };
}
