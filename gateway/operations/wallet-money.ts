import { z } from "zod";
import { operation } from "../operation.js";
import { currencyCode, maybe, moneyTextOrNumberIn, text, cursorQuery, idIn, reasonIn, shown } from "../schema.js";
import { BankCredit, HeldArrival, TopUp } from "../shapes/wallet-money.js";
import { paymentsBase } from "./wallet-accounts.js";
import * as leaf from "../../services/platform/events/shapes/leaves.js";
import * as wire from "../../proto/gen/wallet/v1/statements.js";
import { shape } from "../codec.js";
import { JsonNumber } from "../../services/kernel/json.js";

const topUpByCard = operation({
  method: "post",
  path: `${paymentsBase}/card-top-ups`,
  tag: "Payments",
  summary: "Charge a card and put the money into one's wallet",
  access: ["CUSTOMER"],
  peopleOnly: "cardholder",
  sdk: { answer: "topUp" },
  headers: { idempotencyKey: "required" },
  body: z
    .object({
      accountId: idIn,
      amount: moneyTextOrNumberIn,
      cardToken: text(255).meta({
        description: "From the acquirer; tok_ok, tok_refused or tok_pending in the sandbox.",
      }),
    })
    .meta({ id: "TopUpByCardRequest" }),
  answer: TopUp,
  message: "Top-up",
  example: {
    as: "amina@demo.example",
    headers: { "x-idempotency-key": "top-up-1" },
    body: { accountId: "the-account", amount: "20.00", cardToken: "tok_ok" },
    from: { "body.accountId": "listWalletAccounts data.4.accountId" },
  },
  rpc: "wallet.topUpByCard",
});

const readTopUp = operation({
  method: "get",
  path: `${paymentsBase}/card-top-ups/:topUpId`,
  tag: "Payments",
  summary: "Read a top-up",
  access: ["CUSTOMER", "CASHIER", "MANAGER"],
  scopes: ["accounts:read"],
  params: z.object({ topUpId: idIn }),
  answer: TopUp,
  message: "Top-up",
  example: {
    as: "amina@demo.example",
    params: { topUpId: "the-top-up" },
    from: { "params.topUpId": "topUpByCard data.topUpId" },
  },
  rpc: "wallet.getTopUp",
});

const listUnmatchedCredits = operation({
  method: "get",
  path: `${paymentsBase}/unmatched-credits`,
  tag: "Payments",
  summary: "List bank transfers that arrived and nobody was found for",
  access: ["CASHIER", "MANAGER"],
  scopes: ["payments:process", "accounts:read"],
  query: cursorQuery,
  answer: z.object({ credits: z.array(BankCredit), nextCursor: leaf.nextCursor.optional() }),
  message: "Unmatched credits",
  example: { as: "manager@demo.example" },
  rpc: "wallet.listUnmatchedCredits",
});

const listHeldArrivals = operation({
  method: "get",
  path: `${paymentsBase}/held-arrivals`,
  tag: "Payments",
  summary: "List what arrived for customers who may not have it yet, and is reserved in their wallets until they may",
  access: ["MANAGER"],
  scopes: ["accounts:read"],
  query: cursorQuery.extend({ all: z.enum(["true", "false"]).optional() }),
  answer: z.object({ arrivals: z.array(HeldArrival), nextCursor: leaf.nextCursor.optional() }),
  message: "Held arrivals",
  example: { as: "manager@demo.example" },
  rpc: "wallet.listHeldArrivals",
});

const assignCredit = operation({
  method: "post",
  path: `${paymentsBase}/unmatched-credits/:creditId/assign`,
  tag: "Payments",
  summary: "Give such a bank transfer to a wallet",
  access: ["MANAGER"],
  peopleOnly: "judgement",
  headers: { idempotencyKey: "required" },
  params: z.object({ creditId: idIn }),
  body: z.object({ accountId: idIn, reason: reasonIn }).meta({ id: "AssignCreditRequest" }),
  answer: BankCredit,
  message: "Credit assigned",
  example: {
    as: "manager@demo.example",
    headers: { "x-idempotency-key": "assign-1" },
    params: { creditId: "00000000-0000-7000-8000-000000000000" },
    body: { accountId: "00000000-0000-7000-8000-000000000000", reason: "The sender called" },
    answers: 404,
  },
  rpc: "wallet.assignCredit",
});

