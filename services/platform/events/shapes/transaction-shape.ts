import { z } from "zod";
import type {
  Fee as WireFee,
  InternationalTransferInformation,
  Party,
  Refund as WireRefund,
  Transaction as WireTransaction,
} from "../../../../proto/gen/remittance/v1/remittance.js";
import { PayoutUnclear, payoutUnclearFromWire } from "./payout-outcome-shape.js";
import { decimalText, instant } from "./schema.js";
import { absentIfEmpty, enumName, filled, moneyText, timeText } from "./wire.js";

export const deliveryMethods = ["ACCOUNTPAYMENT", "MOBILE_MONEY", "CASH_PICKUP", "WALLET"] as const;
export const processingModes = ["NONE_AGGREGATION", "REAL_TIME", "AGGREGATION"] as const;

export const PricedFee = z
  .object({
    name: z.string(),
    amount: decimalText,
    currency: z.string(),
    taxAmount: decimalText,
    discountAmount: decimalText.optional().meta({ description: "What a promotion took off; amount is what is left." }),
  })
  .meta({ id: "PricedFee" });

/**
 * A transaction as it is created and listed; its status may gain values, so clients must take
 * unknown ones.
 */
export const Transaction = z
  .object({
    id: z.string(),
    transactionCode: z.string(),
    status: z.string().meta({
      examples: ["AWAITING_PAYMENT"],
      description:
        "docs/remittance.md says how one follows another. BLOCKED is a manager's to see, and their API token's with compliance:read.",
    }),
    type: z.enum(deliveryMethods),
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
    sender: z.object({ customerId: z.string(), customerCode: z.string(), name: z.string(), country: z.string() }),
    recipient: z.object({ customerCode: z.string(), name: z.string(), country: z.string() }),
    creditParty: z.array(z.object({ key: z.string(), value: z.string() })),
    internationalTransferInformation: z.object({
      originCountry: z.string(),
      receivingCountry: z.string(),
      remittancePurpose: z.string(),
      sourceOfFunds: z.string(),
    }),
    transactionProcessingMode: z.enum(processingModes),
    transactionModule: z.literal("REMITTANCE"),
    descriptionText: z.string().optional(),
    dynamicFields: z.record(z.string(), z.unknown()).optional(),
    compliance: z.object({ decision: z.string(), outstandingRequirements: z.array(z.string()) }),
    quoteId: z.string().optional(),
    interactionId: z.string(),
    createdAt: instant,
    expiresAt: instant.optional().meta({ description: "Until when it can be paid; absent before it can." }),
  })
  .meta({ id: "Transaction" });

/** Money back on somebody's request. */
export const Refund = z
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
    fromRecipient: z.boolean().optional().meta({ description: "Taken back from the wallet that it was delivered to." }),
    refusedBecause: z.string().optional().meta({ description: "Why it was not done although it was approved." }),
  })
  .meta({ id: "TransactionRefund" });

/** What a read adds. */
export const StoredTransaction = Transaction.extend({
  refundedAmount: decimalText.optional().meta({ description: "What went back to the sender so far." }),
  refunds: z.array(Refund).optional(),
  payoutUnclear: PayoutUnclear.optional().meta({ description: "To managers: the payout waits for a person." }),
  timeline: z.array(z.object({ status: z.string(), at: instant, actor: z.string(), reason: z.string().optional() })),
}).meta({ id: "StoredTransaction" });

