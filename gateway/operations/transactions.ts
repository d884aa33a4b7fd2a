import { z } from "zod";
import { operation } from "../operation.js";
import { everyRole, v6 } from "../route.js";
import { StoredTransaction, Transaction } from "../../services/platform/events/shapes/transaction-shape.js";
import {
  assertAmount,
  CancelTransactionRequest,
  createTransactionFields,
  CreateTransactionRequest,
  ReadTransaction,
  TransactionQuery,
  Quote,
  QuoteRequest,
} from "../shapes/transactions.js";
import * as leaf from "../../services/platform/events/shapes/leaves.js";
import type { Role } from "../../services/kernel/grpc/context.js";

export const base = `${v6}/transactionmanagement`;

export const transactionPath = z.object({ transactionId: z.string().regex(/^[\w.:-]{1,128}$/, "is not an id") });

export const staff = ["MANAGER", "AGENT", "CASHIER"] as const;

export const firstTransaction = { "params.transactionId": "createTransaction data.id" };

export const anyTransaction = { transactionId: "the-id-of-a-transaction" };

export const ofPath = { transactionId: "path.transactionId" };

/** §4.16 */
export const createTransaction = operation({
  method: "post",
  path: `${base}/create-transaction`,
  contract: true,
  tag: "Transactions",
  summary: "Price and store a transaction that then waits for its payment",
  access: ["CASHIER", "AGENT", "CUSTOMER"],
  scopes: ["transactions:create"],
  headers: { idempotencyKey: "required", ipAddress: "required", password: "optional" },
  body: CreateTransactionRequest,
  answer: Transaction,
  message: "Transaction created",
  example: {
    as: "amina@demo.example",
    headers: { "x-idempotency-key": "transfer-2026-0042", ipAddress: "203.0.113.7" },
    body: {
      sendAmount: "20.00",
      sendCurrency: "USD",
      receivingCurrency: "NGN",
      inclussive: false,
      type: "ACCOUNTPAYMENT",
      preExistingSenderCustomerCode: "C-AMINA",
      preExistingRecipientCustomerCode: "B-AMINA-NG",
      creditParty: [
        { key: "bankname", value: "First Bank of Nigeria" },
        { key: "bankaccountno", value: "3001234560" },
        { key: "accountholdername", value: "Chidi Okafor" },
        { key: "bankcode", value: "011" },
      ],
      internationalTransferInformation: {
        originCountry: "USA",
        receivingCountry: "NGA",
        remittancePurpose: "FAMILY_SUPPORT",
        sourceOfFunds: "SALARY",
      },
      transactionProcessingMode: "REAL_TIME",
      transactionModule: "REMITTANCE",
    },
    answer: {
      descriptionText: undefined,
      dynamicFields: undefined,
      quoteId: undefined,
      fees: [{ discountAmount: undefined }],
      creditParty: [
        { key: "bankname", value: "First Bank of Nigeria" },
        {},
        { key: "accountholdername", value: "Chidi Okafor" },
        { key: "bankcode", value: "011" },
      ],
      transactionProcessingMode: "REAL_TIME",
      compliance: { outstandingRequirements: [] },
      interactionId: "9ca906f2-9978-4228-816f-ff4e1d087b93",
    },
  },
  renames: {
    inclusive: "inclussive",
    ipAddress: "headers.ipAddress",
    senderCustomerCode: "preExistingSenderCustomerCode",
    recipientCustomerCode: "preExistingRecipientCustomerCode",
    processingMode: "transactionProcessingMode",
    eligibleDocuments: "eligibleDocumentList",
  },
  rpc: "remittance.createTransaction",
  fields: createTransactionFields,
  asserts: assertAmount,
  adds: (_call, { ipAddress = "", password = "" }) => ({ ipAddress, password }),
});

/** Ours: one transaction with its timeline. Customers see their own, cashiers what they created. */
export const readTransaction = operation({
  method: "get",
  path: `${base}/transactions/:transactionId`,
  tag: "Transactions",
  summary: "Read a transaction with its timeline",
  access: everyRole,
  scopes: ["transactions:read", "transactions:read:own"],
  params: transactionPath,
  answer: ReadTransaction,
  message: "Transaction",
  example: {
    as: "amina@demo.example",
    params: { transactionId: "the-id-of-a-transaction" },
    from: { "params.transactionId": "createTransaction data.id" },
    answer: { status: "PAID" },
  },
  rpc: "remittance.getTransaction",
});

