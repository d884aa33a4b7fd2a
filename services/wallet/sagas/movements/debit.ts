import { DebitWalletResponse } from "../../../../proto/gen/wallet/v1/wallet.js";
import type { RulesOf } from "./rules.js";

export const debitWalletOperation = "wallet.v1.DebitWallet";

/** Money out of a wallet for another service of ours. */
export const debitRules: RulesOf<"WALLET_DEBIT"> = {
  WALLET_DEBIT: {
    operation: debitWalletOperation,
    answer: (_movement, { debitBalanceMinor: newBalanceMinor, postedAt, transferIds }) =>
      DebitWalletResponse.encode({ newBalanceMinor, postedAt, transferIds: [...transferIds] }).finish(),
  },
};
