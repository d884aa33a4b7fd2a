import { z } from "zod";
import { outgoing } from "../../services/kernel/grpc/client.js";
import { FileAnswer } from "../file-answer.js";
import { route } from "../route.js";
import { countryIn, currencyCode, instant, instantIn, text } from "../schema.js";
import { absentIfEmpty, timeText } from "../wire.js";
import { everyRole, v6 } from "./base.js";
import { cursorQuery, pageOf, reasonIn } from "./cursor-pages.js";
import {
  deliveryMethods,
  Transaction,
  transactionFromWire,
} from "../../services/platform/events/shapes/transaction-shape.js";
import { StoredTransaction, storedFromWire } from "../../services/platform/events/shapes/transaction-shape.js";

export const base = `${v6}/transactionmanagement`;

export const transactionPath = z.object({ transactionId: z.string().regex(/^[\w.:-]{1,128}$/, "is not an id") });

export const staff = ["MANAGER", "AGENT", "CASHIER"] as const;

export const firstTransaction = { "params.transactionId": "createTransaction data.id" };

export const anyTransaction = { transactionId: "the-id-of-a-transaction" };

export const keyed = { idempotencyKey: "headers.x-idempotency-key", transactionId: "path.transactionId" };

const ListQuery = cursorQuery.extend({
  status: text(200).optional().meta({ description: "One or more, separated by commas." }),
  type: z.enum(deliveryMethods).optional(),
  from: instantIn.optional().meta({ description: "Created from, inclusive." }),
  to: instantIn.optional().meta({ description: "Created to, exclusive." }),
  sendCurrency: currencyCode.optional(),
  receivingCountry: countryIn.optional(),
  senderCustomerCode: text(128).optional(),
  recipientCustomerCode: text(128).optional(),
  search: text(200).optional().meta({ description: "Whole words of names and codes; all of them must be there." }),
  unclear: z.enum(["true"]).optional().meta({
    description: "Only payouts whose partner's word ends nothing, so that a person says how they ended; for managers.",
  }),
  held: z.enum(["true"]).optional().meta({
    description:
      "Only payouts that are held because a party is compared with a list; for managers, and their tokens with compliance:read.",
  }),
});

/**
 * Ours. Customers see their own, cashiers what they created, agents what their customers sent,
 * managers all.
 */
export const listTransactions = route({
  method: "get",
  path: `${base}/transactions`,
  operationId: "listTransactions",
  tag: "Transactions",
  summary: "List transactions, the newest first",
  access: everyRole,
  scopes: ["transactions:read", "transactions:read:own"],
  query: ListQuery,
  answer: z
    .object({ transactions: z.array(Transaction), nextCursor: z.string().optional() })
    .meta({ id: "Transactions", description: "nextCursor is absent on the last page." }),
  message: "Transactions",
  example: { as: "amina@demo.example", query: { size: "10" } },
  renames: { pageSize: "query.size", recipientCode: "query.recipientCustomerCode", statuses: "query.status" },
  run: async ({ query, call, clients }) => {
    const { transactions, nextCursor } = await clients.remittance.listTransactions(
      {
        statuses: query.status?.split(",").map((status) => status.trim()) ?? [],
        type: query.type === undefined ? "DELIVERY_METHOD_UNSPECIFIED" : `DELIVERY_METHOD_${query.type}`,
        ...(query.from !== undefined && { from: new Date(query.from) }),
        ...(query.to !== undefined && { to: new Date(query.to) }),
        sendCurrency: query.sendCurrency ?? "",
        receivingCountry: query.receivingCountry ?? "",
        senderCustomerCode: query.senderCustomerCode ?? "",
        recipientCode: query.recipientCustomerCode ?? "",
        search: query.search ?? "",
        held: query.held === "true",
        unclear: query.unclear === "true",
        ...pageOf(query),
      },
      outgoing(call),
    );
    return { transactions: transactions.map(transactionFromWire), nextCursor: absentIfEmpty(nextCursor) };
  },
});

/** Ours. */
export const updateTransactionStatus = route({
  method: "put",
  path: `${base}/transactions/:transactionId/status`,
  operationId: "updateTransactionStatus",
  tag: "Transactions",
  summary: "Cancel a transaction for its sender, or end the time to pay for it",
  access: staff,
  scopes: ["transactions:update", "transactions:write"],
  headers: { idempotencyKey: "required" },
  params: transactionPath,
  body: z
    .object({ status: z.enum(["CANCELLED", "EXPIRED"]), reason: reasonIn })
    .meta({ id: "TransactionStatusChange" }),
  answer: StoredTransaction,
  message: "Transaction changed",
  example: {
    as: "manager@demo.example",
    headers: { "x-idempotency-key": "status-2026-0042" },
    params: { transactionId: "no-such-transaction" },
    body: { status: "EXPIRED", reason: "The sender will not pay" },
    answers: 404,
  },
  renames: keyed,
  run: async ({ params, body, headers, call, clients }) => {
    const { transaction } = await clients.remittance.updateTransactionStatus(
      { ...params, ...body, idempotencyKey: headers["x-idempotency-key"] ?? "" },
      outgoing(call, { onReplayed: call.markReplayed }),
    );
    return storedFromWire(transaction);
  },
});

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
  query: z.object({ format: z.enum(["json", "pdf"]).optional() }),
  files: ["application/pdf"],
  answer: z
    .object({ organisation: z.string(), paidAt: instant, transaction: StoredTransaction })
    .meta({ id: "Receipt" }),
  message: "Receipt",
  example: { as: "amina@demo.example", params: { transactionId: "no-such-transaction" }, answers: 404 },
  renames: keyed,
  run: async ({ params, query, call, clients }) => {
    const asPdf = query.format === "pdf";
    const receipt = await clients.remittance.getReceipt({ ...params, asPdf }, outgoing(call));
    const { transaction, paidAt, organisation, pdf } = receipt;
    if (asPdf) {
      return new FileAnswer(`receipt-${transaction?.transactionCode ?? ""}.pdf`, Buffer.from(pdf), "application/pdf");
    }
    return { organisation, paidAt: timeText(paidAt, "paid_at"), transaction: storedFromWire(transaction) };
  },
});
