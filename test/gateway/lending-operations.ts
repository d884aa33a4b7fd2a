import type { Role } from "../../services/kernel/grpc/context.js";
import type { Edge } from "./edge.js";
import type { Operation } from "./operations.js";

const user = "/api/v1/services/user";
const staff = "/api/v1/services/staff";
const customer: readonly Role[] = ["CUSTOMER"];
const manager: readonly Role[] = ["MANAGER"];
const seers: readonly Role[] = ["MANAGER", "AGENT", "CUSTOMER"];
const approvers: readonly Role[] = ["MANAGER", "AGENT"];
const desk: readonly Role[] = ["MANAGER", "AGENT", "CASHIER"];
const all: readonly Role[] = ["MANAGER", "AGENT", "CASHIER", "CUSTOMER"];
const key = { "x-idempotency-key": "key-1" };
const fapi = {
  ...key,
  "x-fapi-interaction-id": "i-1",
  "x-fapi-auth-date": "2026-11-21T10:15:00Z",
  "x-fapi-customer-ip-address": "203.0.113.7",
};

function operation(
  name: string,
  path: string,
  roles: readonly Role[],
  method: string,
  { answers, ...rest }: Partial<Operation["request"]> & { answers?: number } = {},
): Operation {
  const request = { path: path.replaceAll(/\{\w+\}/g, "id-1"), method, ...rest };
  return { name, path, roles, request, ...(answers !== undefined && { answers }) };
}

const reason = { reason: "because" };

/** Right requests for what lending serves. */
export const lendingOperations: readonly Operation[] = [
  operation("repay loan", `${user}/repay-loan/{userId}`, customer, "POST", {
    headers: fapi,
    body: { repaymentAmount: 10, customerId: "customer-1", accountId: "loan-1", bankAccountId: "bank-1" },
  }),
  operation("payoff loan", `${user}/payoff-loan`, customer, "POST", {
    headers: fapi,
    body: { loanApplicationId: "la-1", paymentMethod: "WALLET" },
  }),
  operation("payoff quote", `${user}/payoff-quote/{loanApplicationId}`, customer, "GET"),
  operation("loan history", `${user}/get-loan-history/{customerId}`, seers, "GET"),
  operation("loan history alias", `${user}/loan-history/{customerId}`, seers, "GET"),
  operation("repaid transactions", `${user}/repaid-transactions/{userId}`, seers, "GET"),
  operation("repayment instructions", `${user}/repayment-instructions/{loanApplicationId}`, customer, "GET"),
  operation("read loan", `${user}/schedule/{loanApplicationId}`, seers, "GET"),
  operation("loan products", `${user}/loan-products`, all, "GET"),
  operation("quote loan", `${user}/loan-quotes`, all, "POST", {
    body: { productId: "personal", amount: "1200", instalments: 12 },
  }),
  operation("put loan product", `${staff}/loan-products/{productId}`, manager, "PUT", {
    body: {
      name: "Personal",
      currency: "USD",
      minimumAmount: "50",
      maximumAmount: "5000",
      minimumInstalments: 3,
      maximumInstalments: 12,
      frequency: "MONTH",
      annualRate: "15",
      interestMethod: "DECLINING",
      amortisation: "EQUAL_INSTALMENTS",
      dayCount: "ACTUAL_365",
    },
  }),
  operation("read holidays", `${staff}/holiday-calendar`, manager, "GET"),
  operation("put holidays", `${staff}/holiday-calendar`, manager, "PUT", {
    body: { weekend: [6, 7], holidays: ["2026-12-25"] },
  }),
  operation("apply for loan", `${user}/apply`, customer, "POST", {
    headers: key,
    body: { productId: "personal", amount: "600", instalments: 6 },
  }),
  operation("loan applications", `${user}/loan-applications`, seers, "GET"),
  operation("read loan application", `${user}/loan-applications/{loanApplicationId}`, seers, "GET"),
  operation("accept loan offer", `${user}/loan-applications/{loanApplicationId}/accept`, customer, "POST", {
    headers: key,
    body: { walletAccountId: "acc-1" },
  }),
  operation("withdraw loan application", `${user}/loan-applications/{loanApplicationId}/withdraw`, customer, "POST", {
    headers: key,
  }),
  operation("decide loan application", `${staff}/loan-applications/{loanApplicationId}/decide`, approvers, "POST", {
    headers: key,
    body: { approve: true, ...reason },
  }),
  operation("disburse loan", `${staff}/loan-applications/{loanApplicationId}/disburse`, approvers, "POST", {
    headers: key,
    answers: 202,
    body: reason,
  }),
  operation("pending repayments", `${staff}/repayments`, desk, "GET"),
  operation("verify repayment", `${staff}/repayments/{repaymentId}/verify`, desk, "POST", {
    headers: key,
    answers: 202,
    body: { verify: true, ...reason },
  }),
  operation("force repayment", `${staff}/repayments/{repaymentId}/force`, manager, "POST", {
    headers: key,
    body: { verify: true, ...reason },
  }),
  operation("loan suspense", `${staff}/suspense`, desk, "GET"),
  operation("pause delinquency", `${staff}/loans/{accountId}/pause`, manager, "POST", { headers: key, body: reason }),
  operation("resume delinquency", `${staff}/loans/{accountId}/resume`, manager, "POST", { headers: key }),
  operation("charge back repayment", `${staff}/repayments/{repaymentId}/chargeback`, manager, "POST", {
    headers: key,
    body: reason,
  }),
  operation("write off loan", `${staff}/loans/{accountId}/write-off`, manager, "POST", {
    headers: key,
    answers: 202,
    body: reason,
  }),
  operation("record recovery", `${staff}/loans/{accountId}/recoveries`, manager, "POST", {
    headers: key,
    body: { amount: "25", reference: "B-1" },
  }),
  operation("reschedule loan", `${staff}/loans/{accountId}/reschedule`, manager, "POST", {
    headers: key,
    body: { instalments: 6, firstDueOn: "2027-01-15", ...reason },
  }),
  operation("pay back overpayment", `${staff}/loans/{accountId}/payback`, ["MANAGER", "CASHIER"], "POST", {
    headers: key,
    answers: 202,
    body: { amount: "25", walletAccountId: "wallet-1", ...reason },
  }),
  operation("accrual progress", `${staff}/accrual`, manager, "GET"),
];

