import {
  BrokenCircuitError,
  CircuitState,
  circuitBreaker,
  ConsecutiveBreaker,
  handleWhen,
  type CircuitBreakerPolicy,
} from "cockatiel";
import { Refusal } from "../../kernel/refusal.js";

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
  const openUntil = new Map<string, number>();
  const unknown = handleWhen((error) => error instanceof Refusal && error.code === "UNAVAILABLE");
  function breakerOf(account: string): CircuitBreakerPolicy {
    const known = breakers.get(account);
    if (known !== undefined) return known;
    if (breakers.size >= maxAccounts) {
      breakers.clear();
      openUntil.clear();
    }
    const breaker = circuitBreaker(unknown, { halfOpenAfter: openForMs, breaker: new ConsecutiveBreaker(failures) });
    breaker.onBreak(() => openUntil.set(account, performance.now() + openForMs));
    breaker.onReset(() => openUntil.delete(account));
    breakers.set(account, breaker);
    return breaker;
  }

  const isOpen = (account: string): boolean => performance.now() < (openUntil.get(account) ?? 0);

  return {
    async through<T>(account: string, work: () => Promise<T>): Promise<T> {
      try {
        return await breakerOf(account).execute(work);
      } catch (error) {
        if (error instanceof BrokenCircuitError) {
          throw new Refusal("UNAVAILABLE", "the partner has not answered lately");
        }
        throw error;
      }
    },
    /** Whether a call would be refused at once. Not any more when the next one is to try it. */
    isOpen,
    /**
     * Whether it has opened and no call has been answered since: also
     * when the next one is to try it.
     */
    isAway: (account: string): boolean => openUntil.has(account),
    /**
     * How many calls it lets be under way: none while it is open, then one that tries, and
     * any number while it is closed.
     */
    lets(account: string): number {
      if (isOpen(account)) return 0;
      return (breakers.get(account)?.state ?? CircuitState.Closed) === CircuitState.Closed ? Infinity : 1;
    },
  };
}

export type Breakers = ReturnType<typeof createBreakers>;
