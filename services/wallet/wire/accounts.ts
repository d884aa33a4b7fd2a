import { OpenWalletAccountResponse, type WalletAccount as WireAccount } from "../../../proto/gen/wallet/v1/wallet.js";
import type { StoredAnswer } from "../../kernel/idempotency/index.js";
import { assertInt64 } from "../../kernel/money.js";
import type { WalletAccount } from "../domain/account.js";

export interface Balance {
  readonly availableMinor: bigint;
  readonly heldMinor: bigint;
}

export const shownState = (status: WalletAccount["status"]): string => (status === "ACTIVE" ? "OPEN" : status);

export function accountToWire(account: WalletAccount, balance: Balance): WireAccount {
  const { accountId, accountNumber, customerId, currency, status, createdAt } = account;
  return {
    accountId,
    accountNumber,
    customerId,
    currency,
    status: shownState(status),
    createdAt,
    availableBalanceMinor: balance.availableMinor,
    heldBalanceMinor: balance.heldMinor,
  };
}

/** Of a liability: what is credited and neither debited nor held. */
export function balanceOf(account: {
  creditsPostedMinor: bigint;
  debitsPostedMinor: bigint;
  debitsPendingMinor: bigint;
}): Balance {
  const { creditsPostedMinor, debitsPostedMinor, debitsPendingMinor } = account;
  const availableMinor = creditsPostedMinor - debitsPostedMinor - debitsPendingMinor;
  return { availableMinor: assertInt64(availableMinor, "availableBalance"), heldMinor: debitsPendingMinor };
}

/** The answer of an opened account, which holds nothing yet. */
export function openingAnswer(account: WalletAccount): StoredAnswer {
  const wire = accountToWire({ ...account, status: "ACTIVE" }, { availableMinor: 0n, heldMinor: 0n });
  return { kind: "response", bytes: OpenWalletAccountResponse.encode({ account: wire }).finish() };
}
