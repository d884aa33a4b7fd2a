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
 * Whether the policy has a profile for the order and its amounts were made by an older one: in
 * another currency, or with others linked, they are not what it goes by.
 */
export function isOutdated(
  { transparency, originCountry }: Pick<TransactionFacts, "transparency" | "originCountry">,
  policy: CompiledPolicy | undefined,
): policy is CompiledPolicy {
  const { policyVersion } = transparency ?? {};
  if (policyVersion === undefined || policy?.transparency.has(originCountry) !== true) return false;
  return policyVersion < policy.version;
}

/** Throws OutdatedFacts where they are. */
export function assertUpToDate(
  facts: Pick<TransactionFacts, "transparency" | "originCountry">,
  policy: CompiledPolicy | undefined,
): void {
  if (isOutdated(facts, policy)) throw new OutdatedFacts(policy.version);
}
