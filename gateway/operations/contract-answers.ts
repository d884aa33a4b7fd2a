import { exampleIds, exampleRefreshToken } from "../example-ids.js";

// Example answers of the contract's operations fit their requests' ids and amounts, and one
// another.
const { userId, customerId, accountId, transactionId, paymentId, interactionId } = exampleIds;

const now = "2026-11-21T10:15:00.000Z";
const accessToken =
  "eyJhbGciOiJFZERTQSIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIwMTk5ZDBjMi0wMDAwLTcwMDAtODAwMC0wMDAwMDAwMDAwMDUiLCJyb2xlIjoiQ1VTVE9NRVIifQ.c2lnbmF0dXJl";

export const sessionAnswer = {
  access_token: accessToken,
  expires_in: 3600,
  refresh_token: exampleRefreshToken,
  user: {
    id: userId,
    email: "amina@demo.example",
    role: "CUSTOMER",
    tenant_id: "demo",
    customer_id: customerId,
    permissions: [
      "profile:read",
      "profile:update",
      "transactions:create",
      "transactions:read:own",
      "beneficiaries:manage",
      "quotes:request",
    ],
  },
};

export const refreshedAnswer = {
  access_token: accessToken,
  expires_in: 3600,
  refresh_token: "AVWZGYOo-Djiu2dJUovocaAu8rKxAAAAAtPQkJhTDOIHCnytAoe7I2KNgj47F1zb",
};

export const policyAnswer = {
  knowYourCustomerRules: [
    {
      id: "kyc-email",
      name: "E-mail address confirmed",
      description: "",
      requirement: "EMAIL",
      mandatory: true,
      riskProfiles: ["LOW", "MEDIUM", "HIGH"],
      countries: [],
    },
    {
      id: "kyc-identity",
      name: "Identity document",
      description: "Passport or national identity card",
      requirement: "IDENTITY_DOCUMENT",
      mandatory: true,
      riskProfiles: ["MEDIUM", "HIGH"],
      countries: [],
      validityDays: 730,
    },
  ],
  transactionRules: [
    {
      id: "source-of-funds",
      name: "Source of funds for large transfers",
      description: "Transfers of 10,000 USD and more need a proof of where the money comes from",
      requiredDocuments: ["SOURCE_OF_FUNDS"],
      action: "REQUIRE_DOCUMENTS",
      visibility: "PUBLIC",
    },
  ],
};

export const contactAnswer = { type: "EMAIL", verified: false, rawProviderResponse: "" };

export const preferenceAnswer = {
  organisationId: "demo",
  name: "Manilla Demo",
  baseCurrency: "USD",
  currencies: ["USD", "NGN", "GBP", "EUR", "KES"],
  countries: ["USA", "GBR", "DEU", "NGA", "KEN"],
  timeZone: "Africa/Lagos",
  locale: "en-NG",
  selfRegistration: true,
  doNotForwardEmailVerification: false,
  doNotForwardPhoneVerification: false,
  secondFactors: { otp: false, pin: false },
  transactionPasswordRequired: false,
  cashierWalletPayments: false,
  corsOrigins: [],
  staffTotpRequired: false,
  amountCeilings: [],
  requiredDetails: [],
  updatedAt: now,
};

const transferFee = { name: "Transfer fee", amount: "2.10", currency: "USD", taxAmount: "0.16" };
const creditParty = [
  { key: "bankname", value: "First Bank of Nigeria" },
  { key: "bankaccountno", value: "3001234560" },
  { key: "accountholdername", value: "Chidi Okafor" },
  { key: "bankcode", value: "011" },
];

export const transactionAnswer = {
  id: transactionId,
  transactionCode: "MN01X7A89PGR",
  status: "AWAITING_PAYMENT",
  type: "ACCOUNTPAYMENT",
  sendAmount: "20.00",
  sendCurrency: "USD",
  amount: "30515.00",
  receivingCurrency: "NGN",
  inclussive: false,
  exchangeRate: "1525.75",
  fees: [transferFee],
  totalFees: "2.10",
  totalTaxes: "0.16",
  totalAmount: "22.26",
  sender: { customerId, customerCode: "C-AMINA", name: "Amina Bello", country: "USA" },
  recipient: { customerCode: "B-AMINA-NG", name: "Chidi Okafor", country: "NGA" },
  creditParty,
  internationalTransferInformation: {
    originCountry: "USA",
    receivingCountry: "NGA",
    remittancePurpose: "FAMILY_SUPPORT",
    sourceOfFunds: "SALARY",
  },
  transactionProcessingMode: "REAL_TIME",
  transactionModule: "REMITTANCE",
  compliance: { decision: "APPROVED", outstandingRequirements: [] },
  interactionId: "9ca906f2-9978-4228-816f-ff4e1d087b93",
  createdAt: now,
  expiresAt: "2026-11-21T10:45:00.000Z",
};

