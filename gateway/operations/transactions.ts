import { z } from "zod";
import type { ProcessingMode } from "../../proto/gen/remittance/v1/remittance.js";
import { outgoing } from "../../services/kernel/grpc/client.js";
import { invalidInput } from "../../services/kernel/refusal.js";
import { freeJsonToWire } from "../free-json.js";
import { route } from "../route.js";
import { countryIn, currencyCode, maybe, moneyTextOrNumberIn, text } from "../schema.js";
import { filled } from "../wire.js";
import { transactionAnswer } from "./contract-answers.js";
import { everyRole, v6 } from "./base.js";
import {
  deliveryMethods,
  processingModes,
  storedFromWire,
  StoredTransaction,
  Transaction,
  transactionFromWire,
} from "../../services/platform/events/shapes/transaction-shape.js";
import { maybeReasonIn } from "./cursor-pages.js";

const transactionsBase = `${v6}/transactionmanagement`;
const transactionPath = z.object({ transactionId: z.string().regex(/^[\w.:-]{1,128}$/, "is not an id") });

const CreateTransactionRequest = z
  .object({
    amount: maybe(moneyTextOrNumberIn).meta({ description: "Receiving amount." }),
    sendAmount: maybe(moneyTextOrNumberIn).meta({ description: "Sending amount; governs when both are given." }),
    inclussive: maybe(z.boolean()).meta({ description: "True when fees are inside the sending amount." }),
    receivingCurrency: maybe(currencyCode),
    sendCurrency: maybe(currencyCode),
    type: z.enum(deliveryMethods),
    preExistingSenderCustomerCode: text(128),
    preExistingRecipientCustomerCode: text(128),
    creditParty: z.array(z.object({ key: text(64), value: text(256, 0) })).max(50),
    internationalTransferInformation: z.object({
      originCountry: countryIn,
      receivingCountry: countryIn,
      remittancePurpose: maybe(text(256, 0)),
      sourceOfFunds: maybe(text(256, 0)),
    }),
    transactionProcessingMode: maybe(z.enum(processingModes)),
    descriptionText: maybe(text(1000, 0)),
    transactionModule: maybe(z.enum(["REMITTANCE"])),
    dynamicFields: maybe(z.record(z.string(), z.unknown())).meta({
      description: "Of the tenant's own, kept with the transaction. quoteId: the quote whose price it takes.",
    }),
    eligibleDocumentList: maybe(z.array(z.unknown()).max(100)),
  })
  .meta({
    id: "CreateTransactionRequest",
    description: "amount or sendAmount is required; sendAmount governs when both are given.",
    anyOf: [{ required: ["amount"] }, { required: ["sendAmount"] }],
  });

/** §4.16 */
export const createTransaction = route({
  method: "post",
  path: `${transactionsBase}/create-transaction`,
  operationId: "createTransaction",
  contract: true,
  tag: "Transactions",
  summary: "Price and store a transaction that then waits for its payment",
  access: ["CASHIER", "CUSTOMER"],
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
    answer: transactionAnswer,
  },
  renames: {
    inclusive: "inclussive",
    idempotencyKey: "headers.x-idempotency-key",
    ipAddress: "headers.ipAddress",
    senderCustomerCode: "preExistingSenderCustomerCode",
    recipientCustomerCode: "preExistingRecipientCustomerCode",
    processingMode: "transactionProcessingMode",
    eligibleDocuments: "eligibleDocumentList",
  },
  run: async ({ body, headers, call, clients }) => {
    const request = requestToWire(body);
    const secrets = { ipAddress: headers.ipAddress ?? "", password: headers.password ?? "" };
    const { transaction } = await clients.remittance.createTransaction(
      { ...request, ...secrets, idempotencyKey: headers["x-idempotency-key"] ?? "" },
      outgoing(call, { onReplayed: call.markReplayed }),
    );
    return transactionFromWire(filled(transaction, "transaction"));
  },
});

/** Ours: one transaction with its timeline. Customers see their own, cashiers what they created. */
export const readTransaction = route({
  method: "get",
  path: `${transactionsBase}/transactions/:transactionId`,
  operationId: "readTransaction",
  tag: "Transactions",
  summary: "Read a transaction with its timeline",
  access: everyRole,
  scopes: ["transactions:read", "transactions:read:own"],
  params: transactionPath,
  answer: StoredTransaction,
  message: "Transaction",
  example: {
    as: "amina@demo.example",
    params: { transactionId: "the-id-of-a-transaction" },
    from: { "params.transactionId": "createTransaction data.id" },
  },
  run: async ({ params, call, clients }) => {
    const answer = await clients.remittance.getTransaction({ transactionId: params.transactionId }, outgoing(call));
    return storedFromWire(answer.transaction);
  },
});

const CancelTransactionRequest = z
  .object({ reason: maybeReasonIn.meta({ description: "Kept on the timeline." }) })
  .meta({ id: "CancelTransactionRequest" });

/**
 * Ours: CANCELLED where nothing was paid yet; CANCELLING up to 30 minutes after the payment, until
 * the payout partner has decided between REFUNDED and COMPLETED.
 */
export const cancelTransaction = route({
  method: "post",
  path: `${transactionsBase}/transactions/:transactionId/cancel`,
  operationId: "cancelTransaction",
  tag: "Transactions",
  summary: "Cancel a transaction that is not paid for, or recall its payout within 30 minutes after the payment",
  access: ["CASHIER", "CUSTOMER"],
  scopes: ["transactions:cancel"],
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
  },
  renames: { idempotencyKey: "headers.x-idempotency-key", transactionId: "path.transactionId" },
  run: async ({ params, body, headers, call, clients }) => {
    const { transaction } = await clients.remittance.cancelTransaction(
      {
        transactionId: params.transactionId,
        reason: body.reason ?? "",
        idempotencyKey: headers["x-idempotency-key"] ?? "",
      },
      outgoing(call, { onReplayed: call.markReplayed }),
    );
    return storedFromWire(transaction);
  },
});

function requestToWire(body: z.output<typeof CreateTransactionRequest>) {
  if (body.amount === undefined && body.sendAmount === undefined) {
    throw invalidInput("amount", "or sendAmount is required");
  }
  const {
    originCountry,
    receivingCountry,
    remittancePurpose = "",
    sourceOfFunds = "",
  } = body.internationalTransferInformation;
  const mode = body.transactionProcessingMode;
  const processingMode: ProcessingMode = mode ? `PROCESSING_MODE_${mode}` : "PROCESSING_MODE_UNSPECIFIED";
  return {
    amount: body.amount ?? "",
    sendAmount: body.sendAmount ?? "",
    inclusive: body.inclussive ?? undefined,
    receivingCurrency: body.receivingCurrency ?? "",
    sendCurrency: body.sendCurrency ?? "",
    type: `DELIVERY_METHOD_${body.type}` as const,
    senderCustomerCode: body.preExistingSenderCustomerCode,
    recipientCustomerCode: body.preExistingRecipientCustomerCode,
    creditParty: body.creditParty,
    internationalTransferInformation: { originCountry, receivingCountry, remittancePurpose, sourceOfFunds },
    processingMode,
    descriptionText: body.descriptionText ?? "",
    dynamicFields:
      body.dynamicFields && (freeJsonToWire(body.dynamicFields, "dynamicFields") as Record<string, unknown>),
    eligibleDocuments: (body.eligibleDocumentList ?? []).map((item, index) =>
      freeJsonToWire(item, `eligibleDocumentList.${index}`),
    ),
  };
}
