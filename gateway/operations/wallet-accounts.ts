import { z } from "zod";
import type { BankAccount as WireBankAccount } from "../../proto/gen/wallet/v1/bank_accounts.js";
import type { WalletAccount as WireAccount } from "../../proto/gen/wallet/v1/wallet.js";
import { outgoing } from "../../services/kernel/grpc/client.js";
import { route } from "../route.js";
import { countryIn, currencyCode, decimalText, instant, maybe, text } from "../schema.js";
import { filled, moneyText, timeText } from "../wire.js";
import { v6 } from "./base.js";
import { idIn, reasonIn, maybeReasonIn } from "./cursor-pages.js";

export const paymentsBase = `${v6}/paymentmanagement`;
const accountPath = z.object({ accountId: idIn });
const bankAccountPath = z.object({ bankAccountId: idIn });

export const WalletAccount = z
  .object({
    accountId: z.string(),
    accountNumber: z.string(),
    currency: z.string(),
    availableBalance: decimalText,
    heldBalance: decimalText,
    status: z.string().meta({ description: "OPEN, FROZEN (money comes in, none leaves) or CLOSED." }),
    createdAt: instant,
  })
  .meta({ id: "WalletAccount" });

/** Ours: what a customer can pay from. */
export const listWalletAccounts = route({
  method: "get",
  path: `${paymentsBase}/wallet-accounts`,
  operationId: "listWalletAccounts",
  tag: "Payments",
  summary: "List a customer's wallet accounts with their balances",
  access: ["CUSTOMER", "MANAGER"],
  scopes: ["accounts:read"],
  query: z.object({ customerId: idIn.optional().meta({ description: "Required from a manager." }) }),
  answer: z.array(WalletAccount),
  message: "Wallet accounts",
  example: { as: "amina@demo.example" },
  run: async ({ query, call, clients }) => {
    const { accounts } = await clients.wallet.listWalletAccounts(
      { customerId: query.customerId ?? "" },
      outgoing(call),
    );
    return accounts.map(accountFromWire);
  },
});

/** Ours */
export const openWalletAccount = route({
  method: "post",
  path: `${paymentsBase}/wallet-accounts`,
  operationId: "openWalletAccount",
  tag: "Payments",
  summary: "Open a wallet account in another of the organisation's currencies",
  access: ["CUSTOMER"],
  scopes: ["accounts:open"],
  headers: { idempotencyKey: "required" },
  body: z.object({ currency: currencyCode }).meta({ id: "OpenWalletAccountRequest" }),
  answer: WalletAccount,
  message: "Wallet account opened",
  // The example is refused: customers of the demo have an account in every currency.
  example: {
    as: "amina@demo.example",
    headers: { "x-idempotency-key": "open-usd" },
    body: { currency: "USD" },
    answers: 409,
  },
  run: async ({ body, headers, call, clients }) => {
    const request = { idempotencyKey: headers["x-idempotency-key"] ?? "", currency: body.currency };
    const options = outgoing(call, { onReplayed: call.markReplayed });
    const { account } = await clients.wallet.openWalletAccount(request, options);
    return accountFromWire(filled(account, "account"));
  },
});

/** Ours */
export const readWalletAccount = route({
  method: "get",
  path: `${paymentsBase}/wallet-accounts/:accountId`,
  operationId: "readWalletAccount",
  tag: "Payments",
  summary: "Read one wallet account with its balances; agents those of customers they manage",
  access: ["CUSTOMER", "CASHIER", "AGENT", "MANAGER"],
  scopes: ["accounts:read"],
  inPerson: ["AGENT"],
  params: accountPath,
  answer: WalletAccount,
  message: "Wallet account",
  example: {
    as: "amina@demo.example",
    params: { accountId: "the-account" },
    from: { "params.accountId": "listWalletAccounts data.0.accountId" },
  },
  run: async ({ params, call, clients }) => {
    const { account } = await clients.wallet.getWalletAccount(params, outgoing(call));
    return accountFromWire(filled(account, "account"));
  },
});

/** Ours */
export const setWalletAccountFrozen = route({
  method: "put",
  path: `${paymentsBase}/wallet-accounts/:accountId/frozen`,
  operationId: "setWalletAccountFrozen",
  tag: "Payments",
  summary: "Stop money from leaving a wallet, or let it leave again",
  access: ["MANAGER"],
  scopes: ["accounts:freeze"],
  params: accountPath,
  body: z.object({ frozen: z.boolean(), reason: reasonIn }).meta({ id: "SetWalletAccountFrozenRequest" }),
  answer: WalletAccount,
  message: "Wallet account changed",
  example: {
    as: "manager@demo.example",
    params: { accountId: "00000000-0000-7000-8000-000000000000" },
    body: { frozen: false, reason: "Nothing against it any more" },
    answers: 404,
  },
  run: async ({ params, body, call, clients }) => {
    const { account } = await clients.wallet.setWalletAccountFrozen({ ...params, ...body }, outgoing(call));
    return accountFromWire(filled(account, "account"));
  },
});

