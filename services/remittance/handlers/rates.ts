import { v7 as uuidv7 } from "uuid";
import type { RemittanceServiceDefinition } from "../../../proto/gen/remittance/v1/remittance.js";
import { assertCurrency } from "../../shared/currencies.js";
import { actorOf } from "../../shared/grpc/context.js";
import type { Handlers } from "../../shared/grpc/server.js";
import { Refusal } from "../../shared/refusal.js";
import { ratesFromCsv, type RateLine } from "../rate-csv.js";
import type { Rate, Session, TenantStore } from "../store.js";
import { rateFromWire } from "../wire.js";
import type { RemittanceDeps } from "./deps.js";

type RateRpcs = "putRate" | "loadRates" | "getExchangeRate";

// Short transactions: a long one could be cut off by the server's limit on their life.
const ratesPerTransaction = 200;

/** Rates: what is put again unchanged makes no new one. */
export function rateHandlers({
  store,
  clock,
}: Pick<RemittanceDeps, "store" | "clock">): Pick<Handlers<RemittanceServiceDefinition>, RateRpcs> {
  /** The last rate of its pair where that says the same, else a new one. */
  async function put(
    tenant: TenantStore,
    { rate: content, saidFrom }: RateLine,
    createdBy: string,
    session: Session,
  ): Promise<{ rate: Rate; isNew: boolean }> {
    const last = await tenant.findLastRate(content, session);
    if (last !== undefined && saysTheSame(last, content, saidFrom)) return { rate: last, isNew: false };
    const sequence = (last?.sequence ?? 0) + 1;
    const rate: Rate = { ...content, createdAt: clock.now(), createdBy, rateId: uuidv7(), sequence };
    await tenant.insertRate(rate, session);
    return { rate, isNew: true };
  }

  return {
    async putRate(request, call) {
      const content = rateFromWire(request, clock.now());
      const tenant = store.forTenant(call.tenantId);
      const line = { rate: content, saidFrom: request.validFrom };
      const rate = await store.transaction(
        async (session) => (await put(tenant, line, actorOf(call), session)).rate,
        async () => {
          const last = await tenant.findLastRate(content);
          return last !== undefined && saysTheSame(last, content, request.validFrom) ? last : undefined;
        },
      );
      return { rateId: rate.rateId };
    },

    async loadRates({ csv, dryRun }, call) {
      const { lines, rows, faults } = ratesFromCsv(csv, clock.now());
      const tenant = store.forTenant(call.tenantId);
      let created = 0;
      for (let from = 0; from < rows.length; from += ratesPerTransaction) {
        call.signal.throwIfAborted();
        const part = rows.slice(from, from + ratesPerTransaction);
        created += dryRun
          ? await countNew(
              tenant,
              part.map(({ row }) => row),
            )
          : await store.transaction(
              async (session) => {
                let count = 0;
                for (const { row } of part) if ((await put(tenant, row, actorOf(call), session)).isNew) count += 1;
                return count;
              },
              // What is in says so by itself when it is put again.
              async () => undefined,
            );
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

/** How many lines would make a new rate; the last one of a pair is what a line is compared with. */
async function countNew(tenant: TenantStore, rows: readonly RateLine[]): Promise<number> {
  const last = new Map<string, Pick<Rate, "rate" | "source" | "validUntil" | "validFrom" | "createdAt">>();
  let count = 0;
  for (const { rate, saidFrom } of rows) {
    const pair = `${rate.sendCurrency} ${rate.receivingCurrency}`;
    const before = last.get(pair) ?? (await tenant.findLastRate(rate));
    if (before !== undefined && saysTheSame(before, rate, saidFrom)) continue;
    count += 1;
    last.set(pair, { ...rate, createdAt: rate.validFrom });
  }
  return count;
}

/** Whether the last rate of a pair is what is put now: a seed may run twice. */
function saysTheSame(
  last: Pick<Rate, "rate" | "source" | "validUntil" | "validFrom" | "createdAt">,
  { rate, source, validUntil }: Pick<Rate, "rate" | "source" | "validUntil">,
  validFrom: Date | undefined,
): boolean {
  if (last.rate !== rate || last.source !== source) return false;
  if (last.validUntil?.getTime() !== validUntil?.getTime()) return false;
  return validFrom === undefined ? last.validFrom <= last.createdAt : last.validFrom.getTime() === validFrom.getTime();
}