/** Right answers to them. */
export function lendingSamples(at: Date) {
  const parts = { principalMinor: 94_62n, interestMinor: 12_00n, feesMinor: 0n, penaltiesMinor: 0n };
  const instalment = {
    number: 1,
    from: "2026-11-01",
    dueOn: "2026-12-01",
    charged: parts,
    paid: { principalMinor: 0n, interestMinor: 0n, feesMinor: 0n, penaltiesMinor: 0n },
    outstandingMinor: 106_62n,
    balanceMinor: 1_105_38n,
  };
  const offer = {
    productId: "personal",
    productVersion: 1,
    productName: "Personal loan",
    currency: "USD",
    amountMinor: 1_200_00n,
    disbursedMinor: 1_200_00n,
    totalInterestMinor: 79_42n,
    totalPayableMinor: 1_279_42n,
    annualRate: "12",
    apr: "12.00",
    effectiveRate: "12.68",
    instalments: [instalment],
  };
  const application = {
    loanApplicationId: "la-1",
    customerId: "customer-1",
    status: "APPROVED",
    offer,
    createdAt: at,
    decidedAt: at,
    disbursementStatus: "NONE",
  };
  const loan = {
    accountId: "loan-1",
    loanApplicationId: "la-1",
    customerId: "customer-1",
    productId: "personal",
    productName: "Personal loan",
    currency: "USD",
    amountMinor: 1_200_00n,
    status: "ACTIVE",
    disbursedOn: "2026-11-01",
    outstanding: parts,
    totalPayableMinor: 1_279_42n,
    nextDueOn: "2026-12-01",
    nextDueMinor: 106_62n,
    bucket: "CURRENT",
    instalments: [instalment],
    createdAt: at,
  };
  const repayment = {
    repaymentId: "rp-1",
    loanApplicationId: "la-1",
    accountId: "loan-1",
    customerId: "customer-1",
    amount: { amountMinor: 10_00n, currency: "USD" },
    status: "PENDING_VERIFICATION",
    reference: "LN00000000018",
    paymentMethod: "BANK_TRANSFER",
    paymentDate: "2026-11-21",
    customerName: "Amina Bello",
    email: "amina@demo.test",
    loanProductName: "Personal loan",
    createdAt: at,
  };
  const product = {
    productId: "personal",
    version: 1,
    name: "Personal loan",
    currency: "USD",
    minimumAmount: "50.00",
    maximumAmount: "5000.00",
    minimumInstalments: 3,
    maximumInstalments: 12,
    frequency: "MONTH",
    annualRate: "12",
    interestMethod: "DECLINING",
    amortisation: "EQUAL_INSTALMENTS",
    dayCount: "THIRTY_360",
  };
  const calendar = { weekend: [6, 7], holidays: ["2026-12-25"] };
  const approvalId = "ap-1";
  const refund = {
    refundId: "ap-1",
    amountMinor: 25_00n,
    status: "FAILED",
    failure: "the bank refused it",
    paidTo: "BANK",
    createdAt: at,
    endedAt: at,
  };
  return {
    repayLoan: async () => ({ repayment }),
    payoffLoan: async () => ({
      repaymentId: "po-1",
      loanApplicationId: "la-1",
      payoffAmount: { amountMinor: 1_212_00n, currency: "USD" },
      remainingBalanceMinor: 0n,
      loanStatus: "PAID_OFF",
      transactionReference: "LN00000000018",
      payoffDate: at,
      isSettled: true,
    }),
    getPayoffQuote: async () => ({
      quote: {
        quoteId: "q-1",
        loanApplicationId: "la-1",
        amount: { amountMinor: 1_212_00n, currency: "USD" },
        principalMinor: 1_200_00n,
        interestMinor: 12_00n,
        businessDate: "2026-11-21",
        interestThrough: "2026-11-21",
        validUntil: at,
      },
    }),
    listLoanHistory: async () => ({ loans: [loan], total: 1n }),
    listRepaidTransactions: async () => ({ repayments: [{ ...repayment, status: "VERIFIED" }] }),
    getRepaymentInstructions: async () => ({
      reference: "LN00000000018",
      bankName: "Manilla Collections",
      bankCode: "044",
      accountNumber: "0690000031",
      accountHolderName: "Loan collections",
      currency: "USD",
      totalPayableMinor: 1_279_42n,
      nextDueOn: "2026-12-01",
      nextDueMinor: 106_62n,
    }),
    getLoan: async () => ({ loan: { ...loan, overpaymentRefunds: [refund] } }),
    listLoanProducts: async () => ({ products: [product] }),
    putLoanProduct: async () => ({ product }),
    getHolidayCalendar: async () => ({ calendar }),
    putHolidayCalendar: async () => ({ calendar }),
    quoteLoan: async () => ({ offer }),
    applyForLoan: async () => ({ application }),
    listLoanApplications: async () => ({ applications: [application] }),
    getLoanApplication: async () => ({ application }),
    acceptLoanOffer: async () => ({ application: { ...application, accountId: "loan-1", acceptedAt: at } }),
    withdrawLoanApplication: async () => ({ application: { ...application, status: "WITHDRAWN" } }),
    decideLoanApplication: async () => ({ application }),
    disburseLoan: async () => ({ application, approvalId }),
    listPendingRepayments: async () => ({ repayments: [repayment] }),
    askRepaymentVerification: async () => ({ repayment, approvalId }),
    forceRepaymentOutcome: async () => ({ repayment: { ...repayment, status: "VERIFIED" } }),
    listSuspense: async () => ({
      credits: [
        {
          creditId: "c-1",
          reference: "?",
          amount: { amountMinor: 5n, currency: "USD" },
          senderName: "A",
          receivedAt: at,
        },
      ],
    }),
    pauseDelinquency: async () => ({ loan }),
    resumeDelinquency: async () => ({ loan }),
    chargeBackRepayment: async () => ({ repayment, loan }),
    writeOffLoan: async () => ({ loan, approvalId }),
    recordRecovery: async () => ({ loan }),
    rescheduleLoan: async () => ({ loan }),
    payBackOverpayment: async () => ({ loan: { ...loan, overpaymentRefunds: [refund] }, approvalId }),
    getAccrualProgress: async () => ({ date: "2026-11-21", loansDone: 10n, rangesDone: 1, ranges: 16, startedAt: at }),
  } satisfies Edge["fakes"]["lending"];
}
