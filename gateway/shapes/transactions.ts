import { z } from "zod";
import * as wire from "../../proto/gen/remittance/v1/remittance.js";
import {
  deliveryMethod,
  processingMode,
  OtherFee,
  PricedFee,
  Refund,
  StoredTransaction,
  storedTransactionFields,
} from "../../services/platform/events/shapes/transaction-shape.js";
import { invalidInput } from "../../services/kernel/refusal.js";
import { forms } from "../../services/platform/events/shapes/leaf-codecs.js";
import { shape } from "../codec.js";
import { freeJsonIn, freeObjectIn } from "../free-json.js";
import {
  cursorQuery,
  maybeReasonIn,
  countryIn,
  currencyCode,
  instantIn,
  maybe,
  moneyTextOrNumberIn,
  text,
  instant,
  shown,
  reasonIn,
  sizeOf,
} from "../schema.js";
import * as leaf from "../../services/platform/events/shapes/leaves.js";
import { PayoutOutcome } from "../../services/platform/events/shapes/payout-outcome-shape.js";
import { Disclosure } from "./disclosures.js";
import { NamedLedgerEntry } from "./ledger.js";
import { PayeeVerdict } from "./payee-checks.js";

/** As it is read; no event tells what a partner said of the recipient's account. */
export const ReadTransaction = shape(
  wire.Transaction,
  StoredTransaction.extend({
    payeeCheck: PayeeVerdict.optional().meta({
      description: "Absent where the recipient's account was not looked at.",
    }),
  }).meta({ id: "ReadTransaction" }),
  storedTransactionFields,
);

/** What a transfer costs is asked from one side. Refuses INVALID_INPUT without an amount. */
export function assertAmount({ amount, sendAmount }: { amount?: string | undefined; sendAmount?: string | undefined }) {
  if (amount === undefined && sendAmount === undefined) throw invalidInput("amount", "or sendAmount is required");
}

const TransferInformationIn = shape(
  wire.InternationalTransferInformation,
  z.object({
    originCountry: countryIn,
    receivingCountry: countryIn,
    remittancePurpose: maybe(text(140, 0)),
    sourceOfFunds: maybe(text(140, 0)),
  }),
);

export const CreateTransactionRequest = z
  .object({
    amount: maybe(moneyTextOrNumberIn).meta({ description: "Receiving amount." }),
    sendAmount: maybe(moneyTextOrNumberIn).meta({ description: "Sending amount; governs when both are given." }),
    inclussive: maybe(z.boolean()).meta({ description: "True when fees are inside the sending amount." }),
    receivingCurrency: maybe(currencyCode),
    sendCurrency: maybe(currencyCode),
    type: deliveryMethod,
    preExistingSenderCustomerCode: text(128),
    preExistingRecipientCustomerCode: text(128),
    creditParty: z.array(z.object({ key: text(64), value: text(256, 0) })).max(50),
    internationalTransferInformation: TransferInformationIn,
    transactionProcessingMode: maybe(processingMode),
    descriptionText: maybe(text(1000, 0)),
    transactionModule: maybe(z.enum(["REMITTANCE"])),
    dynamicFields: maybe(freeObjectIn).meta({
      description:
        "Of the tenant's own, kept with the transaction. quoteId: the quote whose price it takes. payeeCheckId: of a payee check whose warning was read, to go on all the same.",
    }),
    eligibleDocumentList: maybe(z.array(freeJsonIn).max(100)),
  })
  .meta({
    id: "CreateTransactionRequest",
    description: "amount or sendAmount is required; sendAmount governs when both are given.",
    anyOf: [{ required: ["amount"] }, { required: ["sendAmount"] }],
  });

/** Where what is asked lies in the message, if not by the same name. */
export const createTransactionFields = {
  inclussive: "inclusive",
  preExistingSenderCustomerCode: "senderCustomerCode",
  preExistingRecipientCustomerCode: "recipientCustomerCode",
  transactionProcessingMode: "processingMode",
  eligibleDocumentList: "eligibleDocuments",
  // There is one module.
  transactionModule: () => undefined,
} as const;

export const CancelTransactionRequest = z
  .object({ reason: maybeReasonIn.meta({ description: "Kept on the timeline." }) })
  .meta({ id: "CancelTransactionRequest" });

export const commaSeparatedIn = text(200);
forms.add(commaSeparatedIn, {
  codec: {
    toWire: (list: string) => list.split(",").map((one) => one.trim()),
    fromWire: (items: string[]) => items.join(","),
  },
});

