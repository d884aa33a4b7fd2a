import type { WalletServiceDefinition } from "../../../proto/gen/wallet/v1/wallet.js";
import type { Access, Handlers } from "../../shared/grpc/server.js";
import type { WalletDeps } from "./deps.js";
import { closeWalletAccount, setWalletAccountFrozen } from "./account-state.js";
import { addBankAccount, getBankAccount, listBankAccounts, removeBankAccount } from "./bank-accounts.js";
import { debitWallet } from "./debit-wallet.js";
import { createDomiciliaryAccounts } from "./domiciliary.js";
import { executeExchange, quoteExchange } from "./exchanges.js";
import { listHeldArrivals } from "./held-arrivals.js";
import { getWalletAccount } from "./get-wallet-account.js";
import { confirmHold, createHold, getHold, releaseHold } from "./holds.js";
import { listBookings } from "./list-bookings.js";
import { listWalletLimits, setWalletLimit } from "./limits.js";
import { listWalletAccounts } from "./list-wallet-accounts.js";
import { makePayment } from "./make-payment.js";
import { markPaymentRefunded } from "./mark-payment-refunded.js";
import { openWalletAccount } from "./open-wallet-account.js";
import { takeBackDelivery } from "./take-back-delivery.js";
import { moveVaultCash } from "./vault.js";
import { receiveBankTransfer } from "./sandbox-credits.js";
import { assignCredit, getTopUp, listUnmatchedCredits, topUpByCard } from "./money-in.js";
import {
  cancelPayable,
  getPayable,
  issuePayable,
  listPayables,
  requestPayment,
  requestWithdrawal,
} from "./payables.js";
import { getPayment, getRefund, refundPayment } from "./refunds.js";
import { recordDeposit } from "./record-deposit.js";
import { listStatement } from "./statement.js";
import { cashIn, getCashIn } from "./cash-in.js";
import { listCashLimits, setCashLimit, sumCash } from "./cash-limits.js";
import { cashOut, closeTill, countTill, listTills, openTill } from "./tills.js";

export type { WalletDeps } from "./deps.js";

export const walletAccess: Access<WalletServiceDefinition> = {
  openWalletAccount: { callers: ["gateway", "operator"], user: "optional", roles: ["CUSTOMER"] },
  listWalletAccounts: {
    callers: ["gateway", "operator", "lending"],
    user: "optional",
    roles: ["CUSTOMER", "CASHIER", "MANAGER"],
  },
  getWalletAccount: {
    callers: ["gateway", "lending", "investment"],
    user: "optional",
    roles: ["CUSTOMER", "CASHIER", "MANAGER"],
  },
  // Whoever rides along is named on the entries; the asking service has decided that they may.
  debitWallet: { callers: ["lending", "investment"], user: "optional" },
  recordDeposit: { callers: ["operator"] },
  requestPayment: { callers: ["gateway"], user: "required", roles: ["CUSTOMER"] },
  issuePayable: { callers: ["gateway"], user: "required", roles: ["MANAGER", "CASHIER"] },
  requestWithdrawal: { callers: ["gateway"], user: "required", roles: ["CUSTOMER"] },
  getPayable: { callers: ["gateway"], user: "required", roles: ["CUSTOMER", "CASHIER", "MANAGER"] },
  listPayables: { callers: ["gateway"], user: "required", roles: ["CUSTOMER", "CASHIER", "MANAGER"] },
  cancelPayable: { callers: ["gateway"], user: "required", roles: ["CUSTOMER", "CASHIER", "MANAGER"] },
  topUpByCard: { callers: ["gateway"], user: "required", roles: ["CUSTOMER"] },
  getTopUp: { callers: ["gateway"], user: "required", roles: ["CUSTOMER", "CASHIER", "MANAGER"] },
  listUnmatchedCredits: { callers: ["gateway"], user: "required", roles: ["CASHIER", "MANAGER"] },
  listHeldArrivals: { callers: ["gateway"], user: "required", roles: ["MANAGER"] },
  assignCredit: { callers: ["gateway"], user: "required", roles: ["MANAGER"] },
  receiveBankTransfer: { callers: ["gateway"], user: "required", roles: ["MANAGER", "CUSTOMER"] },
  openTill: { callers: ["gateway"], user: "required", roles: ["CASHIER"] },
  countTill: { callers: ["gateway"], user: "required", roles: ["CASHIER"] },
  closeTill: { callers: ["gateway"], user: "required", roles: ["CASHIER"] },
  listTills: { callers: ["gateway"], user: "required", roles: ["CASHIER", "MANAGER"] },
  cashIn: { callers: ["gateway"], user: "required", roles: ["CASHIER"] },
  getCashIn: { callers: ["gateway"], user: "required", roles: ["CASHIER", "MANAGER"] },
  setCashLimit: { callers: ["gateway"], user: "required", roles: ["MANAGER"] },
  listCashLimits: { callers: ["gateway"], user: "required", roles: ["MANAGER"] },
  sumCash: { callers: ["gateway"], user: "required", roles: ["MANAGER"] },
  cashOut: { callers: ["gateway"], user: "required", roles: ["CASHIER"] },
  moveVaultCash: { callers: ["gateway"], user: "required", roles: ["MANAGER"] },
  createHold: { callers: ["gateway"], user: "required", roles: ["CUSTOMER"] },
  confirmHold: { callers: ["gateway"], user: "required", roles: ["CUSTOMER", "MANAGER"] },
  releaseHold: { callers: ["gateway"], user: "required", roles: ["CUSTOMER", "MANAGER"] },
  getHold: { callers: ["gateway"], user: "required", roles: ["CUSTOMER", "MANAGER"] },
  quoteExchange: { callers: ["gateway"], user: "required", roles: ["CUSTOMER"] },
  executeExchange: { callers: ["gateway"], user: "required", roles: ["CUSTOMER"] },
  refundPayment: { callers: ["gateway"], user: "required", roles: ["MANAGER", "CASHIER", "AGENT"] },
  getRefund: { callers: ["gateway"], user: "required", roles: ["MANAGER", "CASHIER", "AGENT"] },
  getPayment: { callers: ["gateway"], user: "required", roles: ["CUSTOMER", "CASHIER", "MANAGER"] },
  listStatement: { callers: ["gateway"], user: "required", roles: ["CUSTOMER", "MANAGER"] },
  createDomiciliaryAccounts: { callers: ["gateway"], user: "required", roles: ["CUSTOMER", "AGENT"] },
  listBookings: { callers: ["operator"] },
  setWalletLimit: { callers: ["gateway"], user: "required", roles: ["MANAGER"] },
  listWalletLimits: { callers: ["gateway"], user: "required", roles: ["MANAGER"] },
  setWalletAccountFrozen: { callers: ["gateway"], user: "required", roles: ["MANAGER"] },
  closeWalletAccount: { callers: ["gateway"], user: "required", roles: ["CUSTOMER", "MANAGER"] },
  addBankAccount: { callers: ["gateway", "operator"], user: "optional", roles: ["CUSTOMER"] },
  listBankAccounts: { callers: ["gateway", "operator"], user: "optional", roles: ["CUSTOMER", "MANAGER"] },
  getBankAccount: { callers: ["gateway", "lending"], user: "optional" },
  removeBankAccount: { callers: ["gateway"], user: "required", roles: ["CUSTOMER"] },
  makePayment: { callers: ["gateway"], user: "required", roles: ["CUSTOMER", "CASHIER"] },
  markPaymentRefunded: { callers: ["remittance"] },
  takeBackDelivery: { callers: ["remittance"] },
};

