import { compilePolicy, type CompiledPolicy } from "../domain/policy.js";
import type { Session, TenantStore } from "./index.js";

const maxCached = 64;

/**
 * Published policies never change, so each is read and compiled once; which one is current is asked
 * every time.
 */
export function createPolicyVersions() {
  const cache = new Map<string, CompiledPolicy>();

  async function versionOf(
    tenantId: string,
    tenant: Pick<TenantStore, "findPolicy">,
    version: number,
    session?: Session,
  ): Promise<CompiledPolicy> {
    const key = `${tenantId} ${version}`;
    const known = cache.get(key);
    if (known !== undefined) return known;
    const policy = await tenant.findPolicy(session, version);
    if (policy === undefined) throw new Error(`policy ${version} is gone`);
    if (cache.size >= maxCached) cache.delete(cache.keys().next().value as string);
    const compiled = compilePolicy(policy);
    cache.set(key, compiled);
    return compiled;
  }

  return {
    async current(
      tenantId: string,
      tenant: Pick<TenantStore, "findPolicy" | "findPolicyVersion">,
      session?: Session,
    ): Promise<CompiledPolicy | undefined> {
      const version = await tenant.findPolicyVersion(session);
      return version === 0 ? undefined : versionOf(tenantId, tenant, version, session);
    },
  };
}

export type PolicyVersions = ReturnType<typeof createPolicyVersions>;
