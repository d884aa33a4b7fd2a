import { accountsOfEnding, transfersOfEnding, type CashOrder, type CashOrderEnding } from "../domain/cash-order.js";
import type { PlannedMovement } from "./run-movement.js";

/** An order that has arrived, or is back, as it was counted. */
export type CountedOrder = CashOrder & { readonly ending: CashOrderEnding };

/** What brings it to its end. */
export function plannedEnding(order: CountedOrder, movementId: string): PlannedMovement {
  const { orderId, ending } = order;
  return {
    kind: `CASH_ORDER_${ending.outcome}`,
    accountId: "",
    customerId: "",
    ownAccounts: accountsOfEnding(order, ending.outcome),
    transfers: transfersOfEnding(order, ending, movementId),
    subjectId: orderId,
    cashOrder: order,
  };
}