export function createWalletHandlers(deps: WalletDeps): Handlers<WalletServiceDefinition> {
  return {
    openWalletAccount: openWalletAccount(deps),
    listWalletAccounts: listWalletAccounts(deps),
    getWalletAccount: getWalletAccount(deps),
    debitWallet: debitWallet(deps),
    recordDeposit: recordDeposit(deps),
    requestPayment: requestPayment(deps),
    issuePayable: issuePayable(deps),
    requestWithdrawal: requestWithdrawal(deps),
    getPayable: getPayable(deps),
    listPayables: listPayables(deps),
    cancelPayable: cancelPayable(deps),
    topUpByCard: topUpByCard(deps),
    getTopUp: getTopUp(deps),
    listUnmatchedCredits: listUnmatchedCredits(deps),
    listHeldArrivals: listHeldArrivals(deps),
    assignCredit: assignCredit(deps),
    receiveBankTransfer: receiveBankTransfer(deps),
    openTill: openTill(deps),
    countTill: countTill(deps),
    closeTill: closeTill(deps),
    listTills: listTills(deps),
    cashIn: cashIn(deps),
    getCashIn: getCashIn(deps),
    setCashLimit: setCashLimit(deps),
    listCashLimits: listCashLimits(deps),
    sumCash: sumCash(deps),
    cashOut: cashOut(deps),
    moveVaultCash: moveVaultCash(deps),
    createHold: createHold(deps),
    confirmHold: confirmHold(deps),
    releaseHold: releaseHold(deps),
    getHold: getHold(deps),
    quoteExchange: quoteExchange(deps),
    executeExchange: executeExchange(deps),
    refundPayment: refundPayment(deps),
    getRefund: getRefund(deps),
    getPayment: getPayment(deps),
    listStatement: listStatement(deps),
    createDomiciliaryAccounts: createDomiciliaryAccounts(deps),
    listBookings: listBookings(deps),
    setWalletLimit: setWalletLimit(deps),
    listWalletLimits: listWalletLimits(deps),
    setWalletAccountFrozen: setWalletAccountFrozen(deps),
    closeWalletAccount: closeWalletAccount(deps),
    addBankAccount: addBankAccount(deps),
    listBankAccounts: listBankAccounts(deps),
    getBankAccount: getBankAccount(deps),
    removeBankAccount: removeBankAccount(deps),
    makePayment: makePayment(deps),
    markPaymentRefunded: markPaymentRefunded(deps),
    takeBackDelivery: takeBackDelivery(deps),
  };
}
