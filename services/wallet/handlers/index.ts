import type { WalletServiceDefinition } from "../../../proto/gen/wallet/v1/wallet.js";
import type { Access, Handlers } from "../../shared/grpc/server.js";
import type { WalletDeps } from "./deps.js";
import { debitWallet } from "./debit-wallet.js";
import { getWalletAccount } from "./get-wallet-account.js";
import { listWalletAccounts } from "./list-wallet-accounts.js";
import { makePayment } from "./make-payment.js";
import { markPaymentRefunded } from "./mark-payment-refunded.js";
import { openWalletAccount } from "./open-wallet-account.js";
import { recordDeposit } from "./record-deposit.js";

export type { WalletDeps } from "./deps.js";

export const walletAccess: Access<WalletServiceDefinition> = {
  openWalletAccount: { callers: ["operator"] },
  listWalletAccounts: { callers: ["gateway", "operator"], user: "optional", roles: ["CUSTOMER", "MANAGER"] },
  getWalletAccount: {
    callers: ["gateway", "lending", "investment"],
    user: "optional",
    roles: ["CUSTOMER", "CASHIER", "MANAGER"],
  },
  // Whoever rides along is named on the entries; the asking service has decided that they may.
  debitWallet: { callers: ["lending", "investment"], user: "optional" },
  recordDeposit: { callers: ["operator"] },
  makePayment: { callers: ["gateway"], user: "required", roles: ["CUSTOMER", "CASHIER"] },
  markPaymentRefunded: { callers: ["remittance"] },
};

export function createWalletHandlers(deps: WalletDeps): Handlers<WalletServiceDefinition> {
  return {
    openWalletAccount: openWalletAccount(deps),
    listWalletAccounts: listWalletAccounts(deps),
    getWalletAccount: getWalletAccount(deps),
    debitWallet: debitWallet(deps),
    recordDeposit: recordDeposit(deps),
    makePayment: makePayment(deps),
    markPaymentRefunded: markPaymentRefunded(deps),
  };
}
