import { isDeepStrictEqual } from "node:util";
import { v7 as uuidv7 } from "uuid";
import type { RemittanceServiceDefinition } from "../../../proto/gen/remittance/v1/remittance.js";
import { assertCurrency } from "../../shared/currencies.js";
import { actorOf } from "../../shared/grpc/context.js";
import type { Handlers } from "../../shared/grpc/server.js";
import { Refusal } from "../../shared/refusal.js";
import type { Corridor, CorridorContent, CorridorKey } from "../corridor.js";
import type { Rate } from "../store.js";
import { corridorFromWire, corridorToWire, rateFromWire } from "../wire.js";
import type { RemittanceDeps } from "./deps.js";

type ConfigurationRpcs = "putCorridor" | "listCorridors" | "putRate" | "getExchangeRate";

/** Corridors and rates: what is put again unchanged makes no new version. */
export function configurationHandlers({
  store,
  clock,
}: Pick<RemittanceDeps, "store" | "clock">): Pick<Handlers<RemittanceServiceDefinition>, ConfigurationRpcs> {
  return {
    async putCorridor(request, call) {
      const content = corridorFromWire(request);
      const tenant = store.forTenant(call.tenantId);
      const same = (corridor: Corridor | undefined) => (holds(corridor, content) ? corridor : undefined);
      const corridor = await store.transaction(
        async (session) => {
          const current = await tenant.findCorridor(keyOf(content), session);
          if (same(current)) return current!;
          const next = { ...content, version: (current?.version ?? 0) + 1 };
          await tenant.putCorridor({ ...next, changedAt: clock.now(), changedBy: actorOf(call) }, session);
          return next;
        },
        async () => same(await tenant.findCorridor(keyOf(content))),
      );
      return { corridor: corridorToWire(corridor) };
    },

    async listCorridors(_request, call) {
      const corridors = await store.forTenant(call.tenantId).listCorridors();
      const { role = "MANAGER" } = call.user ?? {};
      const isStaff = role === "MANAGER" || role === "AGENT";
      return { corridors: corridors.filter(({ enabled }) => enabled || isStaff).map(corridorToWire) };
    },

    async putRate(request, call) {
      const now = clock.now();
      const content = rateFromWire(request, now);
      const tenant = store.forTenant(call.tenantId);
      const same = (rate: Rate | undefined) => (saysTheSame(rate, content, request.validFrom) ? rate : undefined);
      const rate = await store.transaction(
        async (session) => {
          const last = await tenant.findLastRate(content, session);
          if (same(last)) return last!;
          const sequence = (last?.sequence ?? 0) + 1;
          const next: Rate = { ...content, createdAt: now, createdBy: actorOf(call), rateId: uuidv7(), sequence };
          await tenant.insertRate(next, session);
          return next;
        },
        async () => same(await tenant.findLastRate(content)),
      );
      return { rateId: rate.rateId };
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

/** Whether the last rate of a pair is what is put now: a seed may run twice. */
function saysTheSame(
  last: Rate | undefined,
  { rate, source, validUntil }: Pick<Rate, "rate" | "source" | "validUntil">,
  validFrom: Date | undefined,
): boolean {
  if (last?.rate !== rate || last.source !== source) return false;
  if (last.validUntil?.getTime() !== validUntil?.getTime()) return false;
  return validFrom === undefined ? last.validFrom <= last.createdAt : last.validFrom.getTime() === validFrom.getTime();
}

function keyOf({ originCountry, sendCurrency, receivingCountry, receivingCurrency }: CorridorKey): CorridorKey {
  return { originCountry, sendCurrency, receivingCountry, receivingCurrency };
}

function holds(corridor: Corridor | undefined, content: CorridorContent): boolean {
  if (corridor === undefined) return false;
  const { version: _version, ...current } = corridor;
  return isDeepStrictEqual(current, content);
}
