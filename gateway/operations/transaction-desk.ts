import { outgoing } from "../../services/kernel/grpc/client.js";
import { FileAnswer } from "../file-answer.js";
import { operation } from "../operation.js";
import { readerOf } from "../codec.js";
import { route } from "../route.js";
import { StoredTransaction } from "../../services/platform/events/shapes/transaction-shape.js";
import {
  AskedPayoutOutcome,
  entriesQuery,
  PayoutOutcomeRequest,
  Receipt,
  receiptQuery,
  RefundRequest,
  RequestedRefund,
  TransactionEntries,
  TransactionStatusChange,
} from "../shapes/transaction-desk.js";
import { everyRole } from "./base.js";
import { anyTransaction, base, firstTransaction, keyed, staff, transactionPath } from "./transactions.js";

/** Ours. */
export const updateTransactionStatus = operation({
  method: "put",
  path: `${base}/transactions/:transactionId/status`,
  operationId: "updateTransactionStatus",
  tag: "Transactions",
  summary: "Cancel a transaction for its sender, or end the time to pay for it",
  access: staff,
  scopes: ["transactions:update", "transactions:write"],
  headers: { idempotencyKey: "required" },
  params: transactionPath,
  body: TransactionStatusChange,
  answer: StoredTransaction,
  message: "Transaction changed",
  example: {
    as: "manager@demo.example",
    headers: { "x-idempotency-key": "status-2026-0042" },
    params: { transactionId: "no-such-transaction" },
    body: { status: "EXPIRED", reason: "The sender will not pay" },
    answers: 404,
    answer: { status: "PAID" },
  },
  renames: keyed,
  rpc: "remittance.updateTransactionStatus",
  gives: "transaction",
});

const receiptOf = readerOf(Receipt);

/** Ours. */
export const readReceipt = route({
  method: "get",
  path: `${base}/transactions/:transactionId/receipt`,
  operationId: "readReceipt",
  tag: "Transactions",
  summary: "Read the receipt of a transaction that was paid for, as JSON or as a PDF",
  access: everyRole,
  scopes: ["transactions:read", "transactions:read:own", "receipts:print"],
  refusable: true,
  params: transactionPath,
  query: receiptQuery,
  files: ["application/pdf"],
  answer: Receipt,
  message: "Receipt",
  example: {
    as: "amina@demo.example",
    params: { transactionId: "no-such-transaction" },
    answers: 404,
    answer: { transaction: { status: "PAID" } },
  },
  renames: keyed,
  run: async ({ params, query, call, clients }) => {
    const asPdf = query.format === "pdf";
    const receipt = await clients.remittance.getReceipt({ ...params, asPdf }, outgoing(call));
    if (!asPdf) return receiptOf(receipt);
    const { transactionCode = "" } = receipt.transaction ?? {};
    return new FileAnswer(`receipt-${transactionCode}.pdf`, Buffer.from(receipt.pdf), "application/pdf");
  },
});

/** Ours, by maker-checker: another manager approves it. */
export const requestRefund = operation({
  method: "post",
  path: `${base}/transactions/:transactionId/refunds`,
  operationId: "requestRefund",
  tag: "Transactions",
  summary: "Ask for a refund of a completed transaction, whole or in part; a second person decides",
  access: staff,
  scopes: ["transactions:write", "refunds:request"],
  headers: { idempotencyKey: "required" },
  params: transactionPath,
  body: RefundRequest,
  answer: RequestedRefund,
  waits: true,
  message: "Refund asked for",
  example: {
    as: "manager@demo.example",
    headers: { "x-idempotency-key": "refund-2026-0042" },
    params: { transactionId: "no-such-transaction" },
    body: { amount: "5.00", reason: "Arrived late" },
    answers: 404,
  },
  renames: keyed,
  rpc: "remittance.requestRefund",
  isWaiting: ({ approvalStatus }) => approvalStatus === "PENDING",
});

/** Ours, by maker-checker: another manager approves it. */
export const askPayoutOutcome = operation({
  method: "post",
  path: `${base}/transactions/:transactionId/payout-outcome`,
  operationId: "askPayoutOutcome",
  tag: "Transactions",
  summary: "Say how a payout has ended whose partner's word ends nothing; a second person decides",
  access: ["MANAGER"],
  peopleOnly: "judgement",
  headers: { idempotencyKey: "required" },
  params: transactionPath,
  body: PayoutOutcomeRequest,
  answer: AskedPayoutOutcome,
  waits: true,
  message: "Payout outcome asked for",
  example: {
    as: "manager@demo.example",
    headers: { "x-idempotency-key": "payout-outcome-2026-0042" },
    params: { transactionId: "no-such-transaction" },
    body: { outcome: "PAID", reason: "The bank confirms it by telephone" },
    answers: 404,
  },
  renames: keyed,
  rpc: "remittance.askPayoutOutcome",
  isWaiting: ({ approvalStatus }) => approvalStatus === "PENDING",
});

/** Ours. */
export const listTransactionEntries = operation({
  method: "get",
  path: `${base}/transactions/:transactionId/entries`,
  operationId: "listTransactionEntries",
  tag: "Transactions",
  summary: "List all ledger entries of a transaction: payment, fee and tax, payout, return, refunds",
  access: staff,
  scopes: ["ledger:read"],
  params: transactionPath,
  query: entriesQuery,
  answer: TransactionEntries,
  message: "Ledger entries",
  renames: { ...keyed, cursor: "query.cursor", pageSize: "query.size" },
  example: { as: "manager@demo.example", params: anyTransaction, from: firstTransaction },
  rpc: "remittance.listTransactionEntries",
});
