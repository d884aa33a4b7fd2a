import { randomUUID } from "node:crypto";
import type { MiddleRate, PositionServiceDefinition } from "../../../proto/gen/ledger/v1/positions.js";
import { outgoing, type Client } from "../../kernel/grpc/client.js";
import type { WirePartial } from "../../kernel/grpc/definition.js";
import type { Logger } from "../../kernel/process/log.js";
import { crashPoint } from "../../kernel/process/crash-point.js";
import { keepPace } from "../../kernel/polling/pace.js";
import { workOff, type Due } from "../../kernel/polling/work-off.js";
import type { Clock } from "../../kernel/time/clock.js";
import type { BusinessClock } from "../../platform/preferences/business-clock.js";
import { isSandbox } from "../../platform/sandbox/sandbox.js";
import { daysToTell, endOfDay, type RateTelling } from "../domain/rate-telling.js";
import type { RemittanceStore } from "../store/index.js";

export interface MiddleRateOptions {
  store: Pick<RemittanceStore, "takeRateTelling" | "forTenant">;
  positions: Pick<Client<PositionServiceDefinition>, "recordMiddleRates">;
  /** Days, and when rates hold. */
  times: Pick<BusinessClock, "forTenant">;
  clock: Clock;
  log: Logger;
  /** How often it is looked whose are to be told, ms. */
  pollMs?: number | undefined;
}

// Longer than a year of days takes: nobody else is at it meanwhile.
const leaseMs = 300_000;
const restMs = 300_000;
// A sandbox's clock may be moved at any time, and its days closed then.
const sandboxRestMs = 15_000;
const againMs = 10_000;
const tenantsAtOnce = 4;
const ratesAtOnce = 500;

/**
 * Tells the ledger which middle rates hold: today so far, and at the end of each business day, also
 * where none changed. How far that is, is kept once the ledger has them, so whoever was killed is
 * gone on with; the ledger keeps what it is told twice once.
 */
export function startMiddleRates({ store, positions, times, clock, log, pollMs = 5_000 }: MiddleRateOptions) {
  const stopping = new AbortController();
  let running: Promise<void> | undefined;

  async function tell(telling: RateTelling): Promise<void> {
    const { tenantId, pairs } = telling;
    const interactionId = `middle-rates:${randomUUID()}`;
    const time = await times.forTenant(tenantId, interactionId);
    const { timeZone } = time;
    const today = time.today();
    const send = async (rates: readonly WirePartial<MiddleRate>[]) => {
      for (let at = 0; at < rates.length; at += ratesAtOnce) {
        const some = { rates: rates.slice(at, at + ratesAtOnce) };
        await positions.recordMiddleRates(some, outgoing({ tenantId, interactionId }));
      }
    };
    for (const day of daysToTell(telling, today, timeZone)) {
      stopping.signal.throwIfAborted();
      const lastMoment = new Date(endOfDay(day, timeZone).getTime() - 1);
      await send(await ratesAt(tenantId, pairs, lastMoment, { day: day.toString(), isDayEnd: true }));
      crashPoint("remittance.middle-rates.day-told");
    }
    await send(await ratesAt(tenantId, pairs, time.now(), { day: today.toString(), isDayEnd: false }));
    const rest = isSandbox(tenantId) ? sandboxRestMs : restMs;
    const nextMs = Math.min(endOfDay(today, timeZone).getTime() - time.aheadMs, clock.now().getTime() + rest);
    const told = { toldThrough: today.subtract({ days: 1 }).toString(), dueAt: new Date(nextMs) };
    crashPoint("remittance.middle-rates.told");
    await store.forTenant(tenantId).noteToldRates(telling, told);
    crashPoint("remittance.middle-rates.noted");
  }

  async function ratesAt(tenantId: string, pairs: readonly string[], at: Date, on: { day: string; isDayEnd: boolean }) {
    const rates: WirePartial<MiddleRate>[] = [];
    for (const pair of pairs) {
      const [sendCurrency = "", receivingCurrency = ""] = pair.split(" ");
      if (sendCurrency === receivingCurrency) continue;
      const found = await store.forTenant(tenantId).findRate({ sendCurrency, receivingCurrency }, at);
      if (found === undefined) continue;
      const { rate, source, validFrom, sequence } = found;
      rates.push({
        ...on,
        fromCurrency: sendCurrency,
        toCurrency: receivingCurrency,
        rate,
        source,
        at: validFrom,
        sequence,
      });
    }
    return rates;
  }

  const due: Due<RateTelling> = {
    clock,
    takenForMs: leaseMs,
    take: store.takeRateTelling,
    async work(telling) {
      await tell(telling).catch(async (err: unknown) => {
        if (stopping.signal.aborted) return;
        const { tenantId } = telling;
        log.warn({ err, tenantId }, "the ledger could not be told of middle rates, will be tried again");
        const again = new Date(clock.now().getTime() + againMs);
        await store.forTenant(tenantId).putOffTelling(telling, again);
      });
    },
    atOnce: tenantsAtOnce,
    signal: stopping.signal,
  };

  const pace = keepPace({
    quickMs: pollMs,
    slowMs: pollMs,
    poll() {
      running ??= workOff(due)
        .catch((err: unknown) => log.warn({ err }, "cannot look for middle rates that are to be told"))
        .finally(() => (running = undefined));
    },
  });

  return {
    async stop(): Promise<void> {
      stopping.abort();
      pace.stop();
      await running;
    },
  };
}
