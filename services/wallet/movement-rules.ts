import { DebitWalletResponse } from "../../proto/gen/wallet/v1/wallet.js";
import type { MovementKind } from "./domain/movement.js";
import type { MovementRules } from "./movement-saga.js";

export const debitWalletOperation = "wallet.v1.DebitWallet";

/** What each kind of movement answers, and what it writes beside itself. */
export function createMovementRules(): Readonly<Record<MovementKind, MovementRules>> {
  return {
    WALLET_DEBIT: {
      operation: debitWalletOperation,
      answer: (_movement, { debitBalanceMinor: newBalanceMinor, postedAt, transferIds }) =>
        DebitWalletResponse.encode({ newBalanceMinor, postedAt, transferIds: [...transferIds] }).finish(),
    },
  };
}
