import type { Route } from "../route.js";
import { fetchOrganisationPreference } from "./admin.js";
import { findAllBeneficiaries } from "./beneficiaries.js";
import { listOrganisationCompliancePolicy } from "./compliance.js";
import { ledgerHistoryByInteractionId } from "./ledger.js";
import { listWalletAccounts, payFromWallet } from "./payments.js";
import { advanceBusinessDate, readBusinessClock } from "./sandbox.js";
import { login, logout, refresh } from "./security.js";
import { cancelTransaction, createTransaction, readTransaction } from "./transactions.js";

/** Every operation of the edge. */
export const routes: readonly Route[] = [
  login,
  refresh,
  logout,
  listOrganisationCompliancePolicy,
  fetchOrganisationPreference,
  payFromWallet,
  listWalletAccounts,
  findAllBeneficiaries,
  ledgerHistoryByInteractionId,
  createTransaction,
  readTransaction,
  cancelTransaction,
  readBusinessClock,
  advanceBusinessDate,
];
