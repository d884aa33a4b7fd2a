import { outgoing } from "../../services/kernel/grpc/client.js";
import { FileAnswer } from "../file-answer.js";
import { operation } from "../operation.js";
import { readerOf, always } from "../codec.js";
import { route, everyRole } from "../route.js";
import { StoredTransaction } from "../../services/platform/events/shapes/transaction-shape.js";
import {
  AskedPayoutOutcome,
  entriesQuery,
  PayoutOutcomeRequest,
  Receipt,
  RefundRequest,
  RequestedRefund,
  TransactionEntries,
  TransactionStatusChange,
} from "../shapes/transactions.js";
import { disclosureQuery } from "../shapes/disclosures.js";
import { TransactionTransparency } from "../shapes/order-parties.js";
import { anyTransaction, base, firstTransaction, ofPath, staff, transactionPath } from "./transactions.js";
import { z } from "zod";
import { instant, isPending, text, shown } from "../schema.js";
import * as leaf from "../../services/platform/events/shapes/leaves.js";

/** Ours. */
export const updateTransactionStatus = operation({
  method: "put",
  path: `${base}/transactions/:transactionId/status`,
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
  renames: ofPath,
  rpc: "remittance.updateTransactionStatus",
});

const receiptOf = readerOf(Receipt);

/** Ours. */
export const readReceipt = route({
  method: "get",
  path: `${base}/transactions/:transactionId/receipt`,
  tag: "Transactions",
  summary: "Read the receipt of a transaction that was paid for, as JSON or as a PDF",
  access: everyRole,
  scopes: ["transactions:read", "transactions:read:own", "receipts:print"],
  refusable: true,
  params: transactionPath,
  query: disclosureQuery,
  files: ["application/pdf"],
  answer: Receipt,
  message: "Receipt",
  example: {
    as: "amina@demo.example",
    params: { transactionId: "no-such-transaction" },
    answers: 404,
    answer: { transaction: { status: "PAID" } },
  },
  renames: ofPath,
  run: async ({ params, query, call, clients }) => {
    const asPdf = query.format === "pdf";
    const { language = "" } = query;
    const receipt = await clients.remittance.getReceipt({ ...params, language, asPdf }, outgoing(call));
    if (!asPdf) return receiptOf(receipt);
    const { transactionCode = "" } = receipt.transaction ?? {};
    return new FileAnswer(`receipt-${transactionCode}.pdf`, Buffer.from(receipt.pdf), "application/pdf");
  },
});

/** Ours, by maker-checker: another manager approves it. */
export const requestRefund = operation({
  method: "post",
  path: `${base}/transactions/:transactionId/refunds`,
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
  renames: ofPath,
  rpc: "remittance.requestRefund",
  isWaiting: isPending,
});

/** Ours, by maker-checker: another manager approves it. */
export const askPayoutOutcome = operation({
  method: "post",
  path: `${base}/transactions/:transactionId/payout-outcome`,
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
  renames: ofPath,
  rpc: "remittance.askPayoutOutcome",
  isWaiting: isPending,
});

/** Ours. */
export const listTransactionEntries = operation({
  method: "get",
  path: `${base}/transactions/:transactionId/entries`,
  tag: "Transactions",
  summary: "List all ledger entries of a transaction: payment, fee and tax, payout, return, refunds",
  access: staff,
  scopes: ["ledger:read"],
  params: transactionPath,
  query: entriesQuery,
  answer: TransactionEntries,
  message: "Ledger entries",
  renames: { ...ofPath, cursor: "query.cursor", pageSize: "query.size" },
  example: { as: "manager@demo.example", params: anyTransaction, from: firstTransaction },
  rpc: "remittance.listTransactionEntries",
});

/** Ours. */
export const readTransactionTransparency = operation({
  method: "get",
  path: `${base}/transactions/:transactionId/transparency`,
  tag: "Transactions",
  summary:
    "Read what a transaction's partner was told of sender and recipient, what the policy asked, and what was recorded",
  access: ["MANAGER"],
  scopes: ["compliance:read"],
  params: transactionPath,
  answer: TransactionTransparency,
  message: "What the partner was told",
  renames: ofPath,
  example: { as: "manager@demo.example", params: anyTransaction, from: firstTransaction },
  rpc: "remittance.getTransparency",
});

/** Ours. Shown once: only a hash of it is kept. */
export const issuePickupCode = operation({
  method: "post",
  path: `${base}/transactions/:transactionId/pickup-code`,
  tag: "Cash pickup",
  summary: "Get the code that the recipient collects cash with; the one before it ends",
  access: ["CASHIER", "AGENT", "CUSTOMER"],
  peopleOnly: "codes",
  params: transactionPath,
  answer: z
    .object({ pickupCode: shown(z.string(), "481-902-337"), transactionCode: leaf.transactionCode })
    .meta({ id: "PickupCode" }),
  message: "Pickup code",
  example: { as: "amina@demo.example", params: { transactionId: "no-such-transaction" }, answers: 404 },
  renames: ofPath,
  rpc: "remittance.issuePickupCode",
  answerFields: { pickupCode: "code" },
});

/** Ours. */
export const payOutCash = operation({
  method: "post",
  path: `${base}/cash-pickups`,
  tag: "Cash pickup",
  summary: "Hand cash out of the cashier's open till to the recipient against the code; five wrong codes lock it",
  access: ["CASHIER"],
  scopes: ["cash:handle"],
  headers: { idempotencyKey: "required" },
  body: z.object({ transactionCode: text(40), pickupCode: text(40) }).meta({ id: "CashPickup" }),
  answer: z
    .object({
      transactionId: leaf.transactionId,
      transactionCode: leaf.transactionCode,
      status: shown(z.string(), "COMPLETED"),
      amount: leaf.receiveAmount,
      currency: leaf.receivingCurrency,
      recipientName: leaf.recipientName,
      tillId: z.string().meta({ description: "The till that it came out of." }),
      paidOutAt: instant,
    })
    .meta({ id: "CashPickedUp" }),
  message: "Cash handed out",
  example: {
    as: "cashier@demo.example",
    headers: { "x-idempotency-key": "pickup-2026-0042" },
    body: { transactionCode: "MN0000000000", pickupCode: "00000-00000" },
    answers: 404,
  },
  renames: ofPath,
  rpc: "wallet.payOutCash",
  answerFields: { status: always("COMPLETED"), currency: "amount.currency" },
});
