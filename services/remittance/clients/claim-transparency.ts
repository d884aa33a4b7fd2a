import type { ComplianceServiceDefinition } from "../../../proto/gen/compliance/v1/compliance.js";
import { outgoingUnnamed, type Client, type OutgoingContext } from "../../kernel/grpc/client.js";
import { Refusal } from "../../kernel/refusal.js";
import { renamed, timesAmended, type AmendedNames } from "../domain/amendment.js";
import type { AskedAtClaim } from "../domain/payment-claim.js";
import type { Transaction } from "../domain/transaction.js";
import { keptFacts, knownMembersOf, profileOf, type Funding, type LinkedSpan } from "../domain/transparency.js";
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
 * only where how it is funded matters, the policy is another than the decision's or than the one
 * its sums were made by, or names were put right since. Sums of another policy are made anew.
 */
export async function askAtClaim(
  deps: AskAtClaimDeps,
  transaction: Transaction,
  funding: Funding,
  call: OutgoingContext,
): Promise<AskedAtClaim> {
  const { compliance: outcome, transparency: before } = transaction;
  // A policy that has decided on it is published, however lately.
  const atLeast = outcome?.policyVersion ?? 0;
  const { policyVersion } = await deps.profiles.of(call, atLeast);
  const isTold = before?.policyVersion === policyVersion;
  const isOpen = outcome?.asksByFunding === true || policyVersion !== outcome?.policyVersion || !isTold;
  if (!isOpen) return { members: [], missing: [], funding };
  const span = timesAmended(transaction) > 0 ? "AROUND" : "BEFORE";
  return ask(deps, transaction, { funding, span }, call, atLeast);
}

/** What it asks of a transaction that was paid for, under other names. */
export function askAmended(
  deps: AskAtClaimDeps,
  transaction: Transaction,
  names: AmendedNames,
  call: OutgoingContext,
): Promise<AskedAtClaim> {
  const { funding = "WALLET" } = transaction.transparency ?? {};
  const { transparency: _made, ...rest } = transaction;
  return ask(deps, { ...rest, ...renamed(transaction, names) }, { funding, span: "AROUND" }, call);
}

async function ask(
  deps: AskAtClaimDeps,
  transaction: Transaction,
  { funding, span }: { funding: Funding; span: LinkedSpan },
  call: OutgoingContext,
  /** A version of the policy that there is. */
  atLeast = 0,
): Promise<AskedAtClaim> {
  const { transactionId, transferInformation, transparency: before } = transaction;
  const known = await deps.profiles.of(call, atLeast);
  if (profileOf(known, transferInformation) === undefined) return { members: [], missing: [], funding };
  // Without a rate there was no amount: there may be one by now.
  const isTold = before?.amount !== undefined && before.policyVersion === known.policyVersion;
  const facts = isTold
    ? { ...before, policyVersion: known.policyVersion, knownMembers: knownMembersOf(transaction) }
    : await deps.transparencyFacts(transaction, call, { span, atLeast });
  const request = { transactionId, funding, transparency: factsToWire(facts) };
  const asked = await deps.compliance.checkTransparency(request, outgoingUnnamed(call));
  // A policy was published since profiles were asked for.
  if (asked.isOutdated) {
    if (asked.policyVersion <= atLeast) throw new Refusal("UNAVAILABLE", "the policy is changing at this moment");
    return ask(deps, transaction, { funding, span }, call, asked.policyVersion);
  }
  const kept = keptFacts(facts);
  return { members: asked.members, missing: asked.missingMembers, funding, ...(kept !== undefined && { kept }) };
}
