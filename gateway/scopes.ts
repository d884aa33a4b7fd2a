import { Refusal } from "../services/shared/refusal.js";

/**
 * What an API token needs for an operation: one of these scopes (§5.4 of the contract, and finer ones of our own). An operation
 * without a row is for people who log in: nothing about passwords, factors, sessions and tokens is done by a token.
 */
export const operationScopes: Readonly<Record<string, readonly string[]>> = {
  listOrganisationCompliancePolicy: ["compliance:read"],
  fetchOrganisationPreference: ["organisation:read"],
  changeOrganisationPreference: ["settings:write"],
  listPreferenceChanges: ["settings:write"],
  readBusinessClock: ["organisation:read"],
  payFromWallet: ["payments:make", "payments:process"],
  listWalletAccounts: ["accounts:read"],
  readWalletAccount: ["accounts:read"],
  readStatement: ["accounts:read"],
  statementAsCsv: ["accounts:read"],
  statementAsPdf: ["accounts:read"],
  readPayment: ["payments:make", "payments:process"],
  cashIn: ["payments:process"],
  listUnmatchedCredits: ["payments:process"],
  listBankAccounts: ["accounts:read"],
  requestPayment: ["payments:request"],
  issuePayable: ["payments:request", "payments:process"],
  readPayable: ["payments:request", "payments:make", "payments:process"],
  listPayables: ["payments:request", "payments:make", "payments:process"],
  findAllBeneficiaries: ["beneficiaries:manage", "beneficiaries:read"],
  ledgerHistoryByInteractionId: ["ledger:read"],
  createBeneficiary: ["beneficiaries:manage", "settings:write"],
  changeBeneficiary: ["beneficiaries:manage", "settings:write"],
  removeBeneficiary: ["beneficiaries:manage", "settings:write"],
  listInvestmentProducts: ["investments:read", "investments:make"],
  readInvestmentProduct: ["investments:read", "investments:make"],
  putInvestmentProduct: ["settings:write"],
  applyForInvestment: ["investments:make"],
  getTotalInvestments: ["investments:read"],
  listInvestments: ["investments:read"],
  readInvestment: ["investments:read"],
  redeemInvestment: ["investments:make"],
  readInvestmentStatement: ["investments:read"],
  readInvestmentDividend: ["investments:read"],
  loanHistory: ["loans:read"],
  repaidTransactions: ["loans:read"],
  readLoan: ["loans:read"],
  repaymentInstructions: ["loans:read"],
  listLoanProducts: ["loans:read"],
  quoteLoan: ["loans:read"],
  listCorridors: ["quotes:request", "transactions:create", "reports:read", "settings:write"],
  putCorridor: ["settings:write"],
  readExchangeRate: ["quotes:request", "transactions:create", "reports:read", "settings:write"],
  listExchangeRates: ["reports:read", "settings:write"],
  putExchangeRate: ["settings:write"],
  listSettingChanges: ["reports:read", "settings:write"],
  putMarkup: ["settings:write"],
  listMarkups: ["reports:read", "settings:write"],
  putPromotion: ["settings:write"],
  listPromotions: ["reports:read", "settings:write"],
  listAllocatedPayoutPoints: ["quotes:request", "transactions:create", "transactions:read"],
  putPayoutPoint: ["settings:write"],
  loadPayoutPoints: ["settings:write"],
  putBranch: ["settings:write"],
  listBranches: ["quotes:request", "transactions:create", "transactions:read"],
  createQuote: ["quotes:request", "transactions:create"],
  readQuote: ["quotes:request", "transactions:create"],
  createTransaction: ["transactions:create"],
  readTransaction: ["transactions:read", "transactions:read:own"],
  registerCustomer: ["users:write", "customers:verify"],
  readProfile: ["profile:read"],
  listCustomers: ["users:read", "customers:read"],
  readCustomer: ["users:read", "customers:read", "profile:read"],
  assignCustomer: ["users:write"],
  listStaffUsers: ["users:read"],
  disableUser: ["users:write"],
  enableUser: ["users:write"],
  listApprovals: ["approvals:decide"],
  approveApproval: ["approvals:decide"],
  refuseApproval: ["approvals:decide"],
  advanceBusinessDate: ["settings:write"],
};

/** Refuses FORBIDDEN where the caller came by an API token that lacks the scope; who logged in has no scopes and passes. */
export function assertScope(operationId: string, scopes: readonly string[] | undefined): void {
  if (scopes === undefined) return;
  const needed = Object.hasOwn(operationScopes, operationId) ? operationScopes[operationId]! : [];
  if (needed.some((scope) => scopes.includes(scope))) return;
  const lacking = needed.length === 0 ? "is not for API tokens" : `needs the scope ${needed.join(" or ")}`;
  throw new Refusal("FORBIDDEN", `this operation ${lacking}`);
}
