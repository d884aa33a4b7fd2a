import type { Route } from "../route.js";
import { changePassword, endSession, listSessions, requestPasswordReset, resetPassword } from "./accounts.js";
import { changeOrganisationPreference, fetchOrganisationPreference, listPreferenceChanges } from "./admin.js";
import { createApiToken, deleteApiToken, invalidateApiToken, listApiTokens, rotateApiToken } from "./api-tokens.js";
import { approveApproval, listApprovals, refuseApproval } from "./approvals.js";
import { beneficiaryRoutes } from "./beneficiaries.js";
import { complianceCustomerRoutes } from "./compliance-customers.js";
import { complianceDocumentRoutes } from "./compliance-documents.js";
import { compliancePolicyRoutes } from "./compliance-policy.js";
import { complianceReviewRoutes } from "./compliance-reviews.js";
import { listOrganisationCompliancePolicy, verifyContact } from "./compliance.js";
import { investmentProductRoutes } from "./investment-products.js";
import { investmentRoutes } from "./investments.js";
import { ledgerHistoryByInteractionId } from "./ledger.js";
import { loanApplicationRoutes } from "./lending-applications.js";
import { loanProductRoutes } from "./lending-products.js";
import { loanServicingRoutes } from "./lending-staff.js";
import { loanRoutes } from "./lending.js";
import { payableRoutes } from "./payables.js";
import { payFromWallet, readPayment } from "./payments.js";
import * as people from "./people.js";
import { branchRoutes } from "./branches.js";
import { corridorRoutes } from "./corridors.js";
import { exchangeRateRoutes } from "./exchange-rates.js";
import { markupRoutes } from "./markups.js";
import { payoutPointSettingRoutes } from "./payout-point-settings.js";
import { payoutPointRoutes } from "./payout-points.js";
import { reportRoutes } from "./reports.js";
import { settingChangeRoutes } from "./setting-changes.js";
import { transactionDeskRoutes } from "./transaction-desk.js";
import { createQuote, readQuote } from "./quotes.js";
import { advanceBusinessDate, readBusinessClock } from "./sandbox.js";
import { sandboxRoutes } from "./sandbox-outcomes.js";
import * as secondFactors from "./second-factors.js";
import { login, logout, refresh } from "./security.js";
import { cancelTransaction, createTransaction, readTransaction } from "./transactions.js";
import { createDomiciliaryAccounts } from "./domiciliary.js";
import * as staffUsers from "./staff-users.js";
import { statementRoutes } from "./statements.js";
import { walletHoldRoutes } from "./wallet-holds.js";
import { walletCashRoutes } from "./wallet-cash.js";
import { walletMoneyRoutes } from "./wallet-money.js";
import { walletAccountRoutes } from "./wallet-accounts.js";

/** Every operation of the edge. */
export const routes: readonly Route[] = [
  login,
  refresh,
  logout,
  listOrganisationCompliancePolicy,
  verifyContact,
  ...compliancePolicyRoutes,
  ...complianceCustomerRoutes,
  ...complianceDocumentRoutes,
  ...complianceReviewRoutes,
  fetchOrganisationPreference,
  changeOrganisationPreference,
  listPreferenceChanges,
  payFromWallet,
  ...walletAccountRoutes,
  readPayment,
  ...statementRoutes,
  ...payableRoutes,
  ...walletMoneyRoutes,
  ...walletCashRoutes,
  ...walletHoldRoutes,
  createDomiciliaryAccounts,
  ...sandboxRoutes,
  ...beneficiaryRoutes,
  ledgerHistoryByInteractionId,
  ...investmentProductRoutes,
  ...investmentRoutes,
  ...loanRoutes,
  ...loanProductRoutes,
  ...loanApplicationRoutes,
  ...loanServicingRoutes,
  ...corridorRoutes,
  ...exchangeRateRoutes,
  ...settingChangeRoutes,
  ...markupRoutes,
  ...payoutPointRoutes,
  ...payoutPointSettingRoutes,
  ...branchRoutes,
  ...transactionDeskRoutes,
  ...reportRoutes,
  createQuote,
  readQuote,
  createTransaction,
  readTransaction,
  cancelTransaction,
  readBusinessClock,
  advanceBusinessDate,
  changePassword,
  requestPasswordReset,
  resetPassword,
  listSessions,
  endSession,
  ...Object.values(secondFactors),
  ...Object.values(people),
  ...Object.values(staffUsers),
  createApiToken,
  listApiTokens,
  rotateApiToken,
  invalidateApiToken,
  deleteApiToken,
  listApprovals,
  approveApproval,
  refuseApproval,
];
