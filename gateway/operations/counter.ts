import { z } from "zod";
import * as wire from "../../proto/gen/wallet/v1/counter.js";
import * as walletWire from "../../proto/gen/wallet/v1/wallet.js";
import * as leaf from "../../services/platform/events/shapes/leaves.js";
import { shape } from "../codec.js";
import { operation } from "../operation.js";
import { cursorQuery, decimalText, idIn, instant, moneyTextOrNumberIn, shown, text } from "../schema.js";
import { atDrawer, tillFrom, tillPath } from "./tills.js";
import { paymentsBase } from "./wallet-accounts.js";

const inSale = <M extends string>(minor: M) => ({ minor, currency: "totalCheckoutAmount.currency" }) as const;

const sale = z.object({
  paymentId: leaf.paymentId,
  status: shown(z.string(), "SUCCESS"),
  transactionId: leaf.transactionId,
  transactionCode: leaf.transactionCode,
  totalAmount: leaf.totalAmount,
  received: shown(decimalText, "30.00").meta({ description: "What the customer gave." }),
  change: shown(decimalText, "7.74").meta({ description: "What they get back of it at once." }),
  currency: z.string(),
  payableStatus: shown(z.string(), "PAID").meta({
    description: "Of the transaction: PAID, or PAYING until it has heard of it.",
  }),
  paidAt: instant,
  interactionId: leaf.interactionId,
});
const saleFields = {
  transactionId: "payableId",
  totalAmount: "totalCheckoutAmount",
  received: inSale("receivedMinor"),
  change: inSale("changeMinor"),
  currency: "totalCheckoutAmount.currency",
} as const;
const CounterSale = shape(
  walletWire.Payment,
  sale.extend({ tillId: z.string() }).meta({ id: "CounterSale" }),
  saleFields,
);
/** Out of an agent's account. */
export const AccountSale = shape(walletWire.Payment, sale.meta({ id: "AccountSale" }), saleFields);

export const SaleRequest = z
  .object({
    transactionId: idIn,
    received: moneyTextOrNumberIn.meta({ description: "The notes that the customer gave: change is what is over." }),
  })
  .meta({ id: "CounterSaleRequest" });

const sellTransaction = operation({
  ...atDrawer,
  method: "post",
  path: `${paymentsBase}/tills/:tillId/sales`,
  summary:
    "Sell a transaction for cash into one's open till, whoever made it; agents where the organisation has them sell",
  scopes: ["cash:handle"],
  inPerson: ["AGENT"],
  params: tillPath,
  body: SaleRequest,
  answer: CounterSale,
  message: "Transaction sold",
  example: {
    as: "cashier@demo.example",
    headers: { "x-idempotency-key": "sale-1" },
    params: { tillId: "no-such-till" },
    body: { transactionId: "no-such-transaction", received: "30.00" },
    answers: 404,
  },
  rpc: "counter.sellTransaction",
});

export const CounterPayable = shape(
  wire.CounterPayable,
  z
    .object({
      payableId: z.string(),
      transactionId: leaf.transactionId,
      transactionCode: leaf.transactionCode,
      paymentId: leaf.paymentId,
      customerId: leaf.customerId.meta({ description: "The sender, whose it is." }),
      amount: leaf.totalAmount,
      currency: z.string(),
      status: z.enum(["OPEN", "PAYING", "PAID"]),
      createdAt: instant,
      codeValid: z.boolean().meta({ description: "A code was issued, and was not wrong too often." }),
      codeIssuedBy: z.string().optional().meta({ description: "User id." }),
      paidAt: instant.optional(),
      paidBy: z.string().optional().meta({ description: "User id." }),
      tillId: z.string().optional().meta({ description: "The till that it came out of." }),
      documentType: shown(z.string(), "PASSPORT").optional(),
      documentEnding: shown(z.string(), "4567").optional().meta({ description: "Last four characters of its number." }),
      documentOnFile: z.boolean().meta({ description: "It was one of those on file of the sender." }),
    })
    .meta({ id: "CounterPayable" }),
  { currency: "amount.currency" },
);

const listCounterPayables = operation({
  method: "get",
  path: `${paymentsBase}/counter-payables`,
  tag: "Cash",
  summary: "List what came back of transactions sold for cash, the newest first: one's own, or all of it for staff",
  access: ["CUSTOMER", "CASHIER", "AGENT", "MANAGER"],
  scopes: ["cash:handle", "reports:read", "payments:make"],
  query: cursorQuery.extend({ status: z.enum(["OPEN", "PAID"]).optional(), transactionCode: text(40).optional() }),
  answer: z.object({ payables: z.array(CounterPayable), nextCursor: leaf.nextCursor.optional() }),
  message: "Counter payables",
  example: { as: "cashier@demo.example" },
  rpc: "counter.listCounterPayables",
});

export const payablePath = z.object({ payableId: idIn });

const issueCounterPayableCode = operation({
  method: "post",
  path: `${paymentsBase}/counter-payables/:payableId/code`,
  tag: "Cash",
  summary:
    "Get the code that the sender gets their cash back with; the one before it ends, and another than its issuer pays",
  access: ["CUSTOMER", "CASHIER", "AGENT", "MANAGER"],
  peopleOnly: "codes",
  params: payablePath,
  answer: z
    .object({ code: shown(z.string(), "4819K-0233T"), transactionCode: leaf.transactionCode })
    .meta({ id: "CounterPayableCode" }),
  message: "Code issued",
  example: { as: "cashier@demo.example", params: { payableId: "no-such-payable" }, answers: 404 },
  rpc: "counter.issueCounterPayableCode",
});

export const codeAndDocument = z
  .object({
    code: text(40),
    document: shape(
      wire.ShownDocument,
      z
        .object({
          type: z.enum(["PASSPORT", "NATIONAL_ID", "DRIVING_LICENCE", "RESIDENCE_PERMIT", "TAX_ID"]),
          number: text(40, 4),
        })
        .meta({ id: "ShownDocument" }),
    ).meta({ description: "One of the sender's on file, where there are any." }),
  })
  .meta({ id: "PayCounterPayableRequest" });

const payCounterPayable = operation({
  ...atDrawer,
  method: "post",
  path: `${paymentsBase}/tills/:tillId/counter-payables/:payableId/pay`,
  summary: "Give the sender cash back out of one's open till against code and document; five wrong tries lock the code",
  scopes: ["cash:handle"],
  inPerson: ["AGENT"],
  params: tillPath.extend({ payableId: idIn }),
  body: codeAndDocument,
  answer: CounterPayable,
  message: "Cash given back",
  example: {
    as: "cashier@demo.example",
    headers: { "x-idempotency-key": "payable-1" },
    params: { tillId: "the-till", payableId: "no-such-payable" },
    body: { code: "00000-00000", document: { type: "PASSPORT", number: "A01234567" } },
    from: tillFrom,
    answers: 404,
  },
  rpc: "counter.payCounterPayable",
});

export const counterRoutes = {
  sellTransaction,
  listCounterPayables,
  issueCounterPayableCode,
  payCounterPayable,
};