/** Ours */
export const closeWalletAccount = route({
  method: "post",
  path: `${paymentsBase}/wallet-accounts/:accountId/close`,
  operationId: "closeWalletAccount",
  tag: "Payments",
  summary: "Close an empty wallet account for good",
  access: ["CUSTOMER", "MANAGER"],
  peopleOnly: "irreversible",
  params: accountPath,
  body: z.object({ reason: maybeReasonIn }).meta({ id: "CloseWalletAccountRequest" }),
  answer: WalletAccount,
  message: "Wallet account closed",
  example: {
    as: "amina@demo.example",
    params: { accountId: "the-account" },
    body: { reason: "No longer used" },
    from: { "params.accountId": "listWalletAccounts data.0.accountId" },
    // The example is refused, since there is money in the account.
    answers: 409,
  },
  run: async ({ params, body, call, clients }) => {
    const request = { ...params, reason: body.reason ?? "" };
    const { account } = await clients.wallet.closeWalletAccount(request, outgoing(call));
    return accountFromWire(filled(account, "account"));
  },
});

const BankAccount = z
  .object({
    bankAccountId: z.string(),
    bankName: z.string(),
    bankCode: z.string(),
    accountNumber: z.string().meta({ description: "Its last four digits; the others are hidden." }),
    accountHolderName: z.string(),
    currency: z.string(),
    country: z.string(),
    status: z.string(),
    createdAt: instant,
  })
  .meta({ id: "BankAccount" });

/** Ours */
export const addBankAccount = route({
  method: "post",
  path: `${paymentsBase}/bank-accounts`,
  operationId: "addBankAccount",
  tag: "Payments",
  summary: "Add one's own account at a bank, which the bank is asked about first",
  access: ["CUSTOMER"],
  peopleOnly: "destinations",
  headers: { idempotencyKey: "required" },
  body: z
    .object({
      country: countryIn,
      currency: currencyCode,
      bankCode: maybe(text(34, 0)).meta({ description: "Required in Nigeria: up to three digits." }),
      accountNumber: text(64).meta({
        description: "An IBAN, or the number that the bank gives; ten digits in Nigeria.",
      }),
      accountHolderName: maybe(text(100, 0)).meta({ description: "Must be the customer's name on file." }),
    })
    .meta({ id: "AddBankAccountRequest" }),
  answer: BankAccount,
  message: "Bank account added",
  example: {
    as: "amina@demo.example",
    headers: { "x-idempotency-key": "bank-account-2" },
    body: { country: "NGA", currency: "NGN", bankCode: "058", accountNumber: "0150004321" },
  },
  run: async ({ body, headers, call, clients }) => {
    const { bankCode = "", accountHolderName = "", ...rest } = body;
    const request = { idempotencyKey: headers["x-idempotency-key"] ?? "", bankCode, accountHolderName, ...rest };
    const options = outgoing(call, { onReplayed: call.markReplayed });
    const { account } = await clients.wallet.addBankAccount(request, options);
    return bankAccountFromWire(filled(account, "account"));
  },
});

/** Ours */
export const listBankAccounts = route({
  method: "get",
  path: `${paymentsBase}/bank-accounts`,
  operationId: "listBankAccounts",
  tag: "Payments",
  summary: "List a customer's bank accounts",
  access: ["CUSTOMER", "MANAGER"],
  scopes: ["accounts:read"],
  query: z.object({ customerId: idIn.optional().meta({ description: "Required from a manager." }) }),
  answer: z.array(BankAccount),
  message: "Bank accounts",
  example: { as: "amina@demo.example" },
  run: async ({ query, call, clients }) => {
    const { accounts } = await clients.wallet.listBankAccounts({ customerId: query.customerId ?? "" }, outgoing(call));
    return accounts.map(bankAccountFromWire);
  },
});

/** Ours */
export const removeBankAccount = route({
  method: "delete",
  path: `${paymentsBase}/bank-accounts/:bankAccountId`,
  operationId: "removeBankAccount",
  tag: "Payments",
  summary: "Take a bank account off one's list",
  access: ["CUSTOMER"],
  peopleOnly: "destinations",
  params: bankAccountPath,
  answer: BankAccount,
  message: "Bank account removed",
  example: { as: "amina@demo.example", params: { bankAccountId: "no-such-account" }, answers: 404 },
  run: async ({ params, call, clients }) => {
    const { account } = await clients.wallet.removeBankAccount(params, outgoing(call));
    return bankAccountFromWire(filled(account, "account"));
  },
});

export function accountFromWire(account: WireAccount): z.output<typeof WalletAccount> {
  const { currency } = account;
  return {
    accountId: account.accountId,
    accountNumber: account.accountNumber,
    currency,
    availableBalance: moneyText({ amountMinor: account.availableBalanceMinor, currency }, "available"),
    heldBalance: moneyText({ amountMinor: account.heldBalanceMinor, currency }, "held"),
    status: account.status,
    createdAt: timeText(account.createdAt, "account.created_at"),
  };
}

function bankAccountFromWire(account: WireBankAccount): z.output<typeof BankAccount> {
  const { accountNumberMasked: accountNumber, createdAt } = account;
  const { bankAccountId, bankName, bankCode, accountHolderName, currency, country, status } = account;
  const shown = { bankAccountId, bankName, bankCode, accountNumber, accountHolderName, currency, country, status };
  return { ...shown, createdAt: timeText(createdAt, "account.created_at") };
}

/** In the order in which the documentation shows them. */
export const walletAccountRoutes = [
  listWalletAccounts,
  openWalletAccount,
  readWalletAccount,
  setWalletAccountFrozen,
  closeWalletAccount,
  addBankAccount,
  listBankAccounts,
  removeBankAccount,
];
