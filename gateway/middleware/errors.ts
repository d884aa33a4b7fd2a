import { Refusal } from "../../services/kernel/refusal.js";
import { failureOf, isCallersFault } from "../failure.js";
import type { EdgeMiddleware } from "./state.js";

/**
 * Answers everything thrown below it: refusals by the table, bugs as an opaque 500 with the cause
 * in the log.
 */
export function answerFailures(): EdgeMiddleware {
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      const { state } = ctx;
      const refusal = isCallersFault(error) ? error : new Refusal("INTERNAL", "bug");
      // A client that disconnects cancels its own calls, and no one reads this answer.
      if (refusal !== error && !state.signal.aborted) state.log.error({ err: error }, "request failed");
      const failure = failureOf(refusal, state.user?.role, ctx.method === "GET" || ctx.method === "HEAD");
      state.refused = refusal.code;
      ctx.status = failure.status;
      ctx.set(failure.headers);
      ctx.type = "application/json; charset=utf-8";
      ctx.body = failure.body;
    }
  };
}
