/** Why there is more or less cash in a till. */
export type TillLineKind =
  | "FLOAT"
  | "CASH_IN"
  | "CASH_OUT"
  | "CASH_PICKUP"
  | "SALE"
  | "COUNTER_PAYABLE"
  | "ORDER"
  | "HAND_OVER"
  | "DIFFERENCE"
  | "CLOSING";

/** What came into a till or left it once it was booked, numbered from 1 in the order of booking. */
export interface TillLine {
  readonly tillId: string;
  readonly number: number;
  readonly kind: TillLineKind;
  /** In above zero, out below. */
  readonly amountMinor: bigint;
  /** In the till after it. */
  readonly balanceMinor: bigint;
  readonly bookedAt: Date;
  /** Business day, such as "2026-11-30". */
  readonly day: string;
  /** User id of whoever moved it. */
  readonly movedBy: string;
  readonly movementId: string;
  /** Of the wallet; absent where none is concerned. */
  readonly accountId?: string;
  readonly transactionCode?: string;
}

/** A line before it has its place. */
export type NewTillLine = Omit<TillLine, "number" | "balanceMinor" | "tillId">;
