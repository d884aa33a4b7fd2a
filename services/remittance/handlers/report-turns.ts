import { Refusal } from "../../kernel/refusal.js";

// Each holds what it reads: more of them at a time would only be later together.
const maxAtOnce = 4;

/** Makes one of few reports; refuses OVERLOADED while others are made. */
export type OneOfFew = <T>(make: () => Promise<T>) => Promise<T>;

export function createReportTurns(): OneOfFew {
  let running = 0;
  return async (make) => {
    if (running >= maxAtOnce) throw new Refusal("OVERLOADED", "other reports are being made", { retryAfterS: 2 });
    running += 1;
    try {
      return await make();
    } finally {
      running -= 1;
    }
  };
}
