import { Decision, type CheckTransactionResponse } from "../../../proto/gen/compliance/v1/compliance.js";
import { moneyToWire } from "../../kernel/money.js";
import { partiesOf } from "../domain/requested-parties.js";
import type { ComplianceOutcome } from "../domain/compliance-outcome.js";
import type { Transaction } from "../domain/transaction.js";

/** What compliance is asked about a transaction. */
export function checkToWire(transaction: Transaction) {
  const { transactionId, sender, recipient, price, transferInformation, recipientWallet } = transaction;
  return {
    transactionId,
    customerId: sender.customerId,
    amount: moneyToWire(price.principal),
    receivingCurrency: price.receive.currency,
    recipientCode: recipient.customerCode,
    ...transferInformation,
    parties: partiesOf(transaction),
    // Kept with the transaction from the first, so that whoever asks again asks the same.
    ...(recipientWallet !== undefined && { recipientCustomerId: recipientWallet.customerId }),
  };
}

/** A decision as compliance sends it. Throws where it is none. */
export function outcomeFromWire(response: CheckTransactionResponse): ComplianceOutcome {
  const { reasonCode, message, outstandingRequirements, policyVersion } = response;
  const rest = { reasonCode, message, outstandingRequirements, policyVersion };
  switch (response.decision) {
    case Decision.DECISION_APPROVED:
      return { decision: "APPROVED", ...rest };
    case Decision.DECISION_REJECTED:
      return { decision: "REJECTED", ...rest };
    case Decision.DECISION_REVIEW:
      return { decision: "REVIEW", ...rest };
    case Decision.DECISION_PENDING:
      return { decision: "PENDING", ...rest };
    default:
      throw new Error(`compliance decided ${response.decision}`);
  }
}
