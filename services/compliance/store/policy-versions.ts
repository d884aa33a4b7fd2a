import { isDeepStrictEqual } from "node:util";
import { createBoundedCache } from "../../shared/tokens/bounded-cache.js";
import { noCondition } from "../domain/conditions.js";
import type { Policy, PolicyContent } from "../domain/policy.js";
import { defaultRiskModel } from "../domain/risk-model.js";
import type { Session, TenantStore } from "./index.js";

const maxKept = 64;

/** A policy as an earlier version of this service wrote it, with what was added since. */
export function completePolicy(stored: Policy): Policy {
  return {
    ...stored,
    riskModel: stored.riskModel ?? defaultRiskModel,
    draftedBy: stored.draftedBy ?? stored.publishedBy,
    transactionRules: stored.transactionRules.map((rule) => ({
      ...rule,
      condition: { ...noCondition, ...rule.condition },
    })),
  };
}

/** Whether the policy says the same. */
export function hasContent(policy: PolicyContent, content: PolicyContent): boolean {
  return isDeepStrictEqual(contentOf(policy), content);
}

export function contentOf({ knowYourCustomerRules, transactionRules, dailyLimits, riskModel }: PolicyContent) {
  return { knowYourCustomerRules, transactionRules, dailyLimits, riskModel };
}

/** Published policies never change, so each is read and put together once; which one is current is asked every time. */
export function createPolicyVersions() {
  const kept = new Map<string, Policy>();
  const last = createBoundedCache<Policy>(maxKept);

  async function versionOf(
    tenantId: string,
    tenant: Pick<TenantStore, "findPolicy">,
    version: number,
    session?: Session,
  ): Promise<Policy> {
    const key = `${tenantId} ${version}`;
    const known = kept.get(key);
    if (known !== undefined) return known;
    const policy = await tenant.findPolicy(session, version);
    if (policy === undefined) throw new Error(`policy ${version} is gone`);
    if (kept.size >= maxKept) kept.delete(kept.keys().next().value as string);
    kept.set(key, policy);
    return policy;
  }

  return {
    /** The one that was current when somebody asked last, the same object that `current` gives while it is; undefined where nobody has, or there was none. */
    last: (tenantId: string): Policy | undefined => last.get(tenantId),
    async current(
      tenantId: string,
      tenant: Pick<TenantStore, "findPolicy" | "findPolicyVersion">,
      session?: Session,
    ): Promise<Policy | undefined> {
      const version = await tenant.findPolicyVersion(session);
      if (version === 0) return undefined;
      const policy = await versionOf(tenantId, tenant, version, session);
      last.set(tenantId, policy);
      return policy;
    },
  };
}

export type PolicyVersions = ReturnType<typeof createPolicyVersions>;
