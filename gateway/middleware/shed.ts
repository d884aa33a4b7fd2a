import type { Shedding } from "../shedding.js";
import type { EdgeMiddleware } from "./state.js";

/** Turns requests away at once that could not be finished. Refuses OVERLOADED. */
export function shedOverload(shedding: Shedding): EdgeMiddleware {
  return async (_ctx, next) => {
    const ended = shedding.enter();
    try {
      await next();
    } finally {
      ended();
    }
  };
}
