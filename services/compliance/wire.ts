import {
  CustomerStatus as WireStatus,
  Decision as WireDecision,
  RuleAction as WireAction,
  Visibility as WireVisibility,
  type CheckTransactionRequest,
  type CheckTransactionResponse,
  type Policy as WirePolicy,
  type PutPolicyRequest,
} from "../../proto/gen/compliance/v1/compliance.js";
import { toAlpha3 } from "../shared/countries.js";
import type { WirePartial } from "../shared/grpc/definition.js";
import { moneyFromWire, moneyToWire, type Money } from "../shared/money.js";
import { invalidInput } from "../shared/refusal.js";
import type { CustomerStatus, TransactionFacts } from "./decision.js";
import type { Policy, PolicyDraft } from "./policy.js";
import type { KeptDecision } from "./store.js";

/** A policy as asked for; checkPolicy looks at what is in it. */
export function draftFromWire(request: PutPolicyRequest): PolicyDraft {
  return {
    knowYourCustomerRules: request.knowYourCustomerRules.map(({ validityDays, ...rule }) => ({
      ...rule,
      ...(validityDays !== undefined && { validityDays }),
    })),
    transactionRules: request.transactionRules.map((rule) => ({
      ...rule,
      action: rule.action.replace(/^RULE_ACTION_/, ""),
      visibility: rule.visibility.replace(/^VISIBILITY_/, ""),
      condition: conditionFromWire(rule.condition),
    })),
    dailyLimits: request.dailyLimits.map((limit) => limit.amount && uncheckedMoney(limit.amount)),
  };
}

export function policyToWire(policy: Policy): WirePartial<WirePolicy> {
  return {
    ...policy,
    transactionRules: policy.transactionRules.map((rule) => ({
      ...rule,
      action: WireAction[`RULE_ACTION_${rule.action}`],
      visibility: WireVisibility[`VISIBILITY_${rule.visibility}`],
      condition: {
        ...rule.condition,
        amountAtLeast: rule.condition.amountAtLeast && moneyToWire(rule.condition.amountAtLeast),
      },
    })),
    dailyLimits: policy.dailyLimits.map((amount) => ({ amount: moneyToWire(amount) })),
  };
}

/** Refuses INVALID_INPUT for a status that is not named. */
export function statusFromWire(status: WireStatus): CustomerStatus {
  switch (status) {
    case WireStatus.CUSTOMER_STATUS_PENDING:
      return "PENDING";
    case WireStatus.CUSTOMER_STATUS_CONFIRMED:
      return "CONFIRMED";
    case WireStatus.CUSTOMER_STATUS_BLOCKED:
      return "BLOCKED";
    default:
      throw invalidInput("status", "must be PENDING, CONFIRMED or BLOCKED");
  }
}

export function statusToWire(status: CustomerStatus): WireStatus {
  return WireStatus[`CUSTOMER_STATUS_${status}`];
}

/** Refuses INVALID_INPUT naming the first fault. */
export function factsFromWire(request: CheckTransactionRequest): TransactionFacts {
  const amount = moneyFromWire(request.amount, "amount");
  if (amount.minor <= 0n) throw invalidInput("amount.amountMinor", "must be positive");
  return {
    transactionId: idFromWire(request.transactionId, "transactionId"),
    customerId: idFromWire(request.customerId, "customerId"),
    amount,
    originCountry: toAlpha3(request.originCountry, "originCountry"),
    receivingCountry: toAlpha3(request.receivingCountry, "receivingCountry"),
    receivingCurrency: request.receivingCurrency,
    remittancePurpose: request.remittancePurpose,
    sourceOfFunds: request.sourceOfFunds,
  };
}

/** Refuses INVALID_INPUT for an id that is empty or too long to be one. */
export function idFromWire(id: string, path: string): string {
  if (id === "" || id.length > 128) throw invalidInput(path, "must have 1 to 128 characters");
  return id;
}

export function decisionToWire(kept: KeptDecision): CheckTransactionResponse {
  return {
    decision: WireDecision[`DECISION_${kept.decision}`],
    reasonCode: kept.reasonCode,
    message: kept.message,
    outstandingRequirements: kept.outstandingRequirements,
    policyVersion: kept.policyVersion,
  };
}

function conditionFromWire(
  condition: PutPolicyRequest["transactionRules"][number]["condition"],
): PolicyDraft["transactionRules"][number]["condition"] {
  const { amountAtLeast, originCountries = [], receivingCountries = [] } = condition ?? {};
  return {
    ...(amountAtLeast && { amountAtLeast: uncheckedMoney(amountAtLeast) }),
    originCountries,
    receivingCountries,
  };
}

// checkPolicy reports what is wrong with it beside all other faults.
function uncheckedMoney(wire: { amountMinor: bigint; currency: string }): Money {
  return { minor: wire.amountMinor, currency: wire.currency };
}