/**
 * Ours: CANCELLED where nothing was paid yet; CANCELLING up to 30 minutes after the payment, until
 * the payout partner has decided between REFUNDED and COMPLETED.
 */
export const cancelTransaction = operation({
  method: "post",
  path: `${base}/transactions/:transactionId/cancel`,
  tag: "Transactions",
  summary: "Cancel a transaction that is not paid for, or recall its payout within 30 minutes after the payment",
  access: ["CASHIER", "AGENT", "CUSTOMER"],
  scopes: ["transactions:cancel"],
  inPerson: ["AGENT"],
  headers: { idempotencyKey: "required" },
  params: transactionPath,
  body: CancelTransactionRequest,
  bodyOptional: true,
  answer: StoredTransaction,
  message: "Cancellation",
  example: {
    as: "amina@demo.example",
    headers: { "x-idempotency-key": "cancel-2026-0042" },
    params: { transactionId: "the-id-of-a-transaction" },
    body: { reason: "Sent to the wrong recipient" },
    from: { "params.transactionId": "createTransaction data.id" },
    answer: { status: "PAID" },
  },
  renames: ofPath,
  rpc: "remittance.cancelTransaction",
});

/**
 * Ours. Customers see their own, cashiers what they created, agents what their customers sent,
 * managers all.
 */
export const listTransactions = operation({
  method: "get",
  path: `${base}/transactions`,
  tag: "Transactions",
  summary: "List transactions, the newest first",
  access: everyRole,
  scopes: ["transactions:read", "transactions:read:own"],
  query: TransactionQuery,
  answer: z
    .object({ transactions: z.array(Transaction), nextCursor: leaf.nextCursor.optional() })
    .meta({ id: "Transactions", description: "nextCursor is absent on the last page." }),
  message: "Transactions",
  example: { as: "amina@demo.example", query: { size: "10" } },
  renames: { pageSize: "query.size", recipientCode: "query.recipientCustomerCode", statuses: "query.status" },
  rpc: "remittance.listTransactions",
  fields: { status: "statuses", recipientCustomerCode: "recipientCode" },
});

/** An AGENT where the organisation has its agents sell. */
export const quotingRoles: readonly Role[] = ["CASHIER", "AGENT", "CUSTOMER"];

export const quotePath = z.object({ quoteId: z.string().regex(/^[\w.:-]{1,128}$/, "is not an id") });

/** Ours: a price that is kept for a while, for one transaction. */
export const createQuote = operation({
  method: "post",
  path: `${base}/quotes`,
  tag: "Quotes",
  summary: "Price a transfer from either side and keep that price for one transaction",
  access: quotingRoles,
  scopes: ["quotes:request", "transactions:create"],
  sdk: { isKeyed: true },
  headers: { idempotencyKey: "optional" },
  body: QuoteRequest,
  answer: Quote,
  message: "Quote",
  example: {
    as: "amina@demo.example",
    body: {
      sendAmount: "20.00",
      sendCurrency: "USD",
      receivingCurrency: "NGN",
      receivingCountry: "NGA",
      type: "ACCOUNTPAYMENT",
    },
  },
  renames: {
    inclusive: "inclussive",
    senderCustomerCode: "preExistingSenderCustomerCode",
    receiveAmount: "amount",
  },
  rpc: "remittance.createQuote",
  fields: {
    amount: "receiveAmount",
    inclussive: "inclusive",
    preExistingSenderCustomerCode: "senderCustomerCode",
  },
  asserts: assertAmount,
});

/** Ours: for whom it is for, and for who asked for it. */
export const readQuote = operation({
  method: "get",
  path: `${base}/quotes/:quoteId`,
  tag: "Quotes",
  summary: "Read a quote",
  access: quotingRoles,
  scopes: ["quotes:request", "transactions:create"],
  params: quotePath,
  answer: Quote,
  message: "Quote",
  example: {
    as: "amina@demo.example",
    params: { quoteId: "the-id-of-a-quote" },
    from: { "params.quoteId": "createQuote data.id" },
  },
  rpc: "remittance.getQuote",
});
