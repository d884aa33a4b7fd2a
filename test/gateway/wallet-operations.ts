import type { Role } from "../../services/kernel/grpc/context.js";
import type { Edge } from "./edge.js";
import type { Operation } from "./operations.js";
import { samplePayment } from "./samples.js";

const base = "/api/v6/services/paymentmanagement";
const customer: readonly Role[] = ["CUSTOMER"];
const manager: readonly Role[] = ["MANAGER"];
const teller: readonly Role[] = ["CASHIER", "AGENT"];
const both: readonly Role[] = ["CUSTOMER", "MANAGER"];
const desk: readonly Role[] = ["CUSTOMER", "CASHIER", "MANAGER"];
const key = { "x-idempotency-key": "key-1" };

function operation(
  name: string,
  path: string,
  roles: readonly Role[],
  method: string,
  rest: Partial<Operation["request"]> = {},
): Operation {
  const whole = `${base}/${path}`;
  const filled = whole.replaceAll(/\{\w+\}/g, "id-1");
  return { name, path: whole, roles, request: { path: filled, method, ...rest } };
}

/** Right requests for what the wallet serves beyond the contract's own payment. */
export const walletOperations: readonly Operation[] = [
  operation("wallet accounts", "wallet-accounts", both, "GET"),
  operation("open wallet account", "wallet-accounts", customer, "POST", { headers: key, body: { currency: "USD" } }),
  operation("read wallet account", "wallet-accounts/{accountId}", [...desk, "AGENT"], "GET"),
  operation("freeze wallet account", "wallet-accounts/{accountId}/frozen", manager, "PUT", {
    body: { frozen: true, reason: "asked by the police" },
  }),
  operation("close wallet account", "wallet-accounts/{accountId}/close", both, "POST", { body: {} }),
  operation("add bank account", "bank-accounts", customer, "POST", {
    headers: key,
    body: { country: "NGA", currency: "NGN", bankCode: "058", accountNumber: "0123456789" },
  }),
  operation("list bank accounts", "bank-accounts", both, "GET"),
  operation("remove bank account", "bank-accounts/{bankAccountId}", customer, "DELETE"),
  operation("request payment", "payment-requests", customer, "POST", {
    headers: key,
    body: { payeeAccountId: "acc-1", amount: "25" },
  }),
  operation("issue payable", "payables", ["CASHIER", "MANAGER"], "POST", {
    headers: key,
    body: { type: "BILL", payeeName: "City Power", currency: "USD", principal: "80.00" },
  }),
  operation("request withdrawal", "withdrawals", customer, "POST", {
    headers: key,
    body: { bankAccountId: "bank-1", amount: "25" },
  }),
  operation("read payable", "payables/{payableId}", desk, "GET"),
  operation("list payables", "payables", desk, "GET"),
  operation("cancel payable", "payables/{payableId}/cancel", desk, "POST"),
  {
    ...operation("set wallet limit", "wallet-limits", manager, "PUT", {
      headers: key,
      body: { currency: "USD", perPayment: "100", reason: "limits" },
    }),
    answers: 202,
  },
  operation("list wallet limits", "wallet-limits", manager, "GET"),
  operation("read payment", "payments/{paymentId}", desk, "GET"),
  operation("read statement", "wallet-accounts/{accountId}/statement", both, "GET"),
  {
    ...operation("statement as CSV", "wallet-accounts/{accountId}/statement.csv", both, "GET"),
    file: "text/csv; charset=utf-8",
  },
  {
    ...operation("statement as PDF", "wallet-accounts/{accountId}/statement.pdf", both, "GET"),
    file: "application/pdf",
  },
  operation("top up by card", "card-top-ups", customer, "POST", {
    headers: key,
    body: { accountId: "acc-1", amount: "20", cardToken: "tok_ok" },
  }),
  operation("read top-up", "card-top-ups/{topUpId}", desk, "GET"),
  operation("list unmatched credits", "unmatched-credits", ["CASHIER", "MANAGER"], "GET"),
  operation("list held arrivals", "held-arrivals", manager, "GET"),
  operation("assign credit", "unmatched-credits/{creditId}/assign", manager, "POST", {
    headers: key,
    body: { accountId: "acc-1", reason: "they called" },
  }),
  operation("receive bank transfer", "bank-transfers", ["CUSTOMER", "MANAGER"], "POST", {
    headers: key,
    body: { reference: "for 1002003004", amount: "20", currency: "USD", senderName: "Chidi Okafor" },
  }),
  operation("move vault cash", "vault-movements", manager, "POST", {
    headers: key,
    body: { direction: "FROM_BANK", currency: "USD", amount: "5000", reference: "Slip 4711" },
  }),
  operation("open till", "tills", teller, "POST", { headers: key, body: { currency: "USD", float: "200" } }),
  operation("count till", "tills/{tillId}/count", teller, "POST", { headers: key, body: { counted: "200" } }),
  operation("cash in", "tills/{tillId}/cash-in", teller, "POST", {
    headers: key,
    body: { accountId: "acc-1", amount: "20" },
  }),
  operation("read cash-in", "cash-ins/{cashInId}", ["CASHIER", "AGENT", "MANAGER"], "GET"),
  {
    ...operation("set cash limit", "cash-limits", manager, "PUT", {
      headers: key,
      body: { currency: "USD", perCashIn: "5000", reason: "this year" },
    }),
    answers: 202,
  },
  operation("list cash limits", "cash-limits", manager, "GET"),
  operation("cash out", "tills/{tillId}/cash-out", teller, "POST", {
    headers: key,
    body: { accountId: "acc-1", amount: "20", password: "x", otp: "123456" },
  }),
  operation("close till", "tills/{tillId}/close", teller, "POST", { headers: key, body: { counted: "200" } }),
  operation("list tills", "tills", ["CASHIER", "AGENT", "MANAGER"], "GET"),
  operation("create hold", "holds", customer, "POST", {
    headers: key,
    body: { accountId: "acc-1", payeeAccountId: "acc-2", amount: "40" },
  }),
  operation("confirm hold", "holds/{holdId}/confirm", both, "POST", { headers: key, body: { amount: "25" } }),
  operation("release hold", "holds/{holdId}/release", both, "POST", { headers: key }),
  operation("read hold", "holds/{holdId}", both, "GET"),
  operation("quote exchange", "exchange-quotes", customer, "POST", {
    headers: key,
    body: { fromAccountId: "acc-1", toAccountId: "acc-2", amount: "10" },
  }),
  operation("execute exchange", "exchange-quotes/{quoteId}/execute", customer, "POST", { headers: key }),
  {
    ...operation("refund payment", "payments/{paymentId}/refund", ["MANAGER", "CASHIER", "AGENT"], "POST", {
      headers: key,
      body: { reason: "sent back" },
    }),
    answers: 202,
  },
  operation("read refund", "refunds/{refundId}", ["MANAGER", "CASHIER", "AGENT"], "GET"),
  {
    name: "domiciliary accounts",
    path: "/gateway/create-domiciliary-bank-account-with-bvn",
    roles: ["CUSTOMER", "AGENT"],
    request: {
      method: "POST",
      path: "/gateway/create-domiciliary-bank-account-with-bvn",
      body: {
        dormAccountRequestDTO: [{ bvnCountry: "NGA", existingAccountBankCode: 58, newAccountCurrencyCode: "USD" }],
      },
    },
  },
];

