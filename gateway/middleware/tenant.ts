import { setTimeout as wait } from "node:timers/promises";
import { outgoing } from "../../services/kernel/grpc/client.js";
import { preferenceCacheMs } from "../../services/platform/preferences/preferences.js";
import { Refusal } from "../../services/kernel/refusal.js";
import { createBoundedCache } from "../../services/kernel/caching/bounded-cache.js";
import type { Clients } from "../clients.js";
import type { EdgeContext, EdgeMiddleware } from "./state.js";

const maxHosts = 10_000;
const sandboxPrefix = "/sandbox";

/** A tenant as its host names it. */
export interface HostTenant {
  tenantId: string;
  /** Empty where there is none. */
  sandboxTenantId: string;
  corsOrigins: readonly string[];
  name: string;
}

interface Known {
  tenant: Promise<HostTenant>;
  until: number;
}

/**
 * Looks up the tenant of a host, remembered for ttlMs; what is not found is asked again each time.
 * While identity is away the last answer goes on to count: a host changes hands rarely, and tokens
 * are verified all the same.
 */
export function createTenantResolver(identity: Pick<Clients["identity"], "resolveHost">, ttlMs = preferenceCacheMs) {
  const known = createBoundedCache<Known>(maxHosts);
  const lastAnswers = createBoundedCache<HostTenant>(maxHosts);

  function ask(host: string, interactionId: string): Promise<HostTenant> {
    // Many requests share one look-up, so no single client's cancellation may end it.
    return identity.resolveHost({ host }, outgoing({ tenantId: "", interactionId }, { timeoutMs: 3_000 })).then(
      ({ tenantId, sandboxTenantId, corsOrigins, name }) => {
        const tenant = { tenantId, sandboxTenantId, corsOrigins, name };
        lastAnswers.set(host, tenant);
        return tenant;
      },
      (error: unknown) => {
        const last = isUnavailable(error) ? lastAnswers.get(host) : undefined;
        if (last) return last;
        lastAnswers.delete(host);
        throw error;
      },
    );
  }

  return async function tenantOf(host: string, interactionId: string): Promise<HostTenant> {
    const now = performance.now();
    const remembered = known.get(host);
    if (remembered && remembered.until > now) return remembered.tenant;
    const tenant = ask(host, interactionId);
    known.set(host, { tenant, until: now + ttlMs });
    try {
      return await tenant;
    } catch (error) {
      if (known.get(host)?.tenant === tenant) known.delete(host);
      throw error;
    }
  };
}

function isUnavailable(error: unknown): boolean {
  return error instanceof Refusal && (error.code === "UNAVAILABLE" || error.code === "DEADLINE_EXCEEDED");
}

/**
 * A target in absolute form names the host, whatever the Host header says (RFC 9112, 3.2.2); from
 * here on it is in origin form. Refuses INVALID_INPUT where it is neither, or names more than a
 * host.
 */
export const takeAbsoluteTarget: EdgeMiddleware = async (ctx, next) => {
  const target = ctx.req.url ?? "/";
  if (!target.startsWith("/") && target !== "*") {
    const url = URL.canParse(target) ? new URL(target) : undefined;
    const isHttp = url?.protocol === "http:" || url?.protocol === "https:";
    if (url === undefined || !isHttp || url.username !== "" || url.password !== "") {
      throw new Refusal("INVALID_INPUT", "the request target is not one");
    }
    ctx.state.targetHost = url.host;
    ctx.url = `${url.pathname}${url.search}`;
  }
  await next();
};

/**
 * Takes /sandbox off the path: what comes after it is routed as without, for the tenant's sandbox.
 */
export const takeSandboxPrefix: EdgeMiddleware = async (ctx, next) => {
  ctx.state.sandbox = ctx.path.startsWith(`${sandboxPrefix}/`);
  if (ctx.state.sandbox) ctx.path = ctx.path.slice(sandboxPrefix.length);
  await next();
};

/** Sets the tenant of the Host header, or its sandbox. Refuses TENANT_NOT_FOUND. */
export function resolveTenant(tenantOf: ReturnType<typeof createTenantResolver>): EdgeMiddleware {
  return async (ctx, next) => {
    const { state } = ctx;
    const host = hostOf(ctx);
    if (!host) throw unknownHost();
    const tenant = await tenantOf(host, state.interactionId).catch((error: unknown) => {
      if (error instanceof Refusal && (error.code === "NOT_FOUND" || error.code === "TENANT_NOT_FOUND")) {
        throw unknownHost();
      }
      throw error;
    });
    state.tenantId = state.sandbox ? tenant.sandboxTenantId : tenant.tenantId;
    if (state.tenantId === "") throw new Refusal("TENANT_NOT_FOUND", "this tenant has no sandbox");
    state.corsOrigins = tenant.corsOrigins;
    await next();
  };
}

/** Two Host headers count as none, even where neither would be used. */
function hostOf({ req, state }: EdgeContext): string | undefined {
  const hosts = req.headersDistinct["host"] ?? [];
  const named = state.targetHost ?? hosts[0];
  return hosts.length <= 1 && named !== undefined ? hostName(named) : undefined;
}

/** A page without its organisation's name is of more use than one that does not come. */
const nameWaitMs = 250;

/**
 * The name of the organisation that a request's host belongs to; empty
 * where that cannot be told at once.
 */
export function organisationName(tenantOf: ReturnType<typeof createTenantResolver>) {
  return async (ctx: EdgeContext): Promise<string> => {
    const host = hostOf(ctx);
    if (!host) return "";
    const told = tenantOf(host, ctx.state.interactionId).then(
      ({ name }) => name,
      () => "",
    );
    const waiting = new AbortController();
    const tooLong = wait(nameWaitMs, "", { signal: waiting.signal }).catch(() => "");
    return Promise.race([told, tooLong]).finally(() => waiting.abort());
  };
}

function unknownHost(): Refusal {
  return new Refusal("TENANT_NOT_FOUND", "this host belongs to no tenant");
}

/** The name in a Host header: lowercase, without port and final dot; undefined where it is none. */
export function hostName(header: string): string | undefined {
  const match = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]{1,253}?)\.?(?::\d{1,5})?$/i.exec(header.trim());
  return match?.[1]?.toLowerCase();
}
