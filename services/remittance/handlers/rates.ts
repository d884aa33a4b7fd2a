import type { RemittanceServiceDefinition } from "../../../proto/gen/remittance/v1/remittance.js";
import { assertCurrency } from "../../kernel/codes/currencies.js";
import { actorOf } from "../../kernel/grpc/context.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { Refusal } from "../../kernel/refusal.js";
import { ratesFromCsv } from "../csv/rates.js";
import { putRates } from "../store/put-rates.js";
import { rateFromWire } from "../wire/rates.js";
import type { RemittanceDeps } from "./deps.js";

// Short transactions: a long one could be cut off by the server's limit on their life.
const ratesPerTransaction = 500;

/** Rates: what is put again unchanged makes no new one. */
export function rateHandlers({ store, clock }: RemittanceDeps) {
  return {
    async putRate(request, call) {
      const content = rateFromWire(request, clock.now());
      const tenant = store.forTenant(call.tenantId);
      const line = { rate: content, statedFrom: request.validFrom };
      const results = await store.transaction(
        (session) => putRates(tenant, [line], { createdAt: clock.now(), createdBy: actorOf(call) }, session),
        // What is in says so by itself when it is put again.
        async () => undefined,
      );
      return { rateId: results[0]!.rate.rateId };
    },

    async loadRates({ csv, dryRun }, call) {
      const { lines, rows, faults } = await ratesFromCsv(csv, clock.now());
      const tenant = store.forTenant(call.tenantId);
      let created = 0;
      for (let from = 0; from < rows.length; from += ratesPerTransaction) {
        call.signal.throwIfAborted();
        const part = rows.slice(from, from + ratesPerTransaction);
        const results = await store.transaction(
          (session) =>
            putRates(
              tenant,
              part.map(({ row }) => row),
              { createdAt: clock.now(), createdBy: actorOf(call) },
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
  } satisfies Partial<Handlers<RemittanceServiceDefinition>>;
}
