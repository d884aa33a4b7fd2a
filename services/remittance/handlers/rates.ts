import { v7 as uuidv7 } from "uuid";
import type { RemittanceServiceDefinition } from "../../../proto/gen/remittance/v1/remittance.js";
import { assertCurrency } from "../../shared/currencies.js";
import { actorOf } from "../../shared/grpc/context.js";
import type { Handlers } from "../../shared/grpc/server.js";
import { Refusal } from "../../shared/refusal.js";
import { ratesFromCsv, type RateLine } from "../csv/rates.js";
import { isSameRate, type Rate } from "../domain/rate.js";
import type { Session, TenantStore } from "../store/index.js";
import { rateFromWire } from "../wire/rates.js";
import type { RemittanceDeps } from "./deps.js";

type RateRpcs = "putRate" | "loadRates" | "getExchangeRate";

// Short transactions: a long one could be cut off by the server's limit on their life.
const ratesPerTransaction = 500;

/** Rates: what is put again unchanged makes no new one. */
export function rateHandlers({
  store,
  clock,
}: Pick<RemittanceDeps, "store" | "clock">): Pick<Handlers<RemittanceServiceDefinition>, RateRpcs> {
  /**
   * For each line the last rate of its pair where that says the same, else a new one, written
   * unless it is a dry run.
   */
  async function put(
    tenant: TenantStore,
    lines: readonly RateLine[],
    createdBy: string,
    session: Session,
    isDryRun = false,
  ): Promise<{ rate: Rate; isNew: boolean }[]> {
    const last = new Map<string, Rate | undefined>();
    const results: { rate: Rate; isNew: boolean }[] = [];
    for (const { rate: content, saidFrom } of lines) {
      const pair = `${content.sendCurrency} ${content.receivingCurrency}`;
      const before = last.has(pair) ? last.get(pair) : await tenant.findLastRate(content, session);
      const isNew = before === undefined || !isSameRate(before, content, saidFrom);
      const sequence = (before?.sequence ?? 0) + 1;
      const rate = isNew ? { ...content, createdAt: clock.now(), createdBy, rateId: uuidv7(), sequence } : before;
      last.set(pair, rate);
      results.push({ rate, isNew });
    }
    const fresh = results.filter(({ isNew }) => isNew).map(({ rate }) => rate);
    if (!isDryRun && fresh.length > 0) await tenant.insertRates(fresh, session);
    return results;
  }

  return {
    async putRate(request, call) {
      const content = rateFromWire(request, clock.now());
      const tenant = store.forTenant(call.tenantId);
      const line = { rate: content, saidFrom: request.validFrom };
      const results = await store.transaction(
        (session) => put(tenant, [line], actorOf(call), session),
        // What is in says so by itself when it is put again.
        async () => undefined,
      );
      return { rateId: results[0]!.rate.rateId };
    },

    async loadRates({ csv, dryRun }, call) {
      const { lines, rows, faults } = ratesFromCsv(csv, clock.now());
      const tenant = store.forTenant(call.tenantId);
      let created = 0;
      for (let from = 0; from < rows.length; from += ratesPerTransaction) {
        call.signal.throwIfAborted();
        const part = rows.slice(from, from + ratesPerTransaction);
        const results = await store.transaction(
          (session) =>
            put(
              tenant,
              part.map(({ row }) => row),
              actorOf(call),
              session,
              dryRun,
            ),
          async () => undefined,
        );
        created += results.filter(({ isNew }) => isNew).length;
      }
      return { lines, created, unchanged: rows.length - created, faults };
    },

    async getExchangeRate({ fromCurrency, toCurrency }, call) {
      const sendCurrency = assertCurrency(fromCurrency, "fromCurrency");
      const receivingCurrency = assertCurrency(toCurrency, "toCurrency");
      const now = clock.now();
      const rate = await store.forTenant(call.tenantId).findRate({ sendCurrency, receivingCurrency }, now);
      if (rate !== undefined) {
        const { source, validFrom, validUntil } = rate;
        return { rate: rate.rate, source, validFrom, ...(validUntil !== undefined && { validUntil }) };
      }
      if (sendCurrency === receivingCurrency) return { rate: "1", source: "", validFrom: now };
      throw new Refusal("RATE_NOT_AVAILABLE", `there is no rate from ${sendCurrency} to ${receivingCurrency}`);
    },
  };
}