export const paymentAnswer = {
  paymentId,
  status: "SUCCESS",
  payableType: "TRANSACTION",
  payAbleId: transactionId,
  accountId,
  accountNumber: "8816873460",
  totalCheckOutAmount: 22.26,
  currency: "USD",
  paymentGatewayRef: "invoice-2026-0042",
  newBalance: 4977.74,
  payableStatus: "PAID",
  paidAt: now,
  interactionId,
};

const ledgerEntry = {
  executionDate: now,
  ledgerType: "DEBIT",
  accountId,
  accountName: "USD wallet 8816873460",
  currency: "USD",
  effectiveDate: now,
  interactionId,
  createdBy: userId,
};

/** The payment above: what is sent, the fee and the tax on it. */
export const ledgerAnswer = [
  { part: "principal", kind: "wallet_payment", of: "Payment of", transactionAmount: 20, newBalance: 4980 },
  { part: "fee", kind: "fee", of: "Fee of", transactionAmount: 2.1, newBalance: 4977.9 },
  { part: "tax", kind: "tax", of: "Tax on the fee of", transactionAmount: 0.16, newBalance: 4977.74 },
].map(({ part, of, ...entry }, index) => ({
  ...ledgerEntry,
  ...entry,
  entryId: `${index + 23}d`,
  transferId: `payment:${paymentId}:${part}`,
  description: `${of} transaction MN01X7A89PGR`,
  sequence: index + 23,
}));

export const domiciliaryAnswer = {
  dormAccountResponseDTO: [
    {
      createdAccountNumber: "8816873460",
      existingBankAccountNumber: "******1234",
      createdAccountCurrencyCode: "USD",
      status: "SUCCESS",
      msg_note: "the customer has this account already",
      msg_code: "DOM_EXISTS",
      msg_code_id: "101",
      accountBankCode: "058",
    },
  ],
};

export const beneficiariesAnswer = [
  {
    name: "Chidi Okafor",
    country: "NGA",
    accountNumber: "3001234560",
    id: "0199d0c2-de95-75e2-a768-79a590c3a237",
    customerId,
    code: "B-AMINA-NG",
    firstName: "Chidi",
    lastName: "Okafor",
    bankName: "First Bank of Nigeria",
    bankCode: "011",
    currency: "NGN",
    deliveryMethods: ["ACCOUNTPAYMENT"],
    creditParty,
    relationship: "BROTHER",
    kind: "PERSON",
    dateOfBirth: "1988-09-02",
    nationality: "NGA",
    createdAt: now,
  },
];

const investmentApplicationId = "0199d0c2-46ea-74bb-86c4-a148e2448d42";

export const investmentAnswer = {
  investmentApplicationId,
  investmentProductId: exampleIds.investmentProductId,
  productName: "One-year dollar deposit",
  customerId,
  customerName: "Amina Bello",
  userWalletId: exampleIds.userWalletId,
  numberOfUnitsToPurchase: 2,
  unitPrice: "10.00",
  totalAmount: "20.00",
  currency: "USD",
  status: "COMPLETED",
  holdingId: investmentApplicationId,
  maturityDate: "2027-11-21",
  expectedReturn: "1.02",
  createdAt: now,
};

export const totalsAnswer = {
  totalInvestmentsResponseDto: { totalInvestments: 20 },
  interestAccruedResponseDto: { totalInvestments: 0 },
  currency: "USD",
  rates: [],
};

const point = {
  type: "BANK",
  country: "NGA",
  currency: "NGN",
  minimumAmount: "0.00",
  maximumAmount: "20000000.00",
  allocatedTo: "TENANT",
  pricing: {
    principalAmount: "100.00",
    principalAmountCurrency: "USD",
    deriveAmount: "152575.00",
    deriveAmountCurrency: "NGN",
    exchangeRate: "1525.75",
    fees: [{ name: "Transfer fee", amount: "2.50", currency: "USD", taxAmount: "0.19" }],
    totalAmount: "102.69",
    deliveryEstimateMinutes: 1440,
  },
};

export const payoutPointsAnswer = {
  status: "SUCCESS",
  data: [
    { id: "0199d0c2-c7a7-71c6-b446-1cbcd74219ec", name: "First Bank of Nigeria", code: "NG-FIRST", ...point },
    { id: "0199d0c2-c7bd-73a4-ab9b-9f8143b408aa", name: "Zenith Bank", code: "NG-ZENITH", ...point },
  ],
  message: "Payout points",
};