/** The members stand in one fixed order, so that a stored answer prints the same bytes again. */
export function transactionFromWire(transaction: WireTransaction): z.output<typeof Transaction> {
  const sendAmount = filled(transaction.sendAmount, "send_amount");
  const receiveAmount = filled(transaction.receiveAmount, "receive_amount");
  const { currency } = sendAmount;
  return {
    id: transaction.transactionId,
    transactionCode: transaction.transactionCode,
    status: transaction.status,
    type: enumName(transaction.type, "DELIVERY_METHOD_") as (typeof deliveryMethods)[number],
    sendAmount: moneyText(sendAmount, "send_amount"),
    sendCurrency: currency,
    amount: moneyText(receiveAmount, "receive_amount"),
    receivingCurrency: receiveAmount.currency,
    inclussive: transaction.inclusive,
    exchangeRate: transaction.exchangeRate,
    fees: transaction.fees.map(feeFromWire),
    totalFees: moneyText(transaction.totalFees, "total_fees"),
    totalTaxes: moneyText(transaction.totalTaxes, "total_taxes"),
    totalAmount: moneyText(transaction.totalAmount, "total_amount"),
    sender: senderFromWire(filled(transaction.sender, "sender")),
    recipient: recipientFromWire(filled(transaction.recipient, "recipient")),
    creditParty: transaction.creditParty.map(({ key, value }) => ({ key, value })),
    internationalTransferInformation: transferInformationFromWire(
      filled(transaction.internationalTransferInformation, "international_transfer_information"),
    ),
    transactionProcessingMode: enumName(
      transaction.processingMode,
      "PROCESSING_MODE_",
    ) as (typeof processingModes)[number],
    transactionModule: "REMITTANCE",
    descriptionText: absentIfEmpty(transaction.descriptionText),
    dynamicFields: transaction.dynamicFields,
    compliance: {
      decision: transaction.compliance?.decision ?? "PENDING",
      outstandingRequirements: transaction.compliance?.outstandingRequirements ?? [],
    },
    quoteId: absentIfEmpty(transaction.quoteId),
    interactionId: transaction.interactionId,
    createdAt: timeText(transaction.createdAt, "created_at"),
    expiresAt: transaction.expiresAt?.toISOString(),
  };
}

function senderFromWire({ customerId, customerCode, name, country }: Party) {
  return { customerId, customerCode, name, country };
}

function recipientFromWire({ customerCode, name, country }: Party) {
  return { customerCode, name, country };
}

function transferInformationFromWire(information: InternationalTransferInformation) {
  const { originCountry, receivingCountry, remittancePurpose, sourceOfFunds } = information;
  return { originCountry, receivingCountry, remittancePurpose, sourceOfFunds };
}

export function feeFromWire({ name, amount, taxMinor, discountMinor }: WireFee): z.output<typeof PricedFee> {
  const { currency } = filled(amount, "fee.amount");
  const text = (amountMinor: bigint) => moneyText({ amountMinor, currency }, "fee");
  return {
    name,
    amount: moneyText(amount, "fee.amount"),
    currency,
    taxAmount: text(taxMinor),
    discountAmount: discountMinor === 0n ? undefined : text(discountMinor),
  };
}

export function storedFromWire(wire: WireTransaction | undefined): z.output<typeof StoredTransaction> {
  const transaction = filled(wire, "transaction");
  const timeline = transaction.timeline.map(({ status, at, actor, reason }) => ({
    status,
    at: filled(at, "timeline.at").toISOString(),
    actor,
    reason: reason || undefined,
  }));
  const { refundedAmount, refunds } = transaction;
  return {
    ...transactionFromWire(transaction),
    ...(refundedAmount && { refundedAmount: moneyText(refundedAmount, "refunded_amount") }),
    ...(refunds.length > 0 && { refunds: refunds.map(refundFromWire) }),
    ...(transaction.payoutUnclear && { payoutUnclear: payoutUnclearFromWire(transaction.payoutUnclear) }),
    timeline,
  };
}

export function refundFromWire(refund: WireRefund): z.output<typeof Refund> {
  return {
    id: refund.refundId,
    amount: moneyText(refund.amount, "refund.amount"),
    currency: filled(refund.amount, "refund.amount").currency,
    status: refund.status,
    reason: refund.reason,
    askedBy: refund.askedBy,
    askedAt: timeText(refund.askedAt, "refund.asked_at"),
    approvalId: absentIfEmpty(refund.approvalId),
    decidedBy: absentIfEmpty(refund.decidedBy),
    fromRecipient: refund.fromRecipient || undefined,
    refusedBecause: absentIfEmpty(refund.refusedBecause),
  };
}
