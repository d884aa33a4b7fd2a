import { keepPace } from "../../kernel/polling/pace.js";
import type { Logger } from "../../kernel/process/log.js";
import type { BusinessClock } from "../../platform/preferences/business-clock.js";
import { foldedAtOnce } from "../store/day-sums.js";
import type { RemittanceStore } from "../store/index.js";

export interface DaySumOptions {
  store: RemittanceStore;
  times: Pick<BusinessClock, "forTenant">;
  log: Logger;
  /** How often it is looked what the sums are behind; 1 s when absent. */
  sumsEveryMs?: number | undefined;
}

// What was changed so lately is likely to change again, and whoever does must not wait for us.
const restMs = 10_000;

/**
 * Adds to the sums of days what was changed. Any number of replicas may: of two that add the same,
 * one begins anew.
 */
export function startDaySums({ store, times, log, sumsEveryMs = 1_000 }: DaySumOptions) {
  const stopping = new AbortController();
  let running: Promise<void> | undefined;

  async function foldTenant(tenantId: string, before: Date): Promise<void> {
    const { timeZone } = await times.forTenant(tenantId);
    const tenant = store.forTenant(tenantId);
    for (let folded = foldedAtOnce; folded === foldedAtOnce && !stopping.signal.aborted;) {
      folded = await tenant.foldSums(before, timeZone);
    }
  }

  async function foldAll(before: Date): Promise<void> {
    let tenantId = await store.nextUncounted("", before);
    while (tenantId !== undefined && !stopping.signal.aborted) {
      const last = tenantId;
      await foldTenant(last, before).catch((err: unknown) => {
        log.warn({ err, tenantId: last }, "sums of days could not be made, will be tried again");
      });
      tenantId = await store.nextUncounted(last, before);
    }
  }

  /** Adds what was changed before a time, some seconds ago; joins what runs already. */
  function foldNow(before = new Date(Date.now() - restMs)): Promise<void> {
    running ??= foldAll(before).finally(() => (running = undefined));
    return running;
  }

  const poll = (): void =>
    void foldNow().catch((err: unknown) => log.warn({ err }, "cannot look for what sums of days are behind"));
  const pace = keepPace({ poll, quickMs: sumsEveryMs, slowMs: sumsEveryMs });
  return {
    foldNow,
    async stop(): Promise<void> {
      stopping.abort();
      pace.stop();
      await running?.catch(() => undefined);
    },
  };
}
