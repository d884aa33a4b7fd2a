import type { Money } from "../../kernel/money.js";
import type { OwnAccount } from "./movement.js";
import type { PlannedTransfer } from "./transfers.js";

/** Kinds of moves that the wallet asks compliance about, as its table names them. */
export type MoveKind =
  | "TRANSACTION"
  | "WITHDRAWAL"
  | "HOLD_CONFIRMATION"
  | "EXCHANGE"
  | "CASH_OUT"
  | "REFUND_GIVEN"
  | "LOAN_PAYOFF"
  | "INVESTMENT"
  | "CASH_IN"
  | "TOP_UP"
  | "PAYMENT_RECEIVED"
  | "BANK_CREDIT_RECEIVED"
  | "REFUND_RECEIVED";

/**
 * Money that arrived for a customer who may not have it yet: in their wallet, reserved there
 * without an end.
 */
export interface HeldArrival {
  /** Key of the transfer that brought it: it is held once. */
  readonly heldId: string;
  readonly accountId: string;
  readonly customerId: string;
  readonly amount: Money;
  readonly kind: MoveKind;
  readonly status: "HELD" | "RELEASED";
  readonly heldAt: Date;
  readonly releasedAt?: Date;
}

export type NewlyHeld = Omit<HeldArrival, "status" | "heldAt" | "releasedAt">;

/** Kind of the leg that holds, which a group's answer leaves out. */
export const heldKind = "arrival_held";

/** Only ever named by pending transfers: nothing is booked here. */
export function heldAccount(currency: string): OwnAccount {
  const name = `Held for customers ${currency}`;
  return { accountId: `wallet_held:${currency}`, code: "wallet_held", currency, name };
}

/** Describes what a leg into a wallet holds for its customer. */
export function heldBy(leg: PlannedTransfer, account: { accountId: string; customerId: string }, kind: MoveKind) {
  const { key: heldId, amount } = leg;
  const { accountId, customerId } = account;
  return { heldId, accountId, customerId, amount, kind } satisfies NewlyHeld;
}

/**
 * Reserves an arrival in the group that brings it, so that at no time it can be had. It does not
 * run out.
 */
export function transferOfHeld({ heldId, accountId, amount }: NewlyHeld): PlannedTransfer {
  return {
    key: `${heldId}:held`,
    debitAccountId: accountId,
    creditAccountId: heldAccount(amount.currency).accountId,
    amount,
    kind: heldKind,
    description: "Being processed",
    mode: "TRANSFER_MODE_PENDING",
  };
}

/** Releases what is held. */
export function transferOfReleased({ heldId, amount }: NewlyHeld): PlannedTransfer {
  return {
    key: `${heldId}:held:end`,
    debitAccountId: "",
    creditAccountId: "",
    amount,
    kind: "arrival_released",
    description: "Processed",
    mode: "TRANSFER_MODE_VOID_PENDING",
    pendingKey: `${heldId}:held`,
  };
}

/** Adds the leg that holds what the movement's last transfer brings. */
export function withHeld<T extends { transfers: readonly PlannedTransfer[]; ownAccounts: readonly OwnAccount[] }>(
  movement: T,
  account: { accountId: string; customerId: string },
  kind: MoveKind,
): T & { held: NewlyHeld } {
  const leg = movement.transfers.at(-1);
  if (leg === undefined) throw new Error("a movement that brings nothing");
  const held = heldBy(leg, account, kind);
  return {
    ...movement,
    ownAccounts: [...movement.ownAccounts, heldAccount(leg.amount.currency)],
    transfers: [...movement.transfers, transferOfHeld(held)],
    held,
  };
}
