import { isIP } from "node:net";
import type {
  CreateTransactionRequest,
  Fee,
  OtherFee as WireOtherFee,
  PayoutOutcome,
  Refund as WireRefund,
  Transaction as WireTransaction,
} from "../../../proto/gen/remittance/v1/remittance.js";
import { toAlpha3 } from "../../kernel/codes/countries.js";
import { assertCurrency } from "../../kernel/codes/currencies.js";
import type { WirePartial } from "../../kernel/grpc/definition.js";
import { moneyToWire, parseMoney } from "../../kernel/money.js";
import { invalidInput } from "../../kernel/refusal.js";
import type { DeliveryMethod } from "../domain/corridor.js";
import type { KeyValue } from "../domain/credit-party.js";
import { trimmedFromWire } from "../../kernel/text/wire-text.js";
import {
  assertKey,
  categoryFromWire,
  promoCodeFromWire,
  methodFromWire,
  methodToWire,
  modeFromWire,
  modeToWire,
  pairsFromWire,
} from "./fields.js";
import type { PricedFee } from "../domain/fees.js";
import type { OtherFee } from "../domain/offers.js";
import type { RequestedOutcome } from "../domain/payout.js";
import { refundedSoFar, type Refund } from "../domain/refund.js";
import { maskedParty } from "../domain/party-masking.js";
import type { ProcessingMode, Transaction, TransferInformation } from "../domain/transaction.js";

/** What somebody wants sent, with everything checked that needs no look-up. */
export interface Order {
  idempotencyKey: string;
  /** Decimal text; empty where the other one is given. */
  amount: string;
  sendAmount: string;
  /** Absent where it was not said. */
  inclusive?: boolean;
  /** Empty where the corridor of the two countries decides. */
  receivingCurrency: string;
  sendCurrency: string;
  deliveryMethod: DeliveryMethod;
  senderCustomerCode: string;
  recipientCustomerCode: string;
  creditParty: KeyValue[];
  transferInformation: TransferInformation;
  processingMode: ProcessingMode;
  descriptionText: string;
  /** JSON text. */
  dynamicFields?: string;
  eligibleDocuments?: string;
  /** All four out of dynamicFields. */
  quoteId?: string;
  promoCode?: string;
  category?: string;
  payeeCheckId?: string;
  ipAddress: string;
  password: string;
}

const plainNumber = /^(0|[1-9]\d{0,40})(\.\d{1,20})?$/;
const maxCodeLength = 128;
const maxTextLength = 1_000;
/** Of purpose and source of funds, as networks carry them; nothing is ever cut. */
const maxPurposeLength = 140;
const maxJsonLength = 16 * 1024;

/**
 * Refuses INVALID_INPUT at the path of the first fault, HEADER_REQUIRED without an idempotency key.
 */
export function orderFromWire(request: CreateTransactionRequest): Order {
  const { idempotencyKey, dynamicFields, eligibleDocuments } = request;
  assertKey(idempotencyKey);
  return {
    idempotencyKey,
    ...amountsFromWire(request),
    ...(request.inclusive !== undefined && { inclusive: request.inclusive }),
    deliveryMethod: methodFromWire(request.type, "type"),
    senderCustomerCode: trimmedFromWire(request.senderCustomerCode, "senderCustomerCode", maxCodeLength),
    recipientCustomerCode: trimmedFromWire(request.recipientCustomerCode, "recipientCustomerCode", maxCodeLength),
    creditParty: pairsFromWire(request.creditParty),
    transferInformation: informationFromWire(request.internationalTransferInformation),
    processingMode: modeFromWire(request.processingMode),
    descriptionText: trimmedFromWire(request.descriptionText, "descriptionText", maxTextLength, true),
    ...(dynamicFields !== undefined && { dynamicFields: jsonText(dynamicFields, "dynamicFields") }),
    ...optionsFromWire(dynamicFields),
    ...(eligibleDocuments.length > 0 && { eligibleDocuments: jsonText(eligibleDocuments, "eligibleDocuments") }),
    ipAddress: ipFromWire(request.ipAddress),
    password: request.password,
  };
}

export function transactionToWire(transaction: Transaction, withTimeline: boolean): WirePartial<WireTransaction> {
  const { price, compliance, dynamicFields } = transaction;
  return {
    transactionId: transaction.transactionId,
    transactionCode: transaction.transactionCode,
    status: transaction.status,
    type: methodToWire(transaction.deliveryMethod),
    sendAmount: moneyToWire(price.inclusive ? price.total : price.principal),
    receiveAmount: moneyToWire(price.receive),
    inclusive: price.inclusive,
    exchangeRate: price.rate,
    fees: price.fees.map(feeToWire),
    totalFees: moneyToWire(price.totalFees),
    totalTaxes: moneyToWire(price.totalTaxes),
    totalAmount: moneyToWire(price.total),
    sender: transaction.sender,
    recipient: transaction.recipient,
    creditParty: maskedParty(transaction.creditParty),
    internationalTransferInformation: transaction.transferInformation,
    processingMode: modeToWire(transaction.processingMode),
    descriptionText: transaction.descriptionText,
    ...(dynamicFields !== undefined && { dynamicFields: JSON.parse(dynamicFields) as Record<string, unknown> }),
    ...(compliance !== undefined && { compliance: complianceToWire(compliance) }),
    interactionId: transaction.interactionId,
    createdAt: transaction.createdAt,
    ...(transaction.expiresAt !== undefined && { expiresAt: transaction.expiresAt }),
    timeline: withTimeline
      ? transaction.timeline.map(({ status, at, actor, reason }) => ({ status, at, actor, reason }))
      : [],
    createdBy: transaction.createdBy,
    availableOn: transaction.availableOn,
    otherFees: transaction.terms.delivery.otherFees.map(otherFeeToWire),
    ...(transaction.quoteId !== undefined && { quoteId: transaction.quoteId }),
    ...refundsToWire(transaction),
    ...unclearToWire(transaction),
  };
}

