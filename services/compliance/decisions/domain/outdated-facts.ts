import type { CompiledPolicy } from "./policy.js";
import type { TransactionFacts } from "./transaction.js";

/** What was told of an order was made by the profile of an older policy, or by none. */
export class OutdatedFacts extends Error {
  readonly policyVersion: number;

  constructor(policyVersion: number) {
    super(`what was told was made by an older policy than ${policyVersion}`);
    this.policyVersion = policyVersion;
  }
}

/**
 * Throws OutdatedFacts where the policy has a profile for the order and its amounts were made by an
 * older one: in another currency they would count as above.
 */
export function assertUpToDate(
  { transparency, originCountry }: Pick<TransactionFacts, "transparency" | "originCountry">,
  policy: CompiledPolicy | undefined,
): void {
  const { policyVersion } = transparency ?? {};
  if (policyVersion === undefined || policy?.transparency.has(originCountry) !== true) return;
  if (policyVersion < policy.version) throw new OutdatedFacts(policy.version);
}
