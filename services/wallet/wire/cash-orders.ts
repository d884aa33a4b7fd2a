import type { CashOrder as WireOrder } from "../../../proto/gen/wallet/v1/branch_cash.js";
import { moneyToWire } from "../../kernel/money.js";
import type { CashOrder } from "../domain/cash-order.js";
import { denominationsToWire } from "./tills.js";

/** A count is shown while it waits and once it is over, not what was refused before. */
export function cashOrderToWire(order: CashOrder): WireOrder {
  const { orderId, from, to, currency, amountMinor, denominations, status, ending } = order;
  const { requestedBy, requestedAt, sentBy = "", sentAt, endedBy = "", endedAt } = order;
  const isCounted = ["WAITING", "ENDING", "RECEIVED", "RETURNED"].includes(status);
  return {
    orderId,
    fromBranchCode: from,
    toBranchCode: to,
    amount: moneyToWire({ minor: amountMinor, currency }),
    currency,
    denominations: denominationsToWire(denominations, currency),
    status,
    requestedBy,
    requestedAt,
    sentBy,
    sentAt,
    endedBy,
    endedAt,
    countedMinor: isCounted ? ending?.countedMinor : undefined,
    differenceMinor: isCounted ? ending?.differenceMinor : undefined,
    reason: (isCounted && ending?.reason) || "",
    approvalId: ending?.approvalId ?? "",
  };
}
