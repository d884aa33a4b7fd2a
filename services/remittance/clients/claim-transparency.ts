import type { ComplianceServiceDefinition } from "../../../proto/gen/compliance/v1/compliance.js";
import { outgoingUnnamed, type Client, type OutgoingContext } from "../../kernel/grpc/client.js";
import { Refusal } from "../../kernel/refusal.js";
import type { AskedAtClaim } from "../domain/payment-claim.js";
import type { Transaction } from "../domain/transaction.js";
import { keptFacts, knownMembersOf, profileOf, type Funding } from "../domain/transparency.js";
import type { TransparencyFactsOf } from "../sagas/transparency-facts.js";
import { factsToWire } from "../wire/compliance.js";
import type { KnownTransparencyProfiles } from "./transparency-profiles.js";

export interface AskAtClaimDeps {
  compliance: Pick<Client<ComplianceServiceDefinition>, "checkTransparency">;
  profiles: KnownTransparencyProfiles;
  transparencyFacts: TransparencyFactsOf;
}

/**
 * What the transparency policy asks of a transaction as it is paid for: compliance is asked again
 * only where how it is funded matters, the policy is another than the decision's, or no profile was
 * known when the transaction was made. What it comes to in the profile's currency is told once.
 */
export async function askAtClaim(
  deps: AskAtClaimDeps,
  transaction: Transaction,
  funding: Funding,
  call: OutgoingContext,
  /** A version of the policy that there is. */
  atLeast = 0,
): Promise<AskedAtClaim> {
  const { compliance, profiles, transparencyFacts } = deps;
  const { transactionId, transferInformation, compliance: outcome, transparency: before } = transaction;
  const known = await profiles.of(call, atLeast);
  const profile = profileOf(known, transferInformation);
  const isOpen =
    outcome?.asksByFunding === true || known.policyVersion !== outcome?.policyVersion || before === undefined;
  if (!isOpen || profile === undefined) return { members: [], missing: [], funding };
  const isTold = before?.profile === profile.profile && before.amount?.currency === profile.currency;
  const { policyVersion } = known;
  const facts = isTold
    ? { ...before, policyVersion, knownMembers: knownMembersOf(transaction) }
    : await transparencyFacts(transaction, call, { isOlder: true, atLeast });
  const request = { transactionId, funding, transparency: factsToWire(facts) };
  const asked = await compliance.checkTransparency(request, outgoingUnnamed(call));
  // A policy was published since profiles were asked for.
  if (asked.isOutdated) {
    if (asked.policyVersion <= atLeast) throw new Refusal("UNAVAILABLE", "the policy is changing at this moment");
    return askAtClaim(deps, transaction, funding, call, asked.policyVersion);
  }
  const kept = keptFacts(facts);
  return { members: asked.members, missing: asked.missingMembers, funding, ...(kept !== undefined && { kept }) };
}
