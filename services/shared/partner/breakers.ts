import {
  BrokenCircuitError,
  circuitBreaker,
  CircuitState,
  ConsecutiveBreaker,
  handleWhen,
  type CircuitBreakerPolicy,
} from "cockatiel";
import { Refusal } from "../refusal.js";

const maxAccounts = 10_000;

export interface BreakerOptions {
  /** Failures in a row that open it. */
  failures?: number;
  /** How long it then lets nothing through, ms. */
  openForMs?: number;
}

/**
 * One circuit breaker per account at the partner, since one that hangs says nothing of the others.
 * Only an unknown outcome counts as a failure. While it is open calls are refused UNAVAILABLE at
 * once, which postpones what was asked and never fails it.
 */
export function createBreakers({ failures = 5, openForMs = 3_000 }: BreakerOptions = {}) {
  const breakers = new Map<string, CircuitBreakerPolicy>();
  const unknown = handleWhen((error) => error instanceof Refusal && error.code === "UNAVAILABLE");
  async function through<T>(account: string, work: () => Promise<T>): Promise<T> {
    let breaker = breakers.get(account);
    if (breaker === undefined) {
      if (breakers.size >= maxAccounts) breakers.clear();
      breaker = circuitBreaker(unknown, { halfOpenAfter: openForMs, breaker: new ConsecutiveBreaker(failures) });
      breakers.set(account, breaker);
    }
    try {
      return await breaker.execute(work);
    } catch (error) {
      if (error instanceof BrokenCircuitError) throw new Refusal("UNAVAILABLE", "the partner has not answered lately");
      throw error;
    }
  }
  return Object.assign(through, {
    /** Whether it has let nothing through lately. */
    isOpen: (account: string): boolean => breakers.get(account)?.state === CircuitState.Open,
  });
}
