import { eventRoutes } from "./events.js";
import { pluginRoutes } from "./plugins.js";
import { webhookRoutes } from "./webhooks.js";
import { named } from "../route.js";
import {
  changeOrganisationPreference,
  fetchOrganisationPreference,
  listPreferenceChanges,
  branchRoutes,
} from "./organisation.js";
import { createApiToken, deleteApiToken, invalidateApiToken, listApiTokens, rotateApiToken } from "./api-tokens.js";
import { approveApproval, listApprovals, readApproval, refuseApproval } from "./approvals.js";
import { beneficiaryRoutes } from "./beneficiaries.js";
import { bookRoutes } from "./books.js";
import { journalRoutes } from "./journals.js";
import { partnerRoutes } from "./partners.js";
import { positionRoutes } from "./positions.js";
import { closingRoutes } from "./closing.js";
import { caseRoutes } from "./cases.js";
import { complianceRoutes } from "./compliance.js";
import { ledgerRoutes } from "./ledger.js";
import { ledgerAuditRoutes } from "./ledger-audit.js";
import { settlementRoutes } from "./settlements.js";
import { loanProductRoutes } from "./loan-products.js";
import { packageRoutes } from "./packages.js";
import { payFromWallet, readPayment, refundPayment, readRefund, listPaymentMethods } from "./payments.js";
import * as people from "./people.js";
import { corridorRoutes } from "./corridors.js";
import { exchangeRateRoutes, settingChangeRoutes } from "./exchange-rates.js";
import { markupRoutes } from "./markups.js";
import { payoutPointRoutes } from "./payout-points.js";
import { reportExportRoutes } from "./report-exports.js";
import { reportRoutes } from "./reports.js";
import { screeningListRoutes } from "./screening-lists.js";
import { screeningRoutes } from "./screenings.js";
import * as registrations from "./registrations.js";
import {
  createQuote,
  readQuote,
  cancelTransaction,
  createTransaction,
  listTransactions,
  readTransaction,
} from "./transactions.js";
import { amendmentRoutes } from "./amendments.js";
import { advanceBusinessDate, readBusinessClock, sandboxRoutes } from "./sandbox.js";
import * as secondFactors from "./second-factors.js";
import {
  changePassword,
  endSession,
  listSessions,
  login,
  logout,
  refresh,
  requestPasswordReset,
  resetPassword,
} from "./security.js";
import { createDomiciliaryAccounts, walletMoneyRoutes } from "./wallet-money.js";
import * as staffUsers from "./staff-users.js";
import { statementRoutes } from "./statements.js";
import { walletAccountRoutes } from "./wallet-accounts.js";
import {
  declareInvestmentDividend,
  listInvestmentProducts,
  putInvestmentProduct,
  readInvestmentDividend,
  readInvestmentProduct,
} from "./investment-products.js";
import {
  applyForInvestment,
  getTotalInvestments,
  listInvestmentApplications,
  listInvestments,
  readInvestment,
  readInvestmentApplication,
  readInvestmentStatement,
  redeemInvestment,
  setInvestmentWallet,
  withdrawInvestmentApplication,
} from "./investments.js";
import { loanServicingRoutes } from "./loan-servicing.js";
import { payoffLoan, payoffQuote, repaidTransactions, repaymentInstructions, repayLoan } from "./loan-repayments.js";
import { loanApplicationRoutes, loanHistory, readLoan } from "./loans.js";
import {
  requestPayment,
  issuePayable,
  requestWithdrawal,
  readPayable,
  listPayables,
  cancelPayable,
} from "./payables.js";
import { setWalletLimit, listWalletLimits, setCashLimit, listCashLimits } from "./limits.js";
import { agentAccountRoutes } from "./agent-accounts.js";
import { agentSettlementRoutes } from "./agent-settlements.js";
import { agentStatementRoutes } from "./agent-statements.js";
import { agentRoutes } from "./agents.js";
import { cashIn, cashOut, readCashIn, takeCashIn } from "./cash.js";
import { branchDayAsCsv, readBranchDay } from "./branch-days.js";
import { listBranchAssignments, putBranchAssignment } from "./branch-assignments.js";
import {
  requestCashOrder,
  sendCashOrder,
  receiveCashOrder,
  returnCashOrder,
  cancelCashOrder,
  listCashOrders,
} from "./cash-orders.js";
import { counterRoutes } from "./counter.js";
import { acceptHandOver, endHandOver, listHandOvers, listTillColleagues, offerCash } from "./hand-overs.js";
import { listTillCounts, listTillLines, tillLinesAsCsv } from "./till-lines.js";
import { closeTill, countTill, listTills, openTill } from "./tills.js";
import { moveVaultCash } from "./vaults.js";
import { createHold, confirmHold, releaseHold, readHold, quoteExchange, executeExchange } from "./wallet-holds.js";
import {
  askPayoutOutcome,
  listTransactionEntries,
  readReceipt,
  readTransactionTransparency,
  requestRefund,
  updateTransactionStatus,
  issuePickupCode,
  payOutCash,
} from "./transaction-desk.js";
import { disclosureRoutes } from "./disclosures.js";
import { notificationTemplateRoutes } from "./notification-templates.js";
import { listWorkQueues } from "./work-queues.js";