/** Ours: only under /sandbox. */
const receiveBankTransfer = operation({
  method: "post",
  path: `${paymentsBase}/bank-transfers`,
  tag: "Payments",
  summary: "Let a bank transfer arrive in a sandbox; the account number in its reference says whose it is",
  access: ["MANAGER", "CUSTOMER"],
  scopes: ["sandbox:force"],
  sdk: { inSandbox: { name: "bankTransferArrives" } },
  headers: { idempotencyKey: "required" },
  body: z
    .object({
      reference: text(128),
      amount: moneyTextOrNumberIn,
      currency: currencyCode,
      senderName: text(100),
      senderAccountNumber: maybe(text(40, 0)),
    })
    .meta({ id: "ReceiveBankTransferRequest" }),
  answer: BankCredit,
  message: "Bank transfer arrived",
  example: {
    as: "manager@demo.example",
    sandbox: true,
    headers: { "x-idempotency-key": "salary-2026-11" },
    body: { reference: "salary", amount: "250.00", currency: "USD", senderName: "Chidi Okafor" },
  },
  rpc: "wallet.receiveBankTransfer",
});

/** In the order in which the documentation shows them. */
export const walletMoneyRoutes = {
  topUpByCard,
  readTopUp,
  listUnmatchedCredits,
  listHeldArrivals,
  assignCredit,
  receiveBankTransfer,
};

const bankCode = z
  .custom<JsonNumber | string>((value) => value instanceof JsonNumber || typeof value === "string", {
    error: "must be a number or a string",
  })
  .meta({ override: { type: ["number", "string"], examples: [58, "058"] } })
  .transform((value) => (value instanceof JsonNumber ? value.text : value).slice(0, 40));

// What is missing or wrong in an item is in its result, so that the others go on.
const Item = shape(
  wire.DomiciliaryItem,
  z
    .object({
      bvnCountry: maybe(text(40, 0)).meta({ description: "NGA, or NG; no other country is supported." }),
      existingAccountBankCode: maybe(bankCode).meta({ description: "Padded to three digits." }),
      existingAccountBvn: maybe(text(40, 0)).meta({ description: "Eleven digits." }),
      existingAccountCurrencyCode: maybe(text(40, 0)),
      newAccountCurrencyCode: maybe(text(40, 0)),
    })
    .meta({ id: "DomiciliaryAccountRequestItem" }),
);

const itemsField = "dormAccountRequestDTO";

const Result = shape(
  wire.DomiciliaryResult,
  z
    .object({
      createdAccountNumber: leaf.accountNumber,
      existingBankAccountNumber: leaf.senderAccountNumber,
      createdAccountCurrencyCode: z.string(),
      status: shown(z.string(), "SUCCESS").meta({ description: "SUCCESS or FAILED." }),
      msg_note: shown(z.string(), "the customer has this account already").meta({
        description: "For people; names what is missing by its path.",
      }),
      msg_code: shown(z.string(), "DOM_EXISTS").meta({ description: "See docs/wallet.md." }),
      msg_code_id: shown(z.string(), "101"),
      accountBankCode: shown(z.string(), "058"),
    })
    .meta({ id: "DomiciliaryAccountResultItem" }),
  {
    msg_note: ({ msgNote }) => msgNote.replaceAll("items[", `${itemsField}[`),
    msg_code: "msgCode",
    msg_code_id: "msgCodeId",
  },
);

/** §4.5 */
export const createDomiciliaryAccounts = operation({
  method: "post",
  path: "/gateway/create-domiciliary-bank-account-with-bvn",
  contract: true,
  tag: "Gateway",
  summary: "Open accounts in foreign currencies for the holder of a Nigerian bank verification number",
  access: ["CUSTOMER", "AGENT"],
  scopes: ["accounts:open"],
  body: z.object({ dormAccountRequestDTO: z.array(Item).min(1).max(20) }).meta({ id: "DomiciliaryAccountRequest" }),
  answer: z.object({ dormAccountResponseDTO: z.array(Result) }).meta({ id: "DomiciliaryAccountResponse" }),
  bare: true,
  message: "A result per item",
  example: {
    as: "amina@demo.example",
    body: {
      dormAccountRequestDTO: [
        {
          bvnCountry: "NGA",
          existingAccountBankCode: 58,
          existingAccountBvn: "22123456789",
          existingAccountCurrencyCode: "NGN",
          newAccountCurrencyCode: "USD",
        },
      ],
    },
  },
  renames: { items: itemsField },
  rpc: "wallet.createDomiciliaryAccounts",
  fields: { dormAccountRequestDTO: "items" },
  answerFields: { dormAccountResponseDTO: "results" },
});
