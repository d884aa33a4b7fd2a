import type { WalletServiceDefinition } from "../../../proto/gen/wallet/v1/wallet.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { closeWalletAccount, setWalletAccountFrozen } from "./account-state.js";
import { addBankAccount, getBankAccount, listBankAccounts, removeBankAccount } from "./bank-accounts.js";
import { cashIn, getCashIn } from "./cash-in.js";
import { listCashLimits, setCashLimit, sumCash } from "./cash-limits.js";
import { cashOut } from "./cash-out.js";
import { assignCredit, listUnmatchedCredits } from "./credits.js";
import { debitWallet } from "./debit-wallet.js";
import type { WalletDeps } from "./deps.js";
import { foreseeCustomerWalletsFrozen, setCustomerWalletsFrozen } from "./customer-freeze.js";
import { createDomiciliaryAccounts } from "./domiciliary.js";
import { executeExchange, quoteExchange } from "./exchanges.js";
import { getPayment } from "./get-payment.js";
import { getWalletAccount } from "./get-wallet-account.js";
import { listHeldArrivals } from "./held-arrivals.js";
import { confirmHold, createHold, getHold, releaseHold } from "./holds.js";
import { issuePayable } from "./issue-payable.js";
import { listBookings } from "./list-bookings.js";
import { listWalletAccounts } from "./list-wallet-accounts.js";
import { makePayment } from "./make-payment.js";
import { markPaymentRefunded } from "./mark-payment-refunded.js";
import { openWalletAccount } from "./open-wallet-account.js";
import { payOutCash } from "./pay-out-cash.js";
import { cancelPayable, getPayable, listPayables } from "./payables.js";
import { recordDeposit } from "./record-deposit.js";
import { getRefund, refundPayment } from "./refunds.js";
import { requestPayment } from "./request-payment.js";
import { requestWithdrawal } from "./request-withdrawal.js";
import { receiveBankTransfer } from "./sandbox-credits.js";
import { listStatement } from "./statement.js";
import { takeBackDelivery } from "./take-back-delivery.js";
import { closeTill, countTill, listTills, openTill } from "./tills.js";
import { getTopUp, topUpByCard } from "./top-ups.js";
import { moveVaultCash } from "./vault.js";
import { listWalletLimits, setWalletLimit } from "./wallet-limits.js";

export type { WalletDeps } from "./deps.js";

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
    payOutCash: payOutCash(deps),
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
    setCustomerWalletsFrozen: setCustomerWalletsFrozen(deps),
    foreseeCustomerWalletsFrozen: foreseeCustomerWalletsFrozen(deps),
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
