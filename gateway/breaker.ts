import {
  BrokenCircuitError,
  CircuitState,
  circuitBreaker,
  ConsecutiveBreaker,
  ExponentialBackoff,
  handleWhen,
  type CircuitBreakerPolicy,
} from "cockatiel";
import { isWorthRetrying } from "../services/shared/grpc/client-failure.js";
import { Refusal } from "../services/shared/refusal.js";
import type { Metrics } from "../services/shared/telemetry/metrics.js";

const failuresToOpen = 5;
const firstPauseMs = 500;
const maxPauseMs = 5_000;

type Rpc = (request: never, options: never) => Promise<unknown>;

/**
 * A client whose calls are refused at once (UNAVAILABLE) while the service is known to be away.
 * Five calls in a row that could not reach it open the breaker for all its rpcs; five that ran into
 * their deadline, for that rpc alone, since another may still answer. After 0.5 s, later up to 5 s,
 * one call tries again.
 */
export function withBreaker<C extends object>(neighbour: string, client: C, metrics: Pick<Metrics, "breakerState">): C {
  const reach = breaker((error) => isWorthRetrying(error));
  reach.onStateChange((state) => metrics.breakerState.set({ neighbour }, state === CircuitState.Open ? 1 : 0));
  metrics.breakerState.set({ neighbour }, 0);
  const guarded: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(client) as [string, Rpc][]) {
    guarded[name] = name === "close" ? member : guard(member, reach);
  }
  return guarded as C;
}

function guard(rpc: Rpc, reach: CircuitBreakerPolicy): Rpc {
  const answer = breaker((error) => error instanceof Refusal && error.code === "DEADLINE_EXCEEDED");
  return async (request, options) => {
    try {
      return await reach.execute(() => answer.execute(() => rpc(request, options)));
    } catch (error) {
      if (error instanceof BrokenCircuitError) {
        throw new Refusal("UNAVAILABLE", "the service was found away a moment ago", { retryAfterS: 1 });
      }
      throw error;
    }
  };
}

function breaker(isFailure: (error: unknown) => boolean): CircuitBreakerPolicy {
  return circuitBreaker(handleWhen(isFailure), {
    breaker: new ConsecutiveBreaker(failuresToOpen),
    halfOpenAfter: new ExponentialBackoff({ initialDelay: firstPauseMs, maxDelay: maxPauseMs }),
  });
}
