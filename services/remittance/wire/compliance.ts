import { Decision, type CheckTransactionResponse } from "../../../proto/gen/compliance/v1/compliance.js";
import type { GetTransparencyProfilesResponse } from "../../../proto/gen/compliance/v1/transparency.js";
import { moneyToWire } from "../../kernel/money.js";
import { knownParties, partiesOf } from "../domain/requested-parties.js";
import type { ComplianceOutcome } from "../domain/compliance-outcome.js";
import type { Transaction } from "../domain/transaction.js";
import type { TransparencyFacts, TransparencyProfiles } from "../domain/transparency.js";

/** What compliance is asked about a transaction. */
export function checkToWire(transaction: Transaction, facts: TransparencyFacts) {
  const { transactionId, sender, recipient, price, transferInformation, recipientWallet } = transaction;
  return {
    transactionId,
    customerId: sender.customerId,
    amount: moneyToWire(price.principal),
    receivingCurrency: price.receive.currency,
    recipientCode: recipient.customerCode,
    ...transferInformation,
    parties: partiesOf(transaction),
    transparency: factsToWire(facts),
    // Kept with the transaction from the first, so that whoever asks again asks the same.
    ...(recipientWallet !== undefined && { recipientCustomerId: recipientWallet.customerId }),
  };
}

/** Who is paid by a transaction, to be compared with lists under the names that it has here. */
export function payeesToWire({ transactionId, version, recipientDetails, ...of }: Transaction) {
  const known = knownParties(undefined, recipientDetails);
  const parties = partiesOf({ ...of, ...(known !== undefined && { parties: known }) });
  return { transactionId, version, parties: parties.filter(({ role }) => role !== "SENDER") };
}

export function factsToWire({ policyVersion, amount, linkedAmount, knownMembers, isBirthWhole }: TransparencyFacts) {
  return {
    policyVersion,
    knownMembers,
    ...(isBirthWhole && { isBirthWhole }),
    ...(amount !== undefined && { amount: moneyToWire(amount) }),
    ...(linkedAmount !== undefined && { linkedAmount: moneyToWire(linkedAmount) }),
  };
}

/** What the policy of a tenant asks, as far as remittance goes by it. */
export function profilesFromWire(response: GetTransparencyProfilesResponse): TransparencyProfiles {
  const profiles = response.profiles.map(({ profile, originCountries, currency, linkedHours, rows }) => ({
    profile,
    originCountries,
    currency,
    linkedHours,
    rows: rows.map(({ amount }) => ({ amountMinor: amount?.amountMinor ?? 0n })),
  }));
  return { policyVersion: response.policyVersion, profiles };
}

/** A decision as compliance sends it. Throws where it is none. */
export function outcomeFromWire(response: Omit<CheckTransactionResponse, "isOutdated">): ComplianceOutcome {
  const { reasonCode, message, outstandingRequirements, policyVersion, transparencyMembers, asksByFunding } = response;
  const rest = {
    reasonCode,
    message,
    outstandingRequirements,
    policyVersion,
    ...(transparencyMembers.length > 0 && { transparencyMembers }),
    ...(asksByFunding && { asksByFunding }),
  };
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
