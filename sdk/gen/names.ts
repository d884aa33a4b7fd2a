/** Plain names for what the contract spells oddly. The wire keeps its own. */
export const plainNames: Readonly<Record<string, string>> = {
  inclussive: "inclusive",
  payAbleId: "payableId",
  paymentAccountNumbeCurrencyCode: "paymentAccountNumberCurrencyCode",
  dormAccountRequestDTO: "domiciliaryAccounts",
  dormAccountResponseDTO: "domiciliaryAccounts",
  totalInvestmentsResponseDto: "invested",
  interestAccruedResponseDto: "interestAccrued",
  access_token: "accessToken",
  refresh_token: "refreshToken",
  expires_in: "expiresIn",
  tenant_id: "tenantId",
  customer_id: "customerId",
  msg_note: "note",
  msg_code: "code",
  msg_code_id: "codeId",
};

/** What is taken off operation ids of a group, since the group says it. */
export const nouns: Readonly<Record<string, string>> = {
  Beneficiaries: "Beneficiar(?:y|ies)",
  Branches: "Branch(?:es)?",
  Cash: "",
  Gateway: "",
  People: "",
  Payments: "",
  Rates: "ExchangeRates?",
  Security: "",
  "Loan servicing": "Loan",
  "API tokens": "ApiTokens?",
};

/** Methods that the rule would name badly. */
export const methodNames: Readonly<Record<string, string>> = {
  applyForInvestment: "apply",
  applyForLoan: "apply",
  putBvn: "putBvn",
  callOverReport: "callOver",
  analyticsReport: "analytics",
  registerOneself: "register",
  getTotalInvestments: "total",
  listAllocatedPayoutPoints: "listAllocated",
  refundPayment: "refund",
  requestPayment: "request",
  readPayment: "read",
};

/** Keys are optional there, and kept. */
export const keyedBeside = ["payFromWallet", "createQuote"];

/** A code, a password or a link is used up: sent again they would be refused though they took effect. */
export const onceOnly = ["login", "confirmEmail", "changePassword", "chooseSecondFactors", "setPin"];

/** Operations that are about an interaction: its id is an argument. */
export const askedByInteraction = ["ledgerHistoryByInteractionId"];

/** Short ways of the sandbox to operations of other groups. */
export const sandboxHelpers = [
  { method: "forcePayout", operationId: "forceOutcome", fixed: { of: "PAYOUT" } },
  { method: "bankTransferArrives", operationId: "receiveBankTransfer" },
  { method: "moveDate", operationId: "advanceBusinessDate" },
] as const;

/** Variables of answers in snippets, where the operation's own noun is no good one. */
export const answerNames: Readonly<Record<string, string>> = {
  login: "session",
  payFromWallet: "payment",
  requestPayment: "payable",
  topUpByCard: "topUp",
  quoteExchange: "exchange",
  executeExchange: "executed",
  applyForInvestment: "investment",
  applyForLoan: "application",
  loanHistory: "loans",
};
