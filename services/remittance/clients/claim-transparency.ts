import type { ComplianceServiceDefinition } from "../../../proto/gen/compliance/v1/compliance.js";
import { outgoingUnnamed, type Client, type OutgoingContext } from "../../kernel/grpc/client.js";
import type { AskedAtClaim } from "../domain/payment-claim.js";
import type { Transaction } from "../domain/transaction.js";
import { profileOf, type Funding } from "../domain/transparency.js";
import type { KnownTransparencyProfiles } from "./transparency-profiles.js";

/**
 * What the transparency policy asks of a transaction as it is paid for: compliance is asked again
 * only where how it is funded matters, or the policy is another than the decision's.
 */
export async function askAtClaim(
  {
    compliance,
    profiles,
  }: {
    compliance: Pick<Client<ComplianceServiceDefinition>, "checkTransparency">;
    profiles: KnownTransparencyProfiles;
  },
  { transactionId, transferInformation, compliance: outcome }: Transaction,
  funding: Funding,
  call: OutgoingContext,
): Promise<AskedAtClaim> {
  const known = await profiles.of(call);
  const isOpen = outcome?.asksByFunding === true || known.policyVersion !== outcome?.policyVersion;
  if (!isOpen || profileOf(known, transferInformation) === undefined) return { members: [], missing: [], funding };
  const asked = await compliance.checkTransparency({ transactionId, funding }, outgoingUnnamed(call));
  return { members: asked.members, missing: asked.missingMembers, funding };
}
