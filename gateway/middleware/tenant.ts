import { outgoing } from "../../services/shared/grpc/client.js";
import { Refusal } from "../../services/shared/refusal.js";
import type { Clients } from "../clients.js";
import type { EdgeMiddleware } from "./state.js";

const maxHosts = 10_000;

/** Looks up the tenant of a host, remembered for ttlMs; what is not found is asked again each time. */
export function createTenantResolver(identity: Pick<Clients["identity"], "resolveHost">, ttlMs = 5_000) {
  const known = new Map<string, { tenant: Promise<string>; until: number }>();
  return async function tenantOf(host: string, interactionId: string): Promise<string> {
    const now = performance.now();
    const remembered = known.get(host);
    if (remembered && remembered.until > now) return remembered.tenant;
    // Many requests share one look-up, so no single client's cancellation may end it.
    const tenant = identity
      .resolveHost({ host }, outgoing({ tenantId: "", interactionId }, { timeoutMs: 3_000 }))
      .then((answer) => answer.tenantId);
    if (known.size >= maxHosts) known.clear();
    known.set(host, { tenant, until: now + ttlMs });
    try {
      return await tenant;
    } catch (error) {
      if (known.get(host)?.tenant === tenant) known.delete(host);
      throw error;
    }
  };
}

/** Sets the tenant of the Host header. Refuses TENANT_NOT_FOUND. */
export function resolveTenant(tenantOf: ReturnType<typeof createTenantResolver>): EdgeMiddleware {
  return async (ctx, next) => {
    const hosts = ctx.req.headersDistinct["host"] ?? [];
    const host = hosts.length === 1 ? hostName(hosts[0]!) : undefined;
    if (!host) throw new Refusal("TENANT_NOT_FOUND", "this host belongs to no tenant");
    ctx.state.tenantId = await tenantOf(host, ctx.state.interactionId).catch((error: unknown) => {
      if (error instanceof Refusal && (error.code === "NOT_FOUND" || error.code === "TENANT_NOT_FOUND")) {
        throw new Refusal("TENANT_NOT_FOUND", "this host belongs to no tenant");
      }
      throw error;
    });
    ctx.state.log = ctx.state.log.child({ tenantId: ctx.state.tenantId });
    await next();
  };
}

/** The name in a Host header: lowercase, without port and final dot; undefined where it is none. */
export function hostName(header: string): string | undefined {
  const match = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]{1,253}?)\.?(?::\d{1,5})?$/i.exec(header.trim());
  return match?.[1]?.toLowerCase();
}
