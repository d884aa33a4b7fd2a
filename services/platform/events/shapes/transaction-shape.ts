import { z } from "zod";
import * as wire from "../../../../proto/gen/remittance/v1/remittance.js";
import { shape } from "./codec.js";
import { enumOf } from "./leaf-codecs.js";
import { PayoutUnclear } from "./payout-outcome-shape.js";
import { parseMoney } from "../../../kernel/money.js";
import { decimalText, instant, shown } from "./schema.js";
import { moneyOf, moneyText } from "./wire.js";
import * as leaf from "./leaves.js";

export const deliveryMethod = enumOf(wire.DeliveryMethod);
export const processingMode = z.enum(["NONE_AGGREGATION", "REAL_TIME", "AGGREGATION"]);

export const PricedFee = shape(
  wire.Fee,
  z
    .object({
      name: shown(z.string(), "Transfer fee"),
      amount: leaf.fee,
      currency: z.string(),
      taxAmount: leaf.tax,
      discountAmount: shown(decimalText, "0.50")
        .optional()
        .meta({ description: "What a promotion took off; amount is what is left." }),
    })
    .meta({ id: "PricedFee" }),
  {
    currency: "amount.currency",
    taxAmount: { minor: "taxMinor", currency: "amount.currency" },
    discountAmount: {
      from: ({ amount, discountMinor: amountMinor }) =>
        amountMinor === 0n
          ? undefined
          : moneyText({ amountMinor, currency: moneyOf(amount, "amount").currency }, "fee"),
      to: (text, { currency }) => ({ discountMinor: parseMoney(text, currency as string).minor }),
    },
  },
);

/** Of others on the way; in the receiving currency. */
export const OtherFee = shape(
  wire.OtherFee,
  z.object({ name: leaf.otherFeeName, amount: leaf.otherFee, currency: z.string() }).meta({ id: "OtherFee" }),
  { currency: "amount.currency" },
);

const Sender = shape(
  wire.Party,
  z.object({
    customerId: leaf.customerId,
    customerCode: leaf.customerCode,
    name: leaf.name,
    country: leaf.originCountry,
  }),
);

const Recipient = shape(
  wire.Party,
  z.object({ customerCode: leaf.recipientCode, name: leaf.recipientName, country: z.string() }),
);

const TransferInformation = shape(
  wire.InternationalTransferInformation,
  z.object({
    originCountry: leaf.originCountry,
    receivingCountry: z.string(),
    remittancePurpose: shown(z.string(), "FAMILY_SUPPORT"),
    sourceOfFunds: leaf.sourceOfFunds,
  }),
);

const transactionMembers = z.object({
  id: leaf.transactionId,
  transactionCode: leaf.transactionCode,
  status: z.string().meta({
    examples: ["AWAITING_PAYMENT"],
    description:
      "docs/remittance.md says how one follows another. BLOCKED is a manager's to see, and their API token's with compliance:read.",
  }),
  type: deliveryMethod,
  sendAmount: leaf.sendAmount,
  sendCurrency: z.string(),
  amount: leaf.receiveAmount,
  receivingCurrency: leaf.receivingCurrency,
  inclussive: leaf.no,
  exchangeRate: leaf.exchangeRate,
  fees: z.array(PricedFee),
  totalFees: leaf.fee,
  totalTaxes: leaf.tax,
  totalAmount: leaf.totalAmount.meta({ description: "What the sender pays, in sendCurrency." }),
  sender: Sender,
  recipient: Recipient,
  creditParty: z.array(z.object({ key: shown(z.string(), "bankaccountno"), value: leaf.recipientAccountNumber })),
  internationalTransferInformation: TransferInformation,
  transactionProcessingMode: processingMode,
  transactionModule: z.literal("REMITTANCE"),
  descriptionText: leaf.description.optional(),
  dynamicFields: shown(z.record(z.string(), z.unknown()), { reference: "invoice-2026-0042" }).optional(),
  compliance: z.object({ decision: shown(z.string(), "APPROVED"), outstandingRequirements: z.array(leaf.requirement) }),
  quoteId: z.string().optional(),
  interactionId: leaf.interactionId,
  createdAt: instant,
  expiresAt: instant.optional().meta({ description: "Until when it can be paid; absent before it can." }),
  otherFees: z.array(OtherFee).meta({ description: "What others on the way take off what the recipient gets." }),
  availableOn: shown(z.string(), "2026-11-24").meta({
    description: "The day by which the recipient is promised to have it, in the organisation's time zone.",
  }),
});

const inSendCurrency = <Field extends string>(field: Field) => ({ field, currency: "sendAmount.currency" }) as const;

/** Where what a transaction says lies in its message, if not by the same name. */
const transactionFields = {
  id: "transactionId",
  sendCurrency: "sendAmount.currency",
  amount: "receiveAmount",
  receivingCurrency: "receiveAmount.currency",
  inclussive: "inclusive",
  totalFees: inSendCurrency("totalFees"),
  totalTaxes: inSendCurrency("totalTaxes"),
  totalAmount: inSendCurrency("totalAmount"),
  transactionProcessingMode: "processingMode",
  transactionModule: () => "REMITTANCE" as const,
  compliance: {
    from: ({ compliance }: wire.Transaction) => ({
      decision: compliance?.decision ?? "PENDING",
      outstandingRequirements: compliance?.outstandingRequirements ?? [],
    }),
    to: (compliance: wire.ComplianceOutcome) => ({ compliance }),
  },
} as const;

/**
 * A transaction as it is created and listed; its status may gain values, so clients must take
 * unknown ones.
 */
export const Transaction = shape(wire.Transaction, transactionMembers.meta({ id: "Transaction" }), transactionFields);

/** Money back on somebody's request. */
export const Refund = shape(
  wire.Refund,
  z
    .object({
      id: shown(z.string(), "0199d0c2-0000-7000-8000-00688053bfd6"),
      amount: leaf.totalAmount,
      currency: z.string(),
      status: z.string().meta({ examples: ["ASKED"], description: "ASKED, APPROVED, DONE or REFUSED." }),
      reason: leaf.reason,
      askedBy: leaf.userId,
      askedAt: instant,
      approvalId: z.string().optional(),
      decidedBy: leaf.userId.optional(),
      fromRecipient: z
        .boolean()
        .optional()
        .meta({ description: "Taken back from the wallet that it was delivered to." }),
      refusedBecause: leaf.reason.optional().meta({ description: "Why it was not done although it was approved." }),
    })
    .meta({ id: "TransactionRefund" }),
  { id: "refundId", currency: "amount.currency" },
);

const TimelineEntry = shape(
  wire.StatusChange,
  z.object({ status: shown(z.string(), "PAID"), at: instant, actor: leaf.userId, reason: leaf.reason.optional() }),
);

export const storedTransactionFields = {
  ...transactionFields,
  refundedAmount: inSendCurrency("refundedAmount"),
} as const;

/** What a read adds. */
export const StoredTransaction = shape(
  wire.Transaction,
  Transaction.extend({
    refundedAmount: decimalText.optional().meta({ description: "What went back to the sender so far." }),
    refunds: z.array(Refund).optional(),
    payoutUnclear: PayoutUnclear.optional().meta({ description: "To managers: the payout waits for a person." }),
    timeline: z.array(TimelineEntry),
  }).meta({ id: "StoredTransaction" }),
  storedTransactionFields,
);
