import {
  Decision as WireDecision,
  MoveKind,
  type CheckCashRequest,
  type CheckCustomerActionRequest,
  type CheckTransactionRequest,
  type CheckTransactionResponse,
  type CheckWalletPaymentRequest,
  type Review,
} from "../../../../proto/gen/compliance/v1/compliance.js";
import { toAlpha3 } from "../../../kernel/codes/countries.js";
import type { WirePartial } from "../../../kernel/grpc/definition.js";
import { moneyFromWire, moneyToWire, type Money } from "../../../kernel/money.js";
import { invalidInput } from "../../../kernel/refusal.js";
import { idFromWire } from "../../../kernel/text/wire-text.js";
import { cashOperations, customerActions } from "../domain/conditions.js";
import type { Person } from "../domain/customer.js";
import type { DecisionKind } from "../domain/decision.js";
import type { OutdatedFacts } from "../domain/outdated-facts.js";
import type { RecordedDecision } from "../domain/recorded-decision.js";
import type { TransactionFacts } from "../domain/transaction.js";
import { moveFromWire } from "./moves.js";
import { transparencyFromWire } from "./transparency.js";

/** Refuses INVALID_INPUT naming the first fault. */
export function factsFromWire(
  request: Omit<CheckTransactionRequest, "transactionId" | "recipientCustomerId">,
  id: string,
): TransactionFacts {
  const transparency = transparencyFromWire(request.transparency);
  return {
    transactionId: id,
    customerId: idFromWire(request.customerId, "customerId"),
    amount: positiveFromWire(request.amount),
    originCountry: toAlpha3(request.originCountry, "originCountry"),
    receivingCountry: toAlpha3(request.receivingCountry, "receivingCountry"),
    receivingCurrency: request.receivingCurrency,
    remittancePurpose: request.remittancePurpose,
    sourceOfFunds: request.sourceOfFunds,
    operation: "REMITTANCE",
    recipient: shortText(request.recipientCode, "recipientCode"),
    ...(transparency !== undefined && { transparency }),
  };
}

/** A payment between two customers, with the countries that they have. */
export function paymentFacts(
  request: CheckWalletPaymentRequest,
  payerCountry: string,
  payeeCountry: string,
): TransactionFacts {
  const amount = positiveFromWire(request.amount);
  return {
    transactionId: idFromWire(request.paymentId, "paymentId"),
    customerId: request.customerId,
    amount,
    originCountry: payerCountry,
    receivingCountry: payeeCountry,
    receivingCurrency: amount.currency,
    remittancePurpose: "",
    sourceOfFunds: "WALLET",
    operation: "WALLET_PAYMENT",
    recipient: request.payeeCustomerId,
    ...(request.kind !== MoveKind.MOVE_KIND_UNSPECIFIED && { move: moveFromWire(request.kind, "kind") }),
  };
}

/** Cash at a desk. */
export function cashFacts(request: CheckCashRequest, { customerId, country }: Person): TransactionFacts {
  const amount = positiveFromWire(request.amount);
  const operation = cashOperations.find((one) => one === request.kind);
  if (operation === undefined) throw invalidInput("kind", `must be one of ${cashOperations.join(", ")}`);
  const base = request.baseAmount && moneyFromWire(request.baseAmount, "baseAmount");
  return {
    transactionId: idFromWire(request.cashId, "cashId"),
    customerId,
    amount,
    originCountry: country,
    receivingCountry: country,
    receivingCurrency: amount.currency,
    remittancePurpose: "",
    sourceOfFunds: "CASH",
    operation,
    recipient: "",
    cash: base === undefined ? {} : { base },
  };
}

/** Something that a customer asks for and that moves no money yet. */
export function actionFacts(request: CheckCustomerActionRequest, { customerId, country }: Person): TransactionFacts {
  const amount = positiveFromWire(request.amount);
  const operation = customerActions.find((one) => one === request.kind);
  if (operation === undefined) throw invalidInput("kind", `must be one of ${customerActions.join(", ")}`);
  return {
    transactionId: idFromWire(request.actionId, "actionId"),
    customerId,
    amount,
    originCountry: country,
    receivingCountry: country,
    receivingCurrency: amount.currency,
    remittancePurpose: "",
    sourceOfFunds: "",
    operation,
    recipient: "",
  };
}

export function positiveFromWire(wire: { amountMinor: bigint; currency: string } | undefined): Money {
  const amount = moneyFromWire(wire, "amount");
  if (amount.minor <= 0n) throw invalidInput("amount.amountMinor", "must be positive");
  return amount;
}

export function decisionToWire(recorded: RecordedDecision): CheckTransactionResponse {
  return {
    decision: kindToWire(recorded.decision),
    reasonCode: recorded.reasonCode,
    message: recorded.message,
    outstandingRequirements: recorded.outstandingRequirements,
    policyVersion: recorded.policyVersion,
    transparencyMembers: recorded.transparency?.members ?? [],
    asksByFunding: recorded.transparency?.asksByFunding ?? false,
    isOutdated: false,
  };
}

/** Nothing is decided: what was told was made by an older policy. */
export function outdatedToWire({ policyVersion }: OutdatedFacts): WirePartial<CheckTransactionResponse> {
  return { isOutdated: true, policyVersion };
}

export function kindToWire(kind: DecisionKind): WireDecision {
  return WireDecision[`DECISION_${kind}`];
}

export function reviewToWire(recorded: RecordedDecision): WirePartial<Review> {
  const { transactionId, decision, matchedRules, outstandingRequirements, policyVersion, decidedAt, inputs } = recorded;
  const { customerId, amount, originCountry, receivingCountry, operation } = inputs.facts;
  return {
    transactionId,
    customerId,
    amount: moneyToWire(amount),
    originCountry,
    receivingCountry,
    decision: kindToWire(decision),
    matchedRules,
    outstandingRequirements,
    policyVersion,
    decidedAt,
    operation,
  };
}

function shortText(text: string, path: string): string {
  if (text.length > 128) throw invalidInput(path, "must have at most 128 characters");
  return text;
}
