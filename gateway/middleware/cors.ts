import type { EdgeMiddleware } from "./state.js";

const allowedHeaders = [
  "Authorization",
  "Content-Type",
  "X-Auth-Token",
  "platform",
  "uuid",
  "x-idempotency-key",
  "x-fapi-auth-date",
  "x-fapi-customer-ip-address",
  "x-fapi-interaction-id",
  "ipAddress",
  "password",
  "last-event-id",
  "traceparent",
].join(", ");

const exposedHeaders = [
  "x-fapi-interaction-id",
  "Idempotency-Replayed",
  "RateLimit-Limit",
  "RateLimit-Remaining",
  "RateLimit-Reset",
  "Retry-After",
].join(", ");

const preflightSeconds = 600;

/**
 * Lets pages of the tenant's own origins call the API (Fetch standard, CORS protocol). No cookies
 * are used, so no credentials are allowed. Other origins get no header, and their browser refuses.
 */
export function allowOrigins(): EdgeMiddleware {
  return async (ctx, next) => {
    const origin = ctx.get("Origin");
    if (origin === "") return next();
    ctx.vary("Origin");
    const allowed = ctx.state.corsOrigins.includes(origin);
    if (allowed) {
      ctx.set("Access-Control-Allow-Origin", origin);
      ctx.set("Access-Control-Expose-Headers", exposedHeaders);
      // Helmet's same-origin would keep the answer from a page that may read it.
      ctx.set("Cross-Origin-Resource-Policy", "cross-origin");
    }
    if (ctx.method !== "OPTIONS" || ctx.get("Access-Control-Request-Method") === "") return next();
    if (allowed) {
      ctx.set("Access-Control-Allow-Methods", "GET, POST, PUT, DELETE");
      ctx.set("Access-Control-Allow-Headers", allowedHeaders);
      ctx.set("Access-Control-Max-Age", String(preflightSeconds));
    }
    ctx.status = 204;
  };
}
