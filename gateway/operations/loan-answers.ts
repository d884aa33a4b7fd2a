import { exampleIds, repaidLoan } from "../example-ids.js";

// Example answers for two loans: 10.00 is repaid of the first, the second is paid off.
const { loanApplicationId } = exampleIds;
const repaymentReference = "LN77142515467";
const repaymentId = "0199d0c2-4899-7049-845a-f9cd161a9e41";

export const repaymentAnswer = {
  id: repaymentId,
  repaymentAmount: 10,
  customerName: "Amina Bello",
  email: "amina@demo.example",
  loanProductName: "Personal loan",
  repaymentReference,
  verificationStatus: "PENDING_VERIFICATION",
  message: "The repayment is recorded and counts once it is verified.",
  currency: "USD",
  paymentDate: "2026-11-21",
};

export const repaidAnswer = [
  {
    repaymentId,
    loanApplicationId: repaidLoan.loanApplicationId,
    repaymentAmount: 10,
    paymentDate: "2026-11-21",
    paymentMethod: "BANK_TRANSFER",
    status: "VERIFIED",
    currency: "USD",
    accountId: repaidLoan.accountId,
    repaymentReference,
  },
];

/** By bank transfer, as in the request: it counts once the bank has answered. */
export const waitingPayoffAnswer = {
  repaymentId: "0199d0c2-48f1-7571-9be7-858948270951",
  loanApplicationId,
  payoffAmount: 602.2,
  remainingBalance: 602.2,
  loanStatus: "ACTIVE",
  transactionReference: "LN08460318259P",
  payoffDate: "2026-11-21T10:15:00.000Z",
  currency: "USD",
};

/** What is settled at once, such as from a wallet. */
export const payoffAnswer = { ...waitingPayoffAnswer, remainingBalance: 0, loanStatus: "PAID_OFF" };

const running = {
  loanProductName: "Personal loan",
  status: "ACTIVE",
  currency: "USD",
  overdueAmount: "0.00",
  daysPastDue: 0,
  delinquencyBucket: "CURRENT",
  thirdPartyCollection: false,
};

export const loanHistoryAnswer = {
  status: "SUCCESS",
  data: [
    {
      ...running,
      loanApplicationId,
      loanAmount: 600,
      accountId: "0199d0c2-dbe0-74e6-b2ca-2be8a9ddbede",
      outstandingBalance: "600.00",
      totalPayable: "621.16",
      nextDueDate: "2026-12-10",
      nextDueAmount: "103.53",
      disbursedAt: "2026-11-10",
    },
    {
      ...running,
      ...repaidLoan,
      loanAmount: 1200,
      outstandingBalance: "1105.38",
      totalPayable: "1172.80",
      nextDueDate: "2026-12-08",
      nextDueAmount: "106.62",
      disbursedAt: "2026-10-08",
    },
  ],
  message: "Loan history",
  page: 1,
  size: 10,
  totalElements: 2,
  totalPages: 1,
};
