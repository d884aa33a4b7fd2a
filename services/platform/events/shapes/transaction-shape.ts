import { z } from "zod";
import * as wire from "../../../../proto/gen/remittance/v1/remittance.js";
import { shape } from "./codec.js";
import { enumOf } from "./leaf-codecs.js";
import { PayoutUnclear } from "./payout-outcome-shape.js";
import { parseMoney } from "../../../kernel/money.js";
import { decimalText, instant } from "./schema.js";
import { moneyOf, moneyText } from "./wire.js";

export const deliveryMethod = enumOf(wire.DeliveryMethod);
export const processingMode = z.enum(["NONE_AGGREGATION", "REAL_TIME", "AGGREGATION"]);

export const PricedFee = shape(
  wire.Fee,
  z
    .object({
      name: z.string(),
      amount: decimalText,
      currency: z.string(),
      taxAmount: decimalText,
      discountAmount: decimalText
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

const Sender = shape(
  wire.Party,
  z.object({ customerId: z.string(), customerCode: z.string(), name: z.string(), country: z.string() }),
);

const Recipient = shape(wire.Party, z.object({ customerCode: z.string(), name: z.string(), country: z.string() }));

const TransferInformation = shape(
  wire.InternationalTransferInformation,
  z.object({
    originCountry: z.string(),
    receivingCountry: z.string(),
    remittancePurpose: z.string(),
    sourceOfFunds: z.string(),
  }),
);

const transactionMembers = z.object({
  id: z.string(),
  transactionCode: z.string(),
  status: z.string().meta({
    examples: ["AWAITING_PAYMENT"],
    description:
      "docs/remittance.md says how one follows another. BLOCKED is a manager's to see, and their API token's with compliance:read.",
  }),
  type: deliveryMethod,
  sendAmount: decimalText,
  sendCurrency: z.string(),
  amount: decimalText,
  receivingCurrency: z.string(),
  inclussive: z.boolean(),
  exchangeRate: decimalText,
  fees: z.array(PricedFee),
  totalFees: decimalText,
  totalTaxes: decimalText,
  totalAmount: decimalText.meta({ description: "What the sender pays, in sendCurrency." }),
  sender: Sender,
  recipient: Recipient,
  creditParty: z.array(z.object({ key: z.string(), value: z.string() })),
  internationalTransferInformation: TransferInformation,
  transactionProcessingMode: processingMode,
  transactionModule: z.literal("REMITTANCE"),
  descriptionText: z.string().optional(),
  dynamicFields: z.record(z.string(), z.unknown()).optional(),
  compliance: z.object({ decision: z.string(), outstandingRequirements: z.array(z.string()) }),
  quoteId: z.string().optional(),
  interactionId: z.string(),
  createdAt: instant,
  expiresAt: instant.optional().meta({ description: "Until when it can be paid; absent before it can." }),
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
    from: ({ compliance = wire.ComplianceOutcome.fromPartial({ decision: "PENDING" }) }: wire.Transaction) =>
      compliance,
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
      id: z.string(),
      amount: decimalText,
      currency: z.string(),
      status: z.string().meta({ examples: ["ASKED"], description: "ASKED, APPROVED, DONE or REFUSED." }),
      reason: z.string(),
      askedBy: z.string(),
      askedAt: instant,
      approvalId: z.string().optional(),
      decidedBy: z.string().optional(),
      fromRecipient: z
        .boolean()
        .optional()
        .meta({ description: "Taken back from the wallet that it was delivered to." }),
      refusedBecause: z.string().optional().meta({ description: "Why it was not done although it was approved." }),
    })
    .meta({ id: "TransactionRefund" }),
  { id: "refundId", currency: "amount.currency" },
);

const TimelineEntry = shape(
  wire.StatusChange,
  z.object({ status: z.string(), at: instant, actor: z.string(), reason: z.string().optional() }),
);

/** What a read adds. */
export const StoredTransaction = shape(
  wire.Transaction,
  Transaction.extend({
    refundedAmount: decimalText.optional().meta({ description: "What went back to the sender so far." }),
    refunds: z.array(Refund).optional(),
    payoutUnclear: PayoutUnclear.optional().meta({ description: "To managers: the payout waits for a person." }),
    timeline: z.array(TimelineEntry),
  }).meta({ id: "StoredTransaction" }),
  { ...transactionFields, refundedAmount: inSendCurrency("refundedAmount") },
);
