import { z } from "zod";
import { operation } from "../operation.js";
import { everyRole } from "../route.js";
import { isPending } from "../schema.js";
import { Amendment, AmendmentRequest, AskedAmendment, AskedTrace, TraceRequest } from "../shapes/amendments.js";
import { anyTransaction, base, firstTransaction, ofPath, transactionPath } from "./transactions.js";

/** Ours: a sender's holds at once, what staff ask for once a second manager approves. */
export const amendTransaction = operation({
  method: "post",
  path: `${base}/transactions/:transactionId/amendments`,
  tag: "Transactions",
  summary: "Put right who is paid, by name, before the transaction is handed over; for staff a second person decides",
  access: ["MANAGER", "AGENT", "CUSTOMER"],
  scopes: ["transactions:write", "transactions:update", "transactions:cancel"],
  headers: { idempotencyKey: "required" },
  params: transactionPath,
  body: AmendmentRequest,
  answer: AskedAmendment,
  waits: true,
  message: "Amendment",
  example: {
    as: "manager@demo.example",
    headers: { "x-idempotency-key": "amendment-2026-0042" },
    params: { transactionId: "no-such-transaction" },
    body: { recipient: { firstName: "Ngozi", lastName: "Adeyemi" }, reason: "She has married" },
    answers: 404,
  },
  renames: ofPath,
  rpc: "remittance.amendTransaction",
  isWaiting: isPending,
});

/** Ours, by maker-checker: the partner is asked once a second manager approves. */
export const traceTransaction = operation({
  method: "post",
  path: `${base}/transactions/:transactionId/traces`,
  tag: "Transactions",
  summary: "Have the partner who has a payout asked to put right who is paid, by name; a second person decides",
  access: ["MANAGER"],
  scopes: ["transactions:write"],
  headers: { idempotencyKey: "required" },
  params: transactionPath,
  body: TraceRequest,
  answer: AskedTrace,
  waits: true,
  message: "Trace",
  example: {
    as: "manager@demo.example",
    headers: { "x-idempotency-key": "trace-2026-0042" },
    params: { transactionId: "no-such-transaction" },
    body: { recipient: { firstName: "Ngozi", lastName: "Adeyemi" }, reason: "The name was misspelled" },
    answers: 404,
  },
  renames: ofPath,
  rpc: "remittance.traceTransaction",
  isWaiting: isPending,
});

/** Ours. */
export const listAmendments = operation({
  method: "get",
  path: `${base}/transactions/:transactionId/amendments`,
  tag: "Transactions",
  summary: "List what was put right of who is paid, and what waits for a second person",
  access: everyRole,
  scopes: ["transactions:read", "transactions:read:own"],
  params: transactionPath,
  answer: z.array(Amendment),
  message: "Amendments",
  example: { as: "manager@demo.example", params: anyTransaction, from: firstTransaction },
  renames: ofPath,
  rpc: "remittance.listAmendments",
});

export const amendmentRoutes = { amendTransaction, traceTransaction, listAmendments };
