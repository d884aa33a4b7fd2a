import { z } from "zod";
import { always } from "../codec.js";
import { operation } from "../operation.js";
import { instant, text, shown } from "../schema.js";
import { base, keyed, transactionPath } from "./transactions.js";
import * as leaf from "../../services/platform/events/shapes/leaves.js";

/** Ours. Shown once: only a hash of it is kept. */
export const issuePickupCode = operation({
  method: "post",
  path: `${base}/transactions/:transactionId/pickup-code`,
  operationId: "issuePickupCode",
  tag: "Cash pickup",
  summary: "Get the code that the recipient collects cash with; the one before it ends",
  access: ["CASHIER", "CUSTOMER"],
  peopleOnly: "codes",
  params: transactionPath,
  answer: z
    .object({ pickupCode: shown(z.string(), "481-902-337"), transactionCode: leaf.transactionCode })
    .meta({ id: "PickupCode" }),
  message: "Pickup code",
  example: { as: "amina@demo.example", params: { transactionId: "no-such-transaction" }, answers: 404 },
  renames: keyed,
  rpc: "remittance.issuePickupCode",
  answerFields: { pickupCode: "code" },
});

/** Ours. */
export const payOutCash = operation({
  method: "post",
  path: `${base}/cash-pickups`,
  operationId: "payOutCash",
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
  renames: keyed,
  rpc: "wallet.payOutCash",
  answerFields: { status: always("COMPLETED"), currency: "amount.currency" },
});
