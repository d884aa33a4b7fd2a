import { randomUUID } from "node:crypto";
import { interactionIdPattern } from "../../services/kernel/grpc/metadata.js";
import type { Logger } from "../../services/kernel/process/log.js";
import type { Metrics } from "../../services/kernel/telemetry/metrics.js";
import { inRequestSpan } from "../../services/kernel/telemetry/tracing.js";
import { canonicalId } from "../canonical-ids.js";
import { clientAddress } from "../client-address.js";
import type { EdgeContext, EdgeMiddleware, EdgeState } from "./state.js";

const clientClosedRequest = 499;

interface ScopeDeps {
  log: Logger;
  deadlineMs: number;
  metrics: Pick<Metrics, "request">;
  trustedProxyHops: number;
}

/** Gives every request its interaction id, deadline, cancellation, span and one line of log. */
export function requestScope({ log, deadlineMs, metrics, trustedProxyHops }: ScopeDeps): EdgeMiddleware {
  return (ctx, next) =>
    inRequestSpan({ method: ctx.method, headers: ctx.headers }, async (span) => {
      const sent = ctx.get("x-fapi-interaction-id");
      const gone = new AbortController();
      ctx.res.once("close", () => {
        if (!ctx.res.writableFinished) gone.abort();
      });
      const { state } = ctx;
      state.startedAt = performance.now();
      // A bad id is refused later; until then the request needs a name in the log.
      const named = interactionIdPattern.test(sent) ? sent : randomUUID();
      state.interactionId = canonicalId(named);
      state.signal = gone.signal;
      state.deadline = new Date(Date.now() + deadlineMs);
      state.clientIp = clientAddress(ctx.req.socket.remoteAddress, ctx.get("X-Forwarded-For"), trustedProxyHops);
      state.corsOrigins = [];
      nameLog(state, log);
      // The caller gets its id back as it was sent, whatever its case.
      ctx.set("x-fapi-interaction-id", named);
      await next();
      const status = state.signal.aborted ? clientClosedRequest : ctx.status;
      const durationMs = performance.now() - state.startedAt;
      metrics.request(state.route?.path ?? "other", knownMethod(ctx.method), status, durationMs / 1_000);
      writeAccessLine(ctx, log, status, durationMs);
      if (state.route) span?.name(state.route.path);
      span?.end(status);
    });
}

/**
 * A logger bound to the request, made on first use: most requests log one line, which names them
 * itself.
 */
function nameLog(state: EdgeState, log: Logger): void {
  let named: Logger | undefined;
  Object.defineProperty(state, "log", {
    get: () => (named ??= log.child({ interactionId: state.interactionId, tenantId: state.tenantId })),
  });
}

// A label's values must be few, and clients may invent methods.
function knownMethod(method: string): string {
  return /^(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)$/.test(method) ? method : "other";
}

function writeAccessLine(ctx: EdgeContext, log: Logger, status: number, durationMs: number): void {
  const { state } = ctx;
  log.info(
    {
      interactionId: state.interactionId,
      tenantId: state.tenantId,
      method: ctx.method,
      // The log never has the query, nor anything of an unknown path that could be an account
      // number.
      path: state.route?.path ?? ctx.path.slice(0, 200).replaceAll(/\d{5,}/g, "*"),
      status,
      durationMs: Math.round(durationMs * 10) / 10,
      userId: state.user?.userId,
      role: state.user?.role,
      code: state.refused,
      replayed: state.replayed,
      platform: ctx.get("platform").slice(0, 64) || undefined,
      uuid: ctx.get("uuid").slice(0, 64) || undefined,
    },
    "request",
  );
}
