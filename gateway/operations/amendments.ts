import { z } from "zod";
import { operation } from "../operation.js";
import { everyRole } from "../route.js";
import { isPending } from "../schema.js";
import { Amendment, AmendmentRequest, AskedAmendment, AskedTrace, TraceRequest } from "../shapes/amendments.js";
import { anyTransaction, base, firstTransaction, ofPath, transactionPath } from "./transactions.js";

/** Asked under a key; what a second person decides is PENDING until then. */
const asksOtherNames = {
  method: "post",
  tag: "Transactions",
  headers: { idempotencyKey: "required" },
  params: transactionPath,
  waits: true,
  renames: ofPath,
  isWaiting: isPending,
} as const;

const otherNames = (reason: string) => ({
  params: { transactionId: "no-such-transaction" },
  body: { recipient: { firstName: "Ngozi", lastName: "Adeyemi" }, reason },
  answers: 404 as const,
});

/** Ours: a sender's holds at once, what staff ask for once a second manager approves. */
export const amendTransaction = operation({
  ...asksOtherNames,
  path: `${base}/transactions/:transactionId/amendments`,
  summary: "Put right who is paid, by name, before the transaction is handed over; for staff a second person decides",
  access: ["MANAGER", "AGENT", "CUSTOMER"],
  scopes: ["transactions:write", "transactions:update", "transactions:cancel"],
  body: AmendmentRequest,
  answer: AskedAmendment,
  message: "Amendment",
  example: {
    as: "manager@demo.example",
    headers: { "x-idempotency-key": "amendment-2026-0042" },
    ...otherNames("She has married"),
  },
  rpc: "remittance.amendTransaction",
});

/** Ours, by maker-checker: the partner is asked once a second manager approves. */
export const traceTransaction = operation({
  ...asksOtherNames,
  path: `${base}/transactions/:transactionId/traces`,
  summary: "Have the partner who has a payout asked to put right who is paid, by name; a second person decides",
  access: ["MANAGER"],
  scopes: ["transactions:write"],
  body: TraceRequest,
  answer: AskedTrace,
  message: "Trace",
  example: {
    as: "manager@demo.example",
    headers: { "x-idempotency-key": "trace-2026-0042" },
    ...otherNames("The name was misspelled"),
  },
  rpc: "remittance.traceTransaction",
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
