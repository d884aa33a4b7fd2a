import { Refusal } from "../../services/kernel/refusal.js";
import { networkOf } from "../../services/kernel/text/client-network.js";
import type { Counted, RateLimiter } from "../rate-limits.js";
import type { EdgeContext, EdgeMiddleware } from "./state.js";

/**
 * Counts every request against its address, before anything is looked up for it. Refuses
 * RATE_LIMITED.
 */
export function limitAddress(count: RateLimiter): EdgeMiddleware {
  return async (ctx, next) => {
    note(ctx, await count("address", networkOf(ctx.state.clientIp)));
    await next();
  };
}

/** Counts a request against its tenant and, once known, its user. Refuses RATE_LIMITED. */
export async function limitCaller(ctx: EdgeContext, count: RateLimiter): Promise<void> {
  const { tenantId, user } = ctx.state;
  const counts = [count("tenant", tenantId)];
  if (user) counts.push(count("user", `${tenantId}:${user.userId}`));
  for (const counted of await Promise.all(counts)) note(ctx, counted);
}

/** The headers show the limit that is nearest to its end. */
function note(ctx: EdgeContext, counted: Counted): void {
  const { state } = ctx;
  const share = counted.remaining / counted.limit;
  if (state.limitShare === undefined || share <= state.limitShare || counted.exceeded) {
    state.limitShare = share;
    ctx.set("RateLimit-Limit", String(counted.limit));
    ctx.set("RateLimit-Remaining", String(counted.remaining));
    ctx.set("RateLimit-Reset", String(counted.resetS));
  }
  if (!counted.exceeded) return;
  const whose = { address: "from this address", user: "by this user", tenant: "of this organisation" }[counted.name];
  throw new Refusal("RATE_LIMITED", `there are too many requests ${whose}: at most ${counted.limit} a minute`, {
    retryAfterS: Math.max(1, counted.resetS),
  });
}