/** Right answers to them. */
export function walletSamples(at: Date) {
  const account = {
    accountId: "acc-1",
    accountNumber: "1002003004",
    currency: "JPY",
    availableBalanceMinor: 9_223_372_036_854_775_807n,
    status: "OPEN",
    createdAt: at,
  };
  const bankAccount = {
    bankAccountId: "bank-1",
    bankName: "Guaranty Trust Bank",
    bankCode: "058",
    accountNumberMasked: "******6789",
    accountHolderName: "Amina Bello",
    currency: "NGN",
    country: "NGA",
    status: "VERIFIED",
    createdAt: at,
  };
  const usd = (amountMinor: bigint) => ({ amountMinor, currency: "USD" });
  const payable = {
    payableId: "pb-1",
    type: "BILL",
    status: "OPEN",
    payeeName: "City Power",
    principal: usd(80_00n),
    fee: usd(1_00n),
    tax: usd(0n),
    total: usd(81_00n),
    createdAt: at,
  };
  const entry = {
    entryId: "e-1",
    side: "DEBIT",
    amount: usd(25_00n),
    balanceMinor: 75_00n,
    kind: "wallet_transfer",
    description: '=Lunch, with "friends"',
    executedAt: at,
    effectiveAt: at,
    interactionId: "i-1",
    sequence: 7n,
  };
  const topUp = { topUpId: "tu-1", accountId: "acc-1", amount: usd(20_00n), status: "DONE", createdAt: at };
  const credit = { creditId: "cr-1", reference: "x", amount: usd(1n), status: "UNMATCHED", receivedAt: at };
  const till = { tillId: "till-1", currency: "USD", status: "OPEN", floatMinor: 200_00n, openedAt: at };
  const movement = { movementId: "m-1", amount: usd(20_00n), newBalanceMinor: 1n, at };
  const hold = { holdId: "h-1", amount: usd(40_00n), status: "HELD", createdAt: at, expiresAt: at };
  const ngn = { amountMinor: 15_257_50n, currency: "NGN" };
  const quote = { quoteId: "q-1", from: usd(10_00n), to: ngn, rate: "1525.75", status: "OPEN", expiresAt: at };
  const refund = { refundId: "r-1", paymentId: "p-1", amount: usd(1_00n), status: "ASKED", createdAt: at };
  return {
    listWalletAccounts: async () => ({ accounts: [account] }),
    openWalletAccount: async () => ({ account }),
    getWalletAccount: async () => ({ account }),
    setWalletAccountFrozen: async () => ({ account: { ...account, status: "FROZEN" } }),
    closeWalletAccount: async () => ({ account: { ...account, status: "CLOSED" } }),
    addBankAccount: async () => ({ account: bankAccount }),
    listBankAccounts: async () => ({ accounts: [bankAccount] }),
    removeBankAccount: async () => ({ account: { ...bankAccount, status: "REMOVED" } }),
    requestPayment: async () => ({ payable: { ...payable, type: "PAYMENT_REQUEST" } }),
    issuePayable: async () => ({ payable }),
    requestWithdrawal: async () => ({ payable: { ...payable, type: "WITHDRAWAL" } }),
    getPayable: async () => ({ payable }),
    listPayables: async () => ({ payables: [payable] }),
    cancelPayable: async () => ({ payable: { ...payable, status: "CANCELLED" } }),
    setWalletLimit: async () => ({ approvalId: "ap-1", approvalStatus: "PENDING" }),
    getPayment: async () => ({ payment: { ...samplePayment, refundedMinor: 1_00n } }),
    listStatement: async () => ({ entries: [entry], accountNumber: "1002003004", currency: "USD" }),
    topUpByCard: async () => ({ topUp }),
    getTopUp: async () => ({ topUp }),
    listUnmatchedCredits: async () => ({ credits: [credit] }),
    listHeldArrivals: async () => ({
      arrivals: [
        {
          heldId: "credit:1",
          accountId: "acc-1",
          customerId: "c-1",
          amount: { amountMinor: 20_00n, currency: "USD" },
          kind: "BANK_CREDIT_RECEIVED",
          status: "HELD",
          heldAt: at,
        },
      ],
    }),
    assignCredit: async () => ({ credit: { ...credit, status: "ASSIGNED", accountId: "acc-1" } }),
    receiveBankTransfer: async () => ({ credit: { ...credit, status: "TAKEN" } }),
    moveVaultCash: async () => ({
      movement: { movementId: "mv-1", amount: { amountMinor: 5_000_00n, currency: "USD" }, direction: "FROM_BANK", at },
    }),
    openTill: async () => ({ till }),
    countTill: async () => ({ till: { ...till, countedMinor: 199_00n, differenceMinor: -1_00n } }),
    closeTill: async () => ({ till: { ...till, status: "CLOSED", closedAt: at } }),
    listTills: async () => ({ tills: [till] }),
    cashIn: async () => ({ movement }),
    getCashIn: async () => ({
      cashIn: {
        cashInId: "ci-1",
        tillId: "till-1",
        accountId: "acc-1",
        amount: { amountMinor: 20_000_00n, currency: "USD" },
        status: "WAITING",
        createdAt: at,
      },
    }),
    setCashLimit: async () => ({ approvalId: "ap-2", approvalStatus: "PENDING" }),
    listCashLimits: async () => ({ limits: [{ currency: "USD", perCashInMinor: 5_000_00n }] }),
    sumCash: async () => ({ date: "2026-11-21", sums: [] }),
    cashOut: async () => ({ movement }),
    payOutCash: async () => ({
      transactionId: "tx-1",
      transactionCode: "MN-1",
      amount: { amountMinor: 16_000_050n, currency: "NGN" },
      recipientName: "Bola Ade",
      paidOutAt: at,
      tillId: "till-1",
    }),
    createHold: async () => ({ hold }),
    confirmHold: async () => ({ hold: { ...hold, status: "CONFIRMED", confirmedMinor: 25_00n } }),
    releaseHold: async () => ({ hold: { ...hold, status: "RELEASED" } }),
    getHold: async () => ({ hold }),
    quoteExchange: async () => ({ quote }),
    executeExchange: async () => ({ quote, newFromBalanceMinor: 1n, newToBalanceMinor: 2n, postedAt: at }),
    refundPayment: async () => ({ refund }),
    getRefund: async () => ({ refund }),
    createDomiciliaryAccounts: async () => ({
      results: [{ createdAccountNumber: "1002003004", status: "SUCCESS", msgCode: "DOM_CREATED", msgCodeId: "100" }],
    }),
    listWalletLimits: async () => ({ limits: [{ currency: "USD", perPaymentMinor: 100_00n }] }),
  } satisfies Edge["fakes"]["wallet"];
}
