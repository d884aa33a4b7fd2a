import {
  BrokenCircuitError,
  CircuitState,
  circuitBreaker,
  ConsecutiveBreaker,
  ExponentialBackoff,
  handleWhen,
  type CircuitBreakerPolicy,
} from "cockatiel";
import { isWorthRetrying } from "../services/kernel/grpc/client-failure.js";
import { Refusal } from "../services/kernel/refusal.js";
import type { Metrics } from "../services/kernel/telemetry/metrics.js";

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
  return (request, options) =>
    throughBreaker(
      reach,
      () => new Refusal("UNAVAILABLE", "the service was found away a moment ago", onceMore),
      () =>
        throughBreaker(
          answer,
          () => new FoundHanging(),
          () => rpc(request, options),
        ),
    );
}

const onceMore = { retryAfterS: 1 };

/** Calls of this rpc ran into their deadline a moment ago: the next one most likely would too. */
class FoundHanging extends Refusal {
  constructor() {
    super("UNAVAILABLE", "the service was found away a moment ago", onceMore);
  }
}

export const isFoundHanging = (error: unknown): boolean => error instanceof FoundHanging;

async function throughBreaker(
  policy: CircuitBreakerPolicy,
  refusal: () => Refusal,
  work: () => Promise<unknown>,
): Promise<unknown> {
  try {
    return await policy.execute(work);
  } catch (error) {
    throw error instanceof BrokenCircuitError ? refusal() : error;
  }
}

function breaker(isFailure: (error: unknown) => boolean): CircuitBreakerPolicy {
  return circuitBreaker(handleWhen(isFailure), {
    breaker: new ConsecutiveBreaker(failuresToOpen),
    halfOpenAfter: new ExponentialBackoff({ initialDelay: firstPauseMs, maxDelay: maxPauseMs }),
  });
}
