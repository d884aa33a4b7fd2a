import { compilePolicy, type CompiledPolicy } from "../domain/policy.js";
import type { Session, TenantStore } from "./index.js";

const maxKept = 64;

/**
 * Published policies never change, so each is read and compiled once; which one is current is asked
 * every time.
 */
export function createPolicyVersions() {
  const kept = new Map<string, CompiledPolicy>();

  async function versionOf(
    tenantId: string,
    tenant: Pick<TenantStore, "findPolicy">,
    version: number,
    session?: Session,
  ): Promise<CompiledPolicy> {
    const key = `${tenantId} ${version}`;
    const known = kept.get(key);
    if (known !== undefined) return known;
    const policy = await tenant.findPolicy(session, version);
    if (policy === undefined) throw new Error(`policy ${version} is gone`);
    if (kept.size >= maxKept) kept.delete(kept.keys().next().value as string);
    const compiled = compilePolicy(policy);
    kept.set(key, compiled);
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
