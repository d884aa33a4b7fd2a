import type { ComplianceServiceDefinition } from "../../../proto/gen/compliance/v1/compliance.js";
import { outgoingUnnamed, type Client, type OutgoingContext } from "../../kernel/grpc/client.js";
import type { AskedAtClaim } from "../domain/payment-claim.js";
import type { Transaction } from "../domain/transaction.js";
import { keptFacts, knownMembersOf, profileOf, type Funding } from "../domain/transparency.js";
import type { TransparencyFactsOf } from "../sagas/transparency-facts.js";
import { factsToWire } from "../wire/compliance.js";
import type { KnownTransparencyProfiles } from "./transparency-profiles.js";

/**
 * What the transparency policy asks of a transaction as it is paid for: compliance is asked again
 * only where how it is funded matters, the policy is another than the decision's, or no profile was
 * known when the transaction was made. What it comes to in the profile's currency is told once.
 */
export async function askAtClaim(
  {
    compliance,
    profiles,
    transparencyFacts,
  }: {
    compliance: Pick<Client<ComplianceServiceDefinition>, "checkTransparency">;
    profiles: KnownTransparencyProfiles;
    transparencyFacts: TransparencyFactsOf;
  },
  transaction: Transaction,
  funding: Funding,
  call: OutgoingContext,
): Promise<AskedAtClaim> {
  const { transactionId, transferInformation, compliance: outcome, transparency: before } = transaction;
  const known = await profiles.of(call);
  const profile = profileOf(known, transferInformation);
  const isOpen =
    outcome?.asksByFunding === true || known.policyVersion !== outcome?.policyVersion || before === undefined;
  if (!isOpen || profile === undefined) return { members: [], missing: [], funding };
  const isTold = before?.profile === profile.profile && before.amount?.currency === profile.currency;
  const facts = isTold
    ? { ...before, knownMembers: knownMembersOf(transaction) }
    : await transparencyFacts(transaction, call, true);
  const request = { transactionId, funding, transparency: factsToWire(facts) };
  const asked = await compliance.checkTransparency(request, outgoingUnnamed(call));
  const kept = keptFacts(facts);
  return { members: asked.members, missing: asked.missingMembers, funding, ...(kept !== undefined && { kept }) };
}
