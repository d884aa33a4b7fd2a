import type { Denomination } from "./denominations.js";
import { tillAccount, type Till } from "./till.js";
import type { PlannedTransfer } from "./transfers.js";

/** Cash of one till that is set aside for another: the giver's until it is accepted. */
export interface HandOver {
  readonly handOverId: string;
  readonly fromTillId: string;
  readonly giverId: string;
  readonly receiverId: string;
  /** Of both tills: between branches cash goes by an order. */
  readonly branch: string;
  readonly currency: string;
  readonly amountMinor: bigint;
  readonly denominations?: readonly Denomination[];
  readonly status: "OFFERED" | "ACCEPTING" | "ACCEPTED" | "DECLINED" | "WITHDRAWN";
  readonly offeredAt: Date;
  readonly endedAt?: Date;
  /** User id of whoever took it back or declined it. */
  readonly endedBy?: string;
  /** Into which it goes, from when it is accepted. */
  readonly toTillId?: string;
}

/** Giver's till → receiver's; both are assets: what gets it is debited. */
export function transferOfHandOver(
  { giverId, currency, amountMinor: minor }: HandOver,
  to: Pick<Till, "cashierId" | "currency">,
  movementId: string,
): PlannedTransfer {
  return {
    key: `hand-over:${movementId}`,
    debitAccountId: tillAccount(to).accountId,
    creditAccountId: tillAccount({ cashierId: giverId, currency }).accountId,
    amount: { minor, currency },
    kind: "till_hand_over",
    description: "Cash from one till to another",
  };
}
