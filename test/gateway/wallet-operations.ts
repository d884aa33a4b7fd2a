import type { Role } from "../../services/shared/grpc/context.js";
import type { Edge } from "./edge.js";
import type { Operation } from "./operations.js";

const base = "/api/v6/services/paymentmanagement";
const customer: readonly Role[] = ["CUSTOMER"];
const manager: readonly Role[] = ["MANAGER"];
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
  operation("wallet accounts", "wallet-accounts", customer, "GET"),
  operation("open wallet account", "wallet-accounts", customer, "POST", { headers: key, body: { currency: "USD" } }),
  operation("read wallet account", "wallet-accounts/{accountId}", desk, "GET"),
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
  operation("set wallet limit", "wallet-limits", manager, "PUT", {
    headers: key,
    body: { currency: "USD", perPayment: "100", reason: "limits" },
  }),
  operation("list wallet limits", "wallet-limits", manager, "GET"),
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
    listWalletLimits: async () => ({ limits: [{ currency: "USD", perPaymentMinor: 100_00n }] }),
  } satisfies Edge["fakes"]["wallet"];
}