export const TransactionQuery = cursorQuery.extend({
  status: commaSeparatedIn.optional().meta({ description: "One or more, separated by commas." }),
  type: deliveryMethod.optional(),
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

export const QuoteRequest = z
  .object({
    amount: maybe(moneyTextOrNumberIn).meta({ description: "Receiving amount." }),
    sendAmount: maybe(moneyTextOrNumberIn).meta({ description: "Sending amount; governs when both are given." }),
    inclussive: maybe(z.boolean()).meta({ description: "True when fees are inside the sending amount." }),
    sendCurrency: maybe(currencyCode),
    receivingCurrency: maybe(currencyCode),
    originCountry: maybe(countryIn).meta({ description: "The sender's country when absent." }),
    receivingCountry: countryIn,
    type: deliveryMethod,
    chargeCategory: maybe(text(40)).meta({ description: "STANDARD when absent." }),
    promoCode: maybe(text(32)),
    preExistingSenderCustomerCode: maybe(text(128)).meta({ description: "Whom a cashier asks for." }),
  })
  .meta({
    id: "QuoteRequest",
    description: "amount or sendAmount is required; sendAmount governs when both are given.",
    anyOf: [{ required: ["amount"] }, { required: ["sendAmount"] }],
  });

const inSendCurrency = <Field extends string>(field: Field) => ({ field, currency: "principal.currency" }) as const;

export const Quote = shape(
  wire.Quote,
  z
    .object({
      id: shown(z.string(), "0199d0c2-0000-7000-8000-000004ac4e5c").meta({
        description: "dynamicFields.quoteId of the transaction that takes this price.",
      }),
      status: z.string().meta({ examples: ["OPEN"], description: "OPEN, USED or EXPIRED." }),
      customerId: leaf.customerId.optional(),
      principalAmount: leaf.sendAmount.meta({ description: "What is exchanged, in sendCurrency." }),
      sendCurrency: z.string(),
      amount: leaf.receiveAmount.meta({ description: "What the recipient gets." }),
      receivingCurrency: leaf.receivingCurrency,
      inclussive: leaf.no,
      originCountry: leaf.originCountry,
      receivingCountry: z.string(),
      type: deliveryMethod,
      chargeCategory: leaf.chargeCategory,
      promoCode: shown(z.string(), "WELCOME").optional(),
      middleRate: leaf.exchangeRate,
      markup: z
        .object({ tenantBps: leaf.rateBps, agentBps: shown(z.int(), 0), promotionBps: shown(z.int(), 0) })
        .meta({ description: "Basis points off the middle rate; promotionBps is given back." }),
      exchangeRate: leaf.exchangeRate,
      fees: z.array(PricedFee),
      totalFees: leaf.fee,
      totalTaxes: leaf.tax,
      totalAmount: leaf.totalAmount.meta({ description: "What the sender pays, in sendCurrency." }),
      deliveryEstimateMinutes: leaf.deliveryEstimateMinutes.meta({ description: "From the payment to the recipient." }),
      deliveryDays: leaf.deliveryDays.meta({
        description: "Business days of the receiving country it is promised in.",
      }),
      otherFees: z.array(OtherFee),
      createdAt: instant,
      expiresAt: instant,
      transactionId: leaf.transactionId.optional().meta({ description: "The transaction that used it." }),
    })
    .meta({ id: "Quote" }),
  {
    id: "quoteId",
    principalAmount: "principal",
    sendCurrency: "principal.currency",
    amount: "receiveAmount",
    receivingCurrency: "receiveAmount.currency",
    inclussive: "inclusive",
    totalFees: inSendCurrency("totalFees"),
    totalTaxes: inSendCurrency("totalTaxes"),
    totalAmount: inSendCurrency("totalAmount"),
    deliveryEstimateMinutes: "deliveryMinutes",
  },
);

export const TransactionStatusChange = z
  .object({ status: z.enum(["CANCELLED", "EXPIRED"]), reason: reasonIn })
  .meta({ id: "TransactionStatusChange" });

export const RefundRequest = z
  .object({
    amount: maybe(moneyTextOrNumberIn).meta({
      description: "In the sending currency; all that is left when absent.",
    }),
    reason: reasonIn,
    fromRecipient: maybe(z.boolean()).meta({
      description:
        "WALLET only: all of it is taken back from the recipient's wallet, where it is still there, and the sender gets all that was paid.",
    }),
  })
  .meta({ id: "RefundRequest" });

export const RequestedRefund = z
  .object({ refund: Refund, approvalStatus: shown(z.string(), "PENDING") })
  .meta({ id: "RequestedRefund" });

export const PayoutOutcomeRequest = z
  .object({
    outcome: z.enum(["PAID", "REFUSED", "RETURNED"]),
    kept: maybe(moneyTextOrNumberIn).meta({
      description:
        "With RETURNED: what a bank kept, in the receiving currency, at most what was paid out; nothing when absent.",
    }),
    reason: reasonIn,
  })
  .meta({ id: "PayoutOutcomeRequest" });

export const AskedPayoutOutcome = z
  .object({ outcome: PayoutOutcome, approvalStatus: shown(z.string(), "PENDING") })
  .meta({ id: "AskedPayoutOutcome" });

export const Receipt = shape(
  wire.GetReceiptResponse,
  z
    .object({
      organisation: shown(z.string(), "Manilla Demo"),
      paidAt: instant,
      transaction: StoredTransaction,
      disclosure: Disclosure,
    })
    .meta({ id: "Receipt" }),
);

export const entriesQuery = cursorQuery.extend({
  size: sizeOf(100).meta({
    description: "Transfers that are looked for, 1 to 100; 100 when absent. A transfer has two entries.",
  }),
});

export const TransactionEntries = z.object({
  entries: z.array(NamedLedgerEntry).meta({
    description: "Of a page, in the journal's order. Requested refunds come last; cashiers see what they caused.",
  }),
  nextCursor: leaf.nextCursor.optional(),
});
