import { isDeepStrictEqual } from "node:util";
import { v7 as uuidv7 } from "uuid";
import type { RemittanceServiceDefinition } from "../../../proto/gen/remittance/v1/remittance.js";
import { actorOf } from "../../shared/grpc/context.js";
import type { Handlers } from "../../shared/grpc/server.js";
import type { Corridor, CorridorContent, CorridorKey } from "../corridor.js";
import type { Rate } from "../store.js";
import { corridorFromWire, corridorToWire, rateFromWire } from "../wire.js";
import type { RemittanceDeps } from "./deps.js";

type ConfigurationRpcs = "putCorridor" | "listCorridors" | "putRate";

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
      return { corridors: corridors.map(corridorToWire) };
    },

    async putRate(request, call) {
      const content = rateFromWire(request);
      const { sendCurrency, receivingCurrency } = content;
      const tenant = store.forTenant(call.tenantId);
      const same = (rate: Rate | undefined) =>
        rate?.rate === content.rate && rate.source === content.source ? rate : undefined;
      const rate = await store.transaction(
        async (session) => {
          const current = await tenant.findRate(sendCurrency, receivingCurrency, session);
          if (same(current)) return current!;
          const sequence = (current?.sequence ?? 0) + 1;
          const stamp = { createdAt: clock.now(), createdBy: actorOf(call) };
          const next: Rate = { ...content, ...stamp, rateId: uuidv7(), sequence };
          await tenant.insertRate(next, session);
          return next;
        },
        async () => same(await tenant.findRate(sendCurrency, receivingCurrency)),
      );
      return { rateId: rate.rateId };
    },
  };
}

function keyOf({ originCountry, sendCurrency, receivingCountry, receivingCurrency }: CorridorKey): CorridorKey {
  return { originCountry, sendCurrency, receivingCountry, receivingCurrency };
}

function holds(corridor: Corridor | undefined, content: CorridorContent): boolean {
  if (corridor === undefined) return false;
  const { version: _version, ...current } = corridor;
  return isDeepStrictEqual(current, content);
}
