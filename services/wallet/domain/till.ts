import type { Money } from "../../kernel/money.js";
import { passing, Refusal } from "../../kernel/refusal.js";
import type { OwnAccount } from "./movement.js";
import { ownAccount } from "./payable.js";
import type { PlannedTransfer } from "./transfers.js";
import { vaultAccount } from "./vault.js";

/** A closing whose difference a second person looks at. */
export interface TillClosing {
  readonly closingId: string;
  readonly status: "WAITING" | "APPROVED" | "REFUSED" | "FAILED";
  readonly approvalId?: string;
  readonly failure?: string;
}

/** Cash that one cashier or agent holds in one currency, from opening to closing. Minor units. */
export interface Till {
  readonly tillId: string;
  /** User id of the cashier or agent. */
  readonly cashierId: string;
  /** Absent for a cashier's. */
  readonly role?: "AGENT";
  readonly currency: string;
  /** Where whoever holds it worked when they opened it; empty for the house. */
  readonly branch: string;
  readonly status: "OPENING" | "OPEN" | "WAITING" | "CLOSING" | "CLOSED";
  readonly floatMinor: bigint;
  /** What must be in it: float, and what came and went. */
  readonly expectedMinor: bigint;
  /** Cash movements that have begun and not ended: it is not closed meanwhile. */
  readonly moving: number;
  /** How many lines it has, and what they come to: what the ledger has, once all is booked. */
  readonly lines: number;
  readonly bookedMinor: bigint;
  readonly countedMinor?: bigint;
  /** Counted less expected. */
  readonly differenceMinor?: bigint;
  /** Counted, with no cash moved since: whoever holds it may see what should be in it. */
  readonly isCounted?: true;
  /** Why there is a difference. */
  readonly reason?: string;
  /** The latest that a second person was asked about; nothing moves while it is WAITING. */
  readonly closing?: TillClosing;
  readonly openedAt: Date;
  /** Business days of its first line and its last. */
  readonly firstDay?: string;
  readonly lastDay?: string;
  readonly closedAt?: Date;
}

/**
 * Refuses TILL_NOT_OPEN, which passes by itself while the till is being opened or closed.
 */
export function notOpen(status: Till["status"] | undefined): Refusal {
  const message = "the till is not open";
  const isMoving = status === "OPENING" || status === "CLOSING";
  return isMoving ? passing("TILL_NOT_OPEN", message) : new Refusal("TILL_NOT_OPEN", message);
}

export const tillShort = (): Refusal => new Refusal("TILL_SHORT", "the till has not so much cash");

export function tillAccount({ cashierId, currency }: Pick<Till, "cashierId" | "currency">): OwnAccount {
  const accountId = `cash_till:${cashierId}:${currency}`;
  return { accountId, code: "cash_till", currency, name: `Till of ${cashierId} ${currency}` };
}

export function tillAccounts(till: Pick<Till, "cashierId" | "currency" | "branch">): OwnAccount[] {
  const { branch, currency } = till;
  return [
    tillAccount(till),
    vaultAccount(branch, currency),
    ownAccount("cash_difference", currency, "Cash short and over"),
  ];
}

type TillOf = Pick<Till, "tillId" | "cashierId" | "currency" | "branch">;

function transfer(
  { tillId, currency }: TillOf,
  part: string,
  move: { from: string; to: string; minor: bigint; kind: string; description: string },
): PlannedTransfer {
  const { from, to, minor, kind, description } = move;
  const amount: Money = { minor, currency };
  return { key: `till:${tillId}:${part}`, debitAccountId: from, creditAccountId: to, amount, kind, description };
}

/** Vault → till. Cash is an asset: what gets it is debited. Nothing for an empty float. */
export function transfersOfOpening(till: TillOf, floatMinor: bigint): PlannedTransfer[] {
  if (floatMinor === 0n) return [];
  const to = { from: tillAccount(till).accountId, to: vaultAccount(till.branch, till.currency).accountId };
  return [transfer(till, "float", { ...to, minor: floatMinor, kind: "till_float", description: "Float of a till" })];
}

/**
 * The difference is booked, then what was counted goes to the vault: the till's account is empty
 * afterwards.
 */
export function transfersOfClosing(till: TillOf, expectedMinor: bigint, countedMinor: bigint): PlannedTransfer[] {
  const own = tillAccount(till).accountId;
  const [difference, vault] = [`cash_difference:${till.currency}`, vaultAccount(till.branch, till.currency).accountId];
  const off = countedMinor - expectedMinor;
  const kind = "cash_difference";
  const parts: PlannedTransfer[] = [];
  if (off < 0n) {
    const short = { from: difference, to: own, minor: -off, kind, description: "Till counted short" };
    parts.push(transfer(till, "difference", short));
  }
  if (off > 0n) {
    const over = { from: own, to: difference, minor: off, kind, description: "Till counted over" };
    parts.push(transfer(till, "difference", over));
  }
  if (countedMinor > 0n) {
    const back = { from: vault, to: own, minor: countedMinor, kind: "till_closing", description: "Till to the vault" };
    parts.push(transfer(till, "vault", back));
  }
  return parts;
}

/** Cash in: till → wallet's credit. Cash out: wallet → till's credit. */
export function transferOfCash(
  till: TillOf,
  movementId: string,
  accountId: string,
  minor: bigint,
  isIn: boolean,
): PlannedTransfer {
  const own = tillAccount(till).accountId;
  return {
    key: `cash:${movementId}`,
    debitAccountId: isIn ? own : accountId,
    creditAccountId: isIn ? accountId : own,
    amount: { minor, currency: till.currency },
    kind: isIn ? "cash_in" : "cash_out",
    description: isIn ? "Cash paid in at the desk" : "Cash paid out at the desk",
  };
}