function unclearToWire({ payout }: Transaction) {
  if (payout?.unclear === undefined) return {};
  const { said, since, asked } = payout.unclear;
  return { payoutUnclear: { said, since, ...(asked !== undefined && { asked: requestedOutcomeToWire(asked) }) } };
}

export function requestedOutcomeToWire(requested: RequestedOutcome): WirePartial<PayoutOutcome> {
  const { outcomeId, outcome, kept, reason, askedBy, askedAt, approvalId = "" } = requested;
  return { outcomeId, outcome, reason, askedBy, askedAt, approvalId, ...(kept && { kept: moneyToWire(kept) }) };
}

/** Why a person has to look at it is compliance's own affair. */
function complianceToWire(compliance: NonNullable<Transaction["compliance"]>) {
  return compliance.decision === "REVIEW" ? { ...compliance, reasonCode: "", message: "" } : { ...compliance };
}

function refundsToWire(transaction: Transaction) {
  const refunded = refundedSoFar(transaction);
  return {
    ...(refunded.minor > 0n && { refundedAmount: moneyToWire(refunded) }),
    ...(transaction.refunds !== undefined && { refunds: transaction.refunds.map(refundToWire) }),
  };
}

export function refundToWire({ doneAt: _doneAt, amount, ...refund }: Refund): WirePartial<WireRefund> {
  return {
    approvalId: "",
    decidedBy: "",
    refusedBecause: "",
    fromRecipient: false,
    ...refund,
    amount: moneyToWire(amount),
  };
}

export function feeToWire({ name, amount, tax, discount }: PricedFee): WirePartial<Fee> {
  return { name, amount: moneyToWire(amount), taxMinor: tax.minor, discountMinor: discount?.minor ?? 0n };
}

export function otherFeeToWire({ name, amount }: OtherFee): WirePartial<WireOtherFee> {
  return { name, amount: moneyToWire(amount) };
}

/**
 * Amounts and currencies as far as they can be checked without a look-up. Refuses INVALID_INPUT.
 */
export function amountsFromWire(
  request: Pick<CreateTransactionRequest, "amount" | "sendAmount" | "sendCurrency" | "receivingCurrency">,
) {
  const { amount, sendAmount, sendCurrency, receivingCurrency } = request;
  if (amount === "" && sendAmount === "") throw invalidInput("sendAmount", "sendAmount or amount is required");
  if (sendCurrency !== "") assertCurrency(sendCurrency, "sendCurrency");
  if (receivingCurrency !== "") assertCurrency(receivingCurrency, "receivingCurrency");
  checkAmount(sendAmount, sendCurrency, "sendAmount");
  checkAmount(amount, receivingCurrency, "amount");
  return { amount, sendAmount, sendCurrency, receivingCurrency };
}

function checkAmount(text: string, currency: string, path: string): void {
  if (text === "") return;
  if (currency !== "") parseMoney(text, currency, path);
  else if (!plainNumber.test(text)) throw invalidInput(path, "must be a plain decimal number");
}

function informationFromWire(
  information: CreateTransactionRequest["internationalTransferInformation"],
): TransferInformation {
  if (information === undefined) throw invalidInput("internationalTransferInformation", "is required");
  const at = (name: string) => `internationalTransferInformation.${name}`;
  return {
    originCountry: toAlpha3(information.originCountry, at("originCountry")),
    receivingCountry: toAlpha3(information.receivingCountry, at("receivingCountry")),
    remittancePurpose: trimmedFromWire(information.remittancePurpose, at("remittancePurpose"), maxPurposeLength, true),
    sourceOfFunds: trimmedFromWire(information.sourceOfFunds, at("sourceOfFunds"), maxPurposeLength, true),
  };
}

/** What the client's free JSON says that means something here. Refuses INVALID_INPUT. */
function optionsFromWire(
  fields: Record<string, unknown> | undefined,
): Pick<Order, "quoteId" | "promoCode" | "category" | "payeeCheckId"> {
  const at = (name: string) => `dynamicFields.${name}`;
  const member = (name: string): string => {
    const value = fields?.[name] ?? "";
    if (typeof value === "string" && value.length <= 128) return value;
    throw invalidInput(at(name), "must be a text of at most 128 characters");
  };
  const [quoteId, payeeCheckId] = [member("quoteId"), member("payeeCheckId")];
  return {
    ...(quoteId !== "" && { quoteId }),
    ...(payeeCheckId !== "" && { payeeCheckId }),
    ...promoCodeFromWire(member("promoCode"), at("promoCode")),
    ...categoryFromWire(member("chargeCategory"), at("chargeCategory")),
  };
}

function jsonText(value: unknown, path: string): string {
  const text = JSON.stringify(value);
  if (text.length > maxJsonLength) throw invalidInput(path, `must have at most ${maxJsonLength} characters as JSON`);
  return text;
}

function ipFromWire(ipAddress: string): string {
  if (ipAddress !== "" && isIP(ipAddress) === 0) throw invalidInput("ipAddress", "must be an IPv4 or IPv6 address");
  return ipAddress;
}
