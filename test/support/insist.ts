import { setTimeout as sleep } from "node:timers/promises";
import { Refusal } from "../../services/kernel/refusal.js";
import { waitFor } from "./index.js";

/** Codes of answers that say: not done yet, ask again with the same key. */
export const askAgain: readonly string[] = ["DEADLINE_EXCEEDED", "UNAVAILABLE", "IDEMPOTENCY_IN_FLIGHT", "OVERLOADED"];

/** As a caller that asks again with the same keys while a busy machine has not answered. */
export async function insist<T>(ask: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof Refusal) || !askAgain.includes(error.code) || attempt === 100) throw error;
      await sleep(200);
    }
  }
}

/**
 * As a caller that has lost its answer: the same request until it is answered, through the deaths
 * of the service. `passing` are the refusals that are asked again.
 */
export function createInsistence({ passing, timeoutMs }: { passing: readonly string[]; timeoutMs: number }) {
  return <T extends object>(ask: () => Promise<T>): Promise<T> =>
    waitFor(
      () =>
        ask().catch(async (error: unknown) => {
          if (error instanceof Refusal && !passing.includes(error.code)) throw error;
          await sleep(100);
          return undefined;
        }),
      { timeoutMs, what: "an answer" },
    );
}
