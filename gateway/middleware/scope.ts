import { randomUUID } from "node:crypto";
import type { Logger } from "../../services/shared/log.js";
import { interactionIdPattern } from "../headers.js";
import type { EdgeContext, EdgeMiddleware } from "./state.js";

const clientGone = 499;

/** Gives every request its interaction id, deadline, cancellation and one line of log. */
export function requestScope({ log, deadlineMs }: { log: Logger; deadlineMs: number }): EdgeMiddleware {
  return async (ctx, next) => {
    const sent = ctx.get("x-fapi-interaction-id");
    const gone = new AbortController();
    ctx.res.once("close", () => {
      if (!ctx.res.writableFinished) gone.abort();
    });
    const { state } = ctx;
    state.startedAt = performance.now();
    // One that is not usable is refused later; until then the request needs a name in the log.
    state.interactionId = interactionIdPattern.test(sent) ? sent : randomUUID();
    state.signal = gone.signal;
    state.deadline = new Date(Date.now() + deadlineMs);
    state.log = log.child({ interactionId: state.interactionId });
    ctx.set("x-fapi-interaction-id", state.interactionId);
    await next();
    writeAccessLine(ctx);
  };
}

function writeAccessLine(ctx: EdgeContext): void {
  const { state } = ctx;
  const status = state.signal.aborted ? clientGone : ctx.status;
  state.log.info(
    {
      tenantId: state.tenantId,
      method: ctx.method,
      // Never the query; of unknown paths nothing that could be an account number.
      path: state.route?.path ?? ctx.path.slice(0, 200).replaceAll(/\d{5,}/g, "*"),
      status,
      durationMs: Math.round((performance.now() - state.startedAt) * 10) / 10,
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
