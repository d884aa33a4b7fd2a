const reasons = {
  session: "ends or shows sessions, which are of people who log in",
  credentials: "a stolen token must not become a password, a factor or another token",
  contacts: "codes are sent to what it changes",
  destinations: "says where money may go; a token that could would carry money off",
  judgement: "somebody answers for it by name: people decide, mostly two of them",
  drawer: "somebody stands at the drawer or the vault and has counted",
  cardholder: "the card's holder is there and agrees",
  codes: "handles a code that only a person holds",
  irreversible: "cannot be undone",
  casework: "what is put into a case or a list, taken out of it or searched for is somebody's by name",
  partners: "says who sends codes, moves money or says who passes: two people decide",
  protection: "says how people are protected; a token that could would take it away",
  staff: "makes somebody who may act for the organisation",
} as const;

/**
 * Operations that need a log-in and take no API token, each with its reason. With `operationScopes`
 * these are all that are not for anybody: a test holds them against the routes.
 */
export const peopleOnly: Readonly<Record<string, string>> = {
  logout: reasons.session,
  listSessions: reasons.session,
  endSession: reasons.session,

  changePassword: reasons.credentials,
  readSecondFactors: reasons.credentials,
  chooseSecondFactors: reasons.credentials,
  enrolTotp: reasons.credentials,
  confirmTotp: reasons.credentials,
  removeTotp: reasons.credentials,
  setPin: reasons.credentials,
  resetSecondFactors: reasons.credentials,
  createApiToken: reasons.credentials,
  listApiTokens: reasons.credentials,
  rotateApiToken: reasons.credentials,
  invalidateApiToken: reasons.credentials,
  deleteApiToken: reasons.credentials,

  updateProfile: reasons.contacts,
  updateUser: reasons.contacts,
  createStaffUser: reasons.staff,

  changePlugin: reasons.partners,
  rotatePluginSecret: reasons.partners,
  enablePlugin: reasons.partners,
  changeOrganisationPreference: reasons.protection,
  addBankAccount: reasons.destinations,
  removeBankAccount: reasons.destinations,
  topUpByCard: reasons.cardholder,
  closeWalletAccount: reasons.irreversible,

  requestChangeCode: reasons.codes,
  stopSecondFactorReset: reasons.credentials,
  confirmContactChange: reasons.contacts,
  confirmPhone: reasons.codes,
  issuePickupCode: reasons.codes,

  openTill: reasons.drawer,
  countTill: reasons.drawer,
  closeTill: reasons.drawer,
  moveVaultCash: reasons.drawer,

  saveCompliancePolicyDraft: reasons.judgement,
  publishCompliancePolicyDraft: reasons.judgement,
  reviewDocument: reasons.judgement,
  decideComplianceReview: reasons.judgement,
  requestComplianceOverride: reasons.judgement,
  openCase: reasons.casework,
  changeCase: reasons.casework,
  addCaseNote: reasons.casework,
  uploadCaseFilePart: reasons.casework,
  attachCaseFile: reasons.casework,
  exportCase: reasons.casework,
  uploadScreeningListPart: reasons.casework,
  loadScreeningList: reasons.judgement,
  approveScreeningList: reasons.judgement,
  saveScreeningPolicyDraft: reasons.judgement,
  publishScreeningPolicyDraft: reasons.judgement,
  searchScreeningLists: reasons.casework,
  decideScreeningHit: reasons.judgement,
  decideScreeningHits: reasons.judgement,
  releaseScreeningHit: reasons.judgement,
  endScreeningExemption: reasons.judgement,
  closeCase: reasons.judgement,
  reopenCase: reasons.judgement,
  assignCredit: reasons.judgement,
  declareInvestmentDividend: reasons.judgement,
  decideLoanApplication: reasons.judgement,
  disburseLoan: reasons.judgement,
  verifyRepayment: reasons.judgement,
  pauseDelinquency: reasons.judgement,
  resumeDelinquency: reasons.judgement,
  chargeBackRepayment: reasons.judgement,
  writeOffLoan: reasons.judgement,
  recordRecovery: reasons.judgement,
  rescheduleLoan: reasons.judgement,
  payBackOverpayment: reasons.judgement,
};

/** Roles that may call an operation and can give away none of its scopes: they do it as people. */
export const rolesWithoutScope: Readonly<Record<string, readonly string[]>> = {
  // This is their customers' money: who acts for them asks at the desk.
  requestPaymentCode: ["MANAGER", "AGENT"],
  setInvestmentWallet: ["MANAGER"],
  // Cash of customers whom they manage, and a look at their wallets: an agent stands at the desk.
  cashIn: ["AGENT"],
  cashOut: ["AGENT"],
  readCashIn: ["AGENT"],
  readWalletAccount: ["AGENT"],
  // Shutting somebody out is a person's decision; a MANAGER's systems may, by users:write.
  disableUser: ["AGENT", "CASHIER"],
  enableUser: ["AGENT", "CASHIER"],
};
