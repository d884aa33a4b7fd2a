import { Refusal } from "../../kernel/refusal.js";
import type { SagaOrigin } from "../../kernel/sagas/saga-origin.js";

/**
 * A customer's wallet account. Its id is also the id of its account in the ledger, which keeps the
 * balance.
 */
export interface WalletAccount extends SagaOrigin {
  readonly accountId: string;
  readonly accountNumber: string;
  readonly customerId: string;
  readonly currency: string;
  /** OPENING until the ledger has its account; nobody but the opening itself sees it before. */
  readonly status: "OPENING" | "ACTIVE" | "FROZEN" | "CLOSED";
  readonly createdAt: Date;
  /**
   * FROZEN: who keeps it so, staff or blocks of compliance by their ids; staff alone where absent.
   */
  readonly frozenBy?: readonly string[];
  /** When cash was last put in, from before the money moved; absent where it never was. */
  readonly lastCashInAt?: Date;
  /** OPENING: how often a block of compliance came or went under it. */
  readonly disturbed?: number;
  /** Who froze, released or closed it, the latest last. */
  readonly changes?: readonly AccountChange[];
}

export interface AccountChange {
  readonly to: "ACTIVE" | "FROZEN" | "CLOSED";
  readonly at: Date;
  readonly by: string;
  readonly reason: string;
}

/** Staff as one of those who freeze; ids of blocks are never it. */
export const staffFreeze = "STAFF";

/** Who keeps the account frozen. */
export function freezersOf({ status, frozenBy }: Pick<WalletAccount, "status" | "frozenBy">): readonly string[] {
  return status === "FROZEN" ? (frozenBy ?? [staffFreeze]) : [];
}

/** Who keeps it frozen when one of them begins or ends; undefined where that changes nothing. */
export function freezersAfter(
  account: Pick<WalletAccount, "status" | "frozenBy">,
  who: string,
  frozen: boolean,
): readonly string[] | undefined {
  const before = freezersOf(account);
  if (account.status === "CLOSED" || before.includes(who) === frozen) return undefined;
  return frozen ? [...before, who] : before.filter((one) => one !== who);
}

/** Whether the end of this block freed it, as the last that held it; whoever holds it since. */
export function isFreedBy({ changes = [] }: Pick<WalletAccount, "changes">, blockId: string): boolean {
  return changes.some(({ to, reason }) => to === "ACTIVE" && reason === blockReason(blockId));
}

/** Of what a block and its end change. */
export const blockReason = (blockId: string) => `block ${blockId}`;

const cashFundsForMs = 24 * 3_600_000;

/**
 * Whether what the account pays with counts as cash: cash was put in in the 24 hours before.
 */
export function isFundedInCash({ lastCashInAt }: Pick<WalletAccount, "lastCashInAt">, now: Date): boolean {
  return lastCashInAt !== undefined && now.getTime() - lastCashInAt.getTime() < cashFundsForMs;
}

/**
 * What an account that gives or takes money must be; undefined where it is: ACCOUNT_FROZEN,
 * ACCOUNT_CLOSED.
 */
export function refusalByStatus({ status, accountNumber }: WalletAccount): Refusal | undefined {
  if (status === "FROZEN") return new Refusal("ACCOUNT_FROZEN", `wallet account ${masked(accountNumber)} is frozen`);
  if (status === "CLOSED") return new Refusal("ACCOUNT_CLOSED", `wallet account ${masked(accountNumber)} is closed`);
  return undefined;
}

/** Its last four digits. */
export function masked(accountNumber: string): string {
  return accountNumber.slice(-4).padStart(accountNumber.length, "*");
}

/**
 * A ten-digit account number: nine digits, the first not zero, and their Luhn check digit (ISO/IEC
 * 7812-1, Annex B).
 */
export function accountNumberOf(nineDigits: string): string {
  if (!/^[1-9]\d{8}$/.test(nineDigits)) throw new RangeError("needs nine digits, the first not zero");
  return nineDigits + String((10 - (luhnSum(`${nineDigits}0`) % 10)) % 10);
}

/**
 * True when the check digit is right: any single wrong digit, and nearly every swap of neighbours,
 * is noticed.
 */
export function isAccountNumber(text: string): boolean {
  return /^[1-9]\d{9}$/.test(text) && luhnSum(text) % 10 === 0;
}

function luhnSum(digits: string): number {
  let sum = 0;
  for (let place = 0; place < digits.length; place++) {
    const digit = Number(digits[digits.length - 1 - place]);
    const doubled = place % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum;
}
