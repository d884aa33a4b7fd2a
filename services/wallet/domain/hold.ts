import type { Money } from "../../kernel/money.js";
import type { DayPart } from "./wallet-daily-limit.js";
import type { PlannedTransfer } from "./transfers.js";

export type HoldStatus =
  "HOLDING" | "HELD" | "CONFIRMING" | "CONFIRMED" | "RELEASING" | "RELEASED" | "EXPIRED" | "FAILED";

/** Money of a wallet that is reserved for another one. */
export interface Hold {
  readonly holdId: string;
  readonly accountId: string;
  readonly customerId: string;
  readonly payeeAccountId: string;
  readonly payeeCustomerId: string;
  readonly amount: Money;
  readonly description: string;
  readonly status: HoldStatus;
  readonly confirmedMinor?: bigint;
  /** The day of the wallet that it takes a part of, where that is limited. */
  readonly spentOn?: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** As it is shown: one that is over by time is EXPIRED, whether or not anybody has noted it. */
export function statusOf({ status, expiresAt }: Hold, now: Date): HoldStatus {
  return status === "HELD" && expiresAt <= now ? "EXPIRED" : status;
}

/** What of its day is free again once it has ended: all of it, or what was not confirmed. */
export function dayPartToRelease({ accountId, amount, spentOn }: Hold, confirmedMinor = 0n): DayPart | undefined {
  const minor = amount.minor - confirmedMinor;
  return spentOn === undefined || minor === 0n ? undefined : { accountId, day: spentOn, amount: { ...amount, minor } };
}

const keyOf = (holdId: string): string => `hold:${holdId}`;

/** Reserved at the ledger, which lets go of it by itself when its time is over. */
export function transferOfHold(hold: Hold, timeoutS: number): PlannedTransfer {
  return {
    key: keyOf(hold.holdId),
    debitAccountId: hold.accountId,
    creditAccountId: hold.payeeAccountId,
    amount: hold.amount,
    kind: "hold",
    description: hold.description || "Hold",
    mode: "TRANSFER_MODE_PENDING",
    timeoutS,
  };
}

/** One key ends a hold: confirmed and released cannot both be booked. */
export function transferOfEnd(hold: Hold, confirmed: Money | undefined): PlannedTransfer {
  return {
    key: `${keyOf(hold.holdId)}:end`,
    debitAccountId: "",
    creditAccountId: "",
    amount: confirmed ?? hold.amount,
    kind: confirmed === undefined ? "hold_release" : "hold_confirmation",
    description: hold.description || "Hold",
    mode: confirmed === undefined ? "TRANSFER_MODE_VOID_PENDING" : "TRANSFER_MODE_POST_PENDING",
    pendingKey: keyOf(hold.holdId),
  };
}
