import { z } from "zod";
import { BankAccount as WireBankAccount } from "../../proto/gen/wallet/v1/bank_accounts.js";
import { WalletAccount as WireAccount } from "../../proto/gen/wallet/v1/wallet.js";
import { shape } from "../codec.js";
import { operation } from "../operation.js";
import { countryIn, currencyCode, instant, maybe, text, shown, idIn, reasonIn, maybeReasonIn } from "../schema.js";
import { v6 } from "../route.js";
import * as leaf from "../../services/platform/events/shapes/leaves.js";

export const paymentsBase = `${v6}/paymentmanagement`;
const accountPath = z.object({ accountId: idIn });
const bankAccountPath = z.object({ bankAccountId: idIn });

export const WalletAccount = shape(
  WireAccount,
  z
    .object({
      accountId: leaf.accountId,
      accountNumber: leaf.accountNumber,
      currency: z.string(),
      availableBalance: leaf.balance,
      heldBalance: leaf.zero,
      status: shown(z.string(), "OPEN").meta({ description: "OPEN, FROZEN (money comes in, none leaves) or CLOSED." }),
      createdAt: instant,
    })
    .meta({ id: "WalletAccount" }),
  {
    availableBalance: { minor: "availableBalanceMinor", currency: "currency" },
    heldBalance: { minor: "heldBalanceMinor", currency: "currency" },
  },
);

/** Ours: what a customer can pay from. */
export const listWalletAccounts = operation({
  method: "get",
  path: `${paymentsBase}/wallet-accounts`,
  tag: "Payments",
  summary: "List a customer's wallet accounts with their balances; agents those of customers they manage",
  access: ["CUSTOMER", "CASHIER", "AGENT", "MANAGER"],
  scopes: ["accounts:read"],
  inPerson: ["AGENT"],
  query: z.object({ customerId: idIn.optional().meta({ description: "Required from staff." }) }),
  answer: z.array(WalletAccount),
  message: "Wallet accounts",
  example: { as: "amina@demo.example" },
  rpc: "wallet.listWalletAccounts",
});

export const openWalletAccount = operation({
  method: "post",
  path: `${paymentsBase}/wallet-accounts`,
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
  rpc: "wallet.openWalletAccount",
});

export const readWalletAccount = operation({
  method: "get",
  path: `${paymentsBase}/wallet-accounts/:accountId`,
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
  rpc: "wallet.getWalletAccount",
});

export const setWalletAccountFrozen = operation({
  method: "put",
  path: `${paymentsBase}/wallet-accounts/:accountId/frozen`,
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
  rpc: "wallet.setWalletAccountFrozen",
});

export const closeWalletAccount = operation({
  method: "post",
  path: `${paymentsBase}/wallet-accounts/:accountId/close`,
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
  rpc: "wallet.closeWalletAccount",
});

const BankAccount = shape(
  WireBankAccount,
  z
    .object({
      bankAccountId: leaf.bankAccountId,
      bankName: leaf.bankName,
      bankCode: leaf.bankCode,
      accountNumber: leaf.senderAccountNumber.meta({ description: "Its last four digits; the others are hidden." }),
      accountHolderName: leaf.name,
      currency: z.string(),
      country: z.string(),
      status: shown(z.string(), "VERIFIED"),
      createdAt: instant,
    })
    .meta({ id: "BankAccount" }),
  { accountNumber: "accountNumberMasked" },
);

export const addBankAccount = operation({
  method: "post",
  path: `${paymentsBase}/bank-accounts`,
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
  rpc: "wallet.addBankAccount",
});

export const listBankAccounts = operation({
  method: "get",
  path: `${paymentsBase}/bank-accounts`,
  tag: "Payments",
  summary: "List a customer's bank accounts",
  access: ["CUSTOMER", "MANAGER"],
  scopes: ["accounts:read"],
  query: z.object({ customerId: idIn.optional().meta({ description: "Required from a manager." }) }),
  answer: z.array(BankAccount),
  message: "Bank accounts",
  example: { as: "amina@demo.example" },
  rpc: "wallet.listBankAccounts",
});

export const removeBankAccount = operation({
  method: "delete",
  path: `${paymentsBase}/bank-accounts/:bankAccountId`,
  tag: "Payments",
  summary: "Take a bank account off one's list",
  access: ["CUSTOMER"],
  peopleOnly: "destinations",
  params: bankAccountPath,
  answer: BankAccount,
  message: "Bank account removed",
  example: { as: "amina@demo.example", params: { bankAccountId: "no-such-account" }, answers: 404 },
  rpc: "wallet.removeBankAccount",
});

/** In the order in which the documentation shows them. */
export const walletAccountRoutes = {
  listWalletAccounts,
  openWalletAccount,
  readWalletAccount,
  setWalletAccountFrozen,
  closeWalletAccount,
  addBankAccount,
  listBankAccounts,
  removeBankAccount,
};