const investment = {
  listInvestmentProducts,
  readInvestmentProduct,
  putInvestmentProduct,
  declareInvestmentDividend,
  readInvestmentDividend,
  applyForInvestment,
  listInvestmentApplications,
  readInvestmentApplication,
  withdrawInvestmentApplication,
  getTotalInvestments,
  listInvestments,
  readInvestment,
  redeemInvestment,
  setInvestmentWallet,
  readInvestmentStatement,
};

/** Every operation of the edge. */
export const routes = named({
  login,
  refresh,
  logout,
  ...complianceRoutes,
  ...caseRoutes,
  ...screeningListRoutes,
  ...screeningRoutes,
  fetchOrganisationPreference,
  changeOrganisationPreference,
  listPreferenceChanges,
  payFromWallet,
  ...walletAccountRoutes,
  readPayment,
  ...statementRoutes,
  requestPayment,
  issuePayable,
  requestWithdrawal,
  readPayable,
  listPayables,
  cancelPayable,
  setWalletLimit,
  listWalletLimits,
  ...walletMoneyRoutes,
  openTill,
  countTill,
  cashIn,
  takeCashIn,
  readCashIn,
  cashOut,
  closeTill,
  listTills,
  listTillLines,
  tillLinesAsCsv,
  putBranchAssignment,
  listBranchAssignments,
  readBranchDay,
  branchDayAsCsv,
  requestCashOrder,
  sendCashOrder,
  receiveCashOrder,
  returnCashOrder,
  cancelCashOrder,
  listCashOrders,
  listTillCounts,
  ...counterRoutes,
  listTillColleagues,
  offerCash,
  acceptHandOver,
  endHandOver,
  listHandOvers,
  moveVaultCash,
  setCashLimit,
  listCashLimits,
  createHold,
  confirmHold,
  releaseHold,
  readHold,
  quoteExchange,
  executeExchange,
  refundPayment,
  readRefund,
  ...agentRoutes,
  ...agentAccountRoutes,
  ...agentSettlementRoutes,
  ...agentStatementRoutes,
  createDomiciliaryAccounts,
  ...sandboxRoutes,
  ...beneficiaryRoutes,
  ...ledgerRoutes,
  ...ledgerAuditRoutes,
  ...bookRoutes,
  ...settlementRoutes,
  ...journalRoutes,
  ...positionRoutes,
  ...partnerRoutes,
  ...closingRoutes,
  ...packageRoutes,
  ...investment,
  repayLoan,
  payoffLoan,
  payoffQuote,
  loanHistory,
  repaidTransactions,
  repaymentInstructions,
  readLoan,
  ...loanProductRoutes,
  ...loanApplicationRoutes,
  ...loanServicingRoutes,
  ...corridorRoutes,
  ...exchangeRateRoutes,
  ...settingChangeRoutes,
  ...markupRoutes,
  ...payoutPointRoutes,
  ...branchRoutes,
  listTransactions,
  updateTransactionStatus,
  requestRefund,
  askPayoutOutcome,
  issuePickupCode,
  payOutCash,
  readReceipt,
  listTransactionEntries,
  readTransactionTransparency,
  listPaymentMethods,
  // Before the reports by name.
  ...reportExportRoutes,
  ...reportRoutes,
  createQuote,
  readQuote,
  ...disclosureRoutes,
  createTransaction,
  readTransaction,
  cancelTransaction,
  ...amendmentRoutes,
  readBusinessClock,
  advanceBusinessDate,
  ...eventRoutes,
  ...webhookRoutes,
  ...pluginRoutes,
  ...notificationTemplateRoutes,
  changePassword,
  requestPasswordReset,
  resetPassword,
  listSessions,
  endSession,
  ...secondFactors,
  ...registrations,
  ...people,
  ...staffUsers,
  createApiToken,
  listApiTokens,
  rotateApiToken,
  invalidateApiToken,
  deleteApiToken,
  listApprovals,
  readApproval,
  approveApproval,
  refuseApproval,
  listWorkQueues,
});

/** Operations that a system without investment does not have. */
export const investmentRoutes = routes.filter(({ operationId }) => operationId in investment);
