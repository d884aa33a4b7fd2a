import type { WebhookServiceDefinition } from "../../../proto/gen/events/v1/webhooks.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { invalidInput, Refusal } from "../../kernel/refusal.js";
import { isSandbox } from "../../platform/sandbox/sandbox.js";
import { longestWaitMs, usualWaitsMs } from "../domain/schedule.js";
import type { EventsDeps } from "./deps.js";

const usual = usualWaitsMs.map((ms) => ms / 1_000);
const longestS = longestWaitMs / 1_000;

/** How long a sandbox waits between attempts: whoever tries a receiver out does not wait a day. */
export function scheduleHandlers({ store }: EventsDeps) {
  return {
    async setSchedule({ waitsS }, { tenantId }) {
      if (!isSandbox(tenantId)) throw new Refusal("STATE_CONFLICT", "a live organisation has the usual schedule");
      if (waitsS.length > usual.length) throw invalidInput("waitsS", `must be at most ${usual.length} waits`);
      waitsS.forEach((seconds, index) => {
        if (seconds < 1 || seconds > longestS) throw invalidInput(`waitsS[${index}]`, `must be 1 to ${longestS}`);
      });
      const own = store.schedules.forTenant(tenantId);
      await (waitsS.length === 0 ? own.remove() : own.put(waitsS));
      return { waitsS: waitsS.length === 0 ? usual : waitsS };
    },

    async getSchedule(_request, { tenantId }) {
      const own = isSandbox(tenantId) ? await store.schedules.forTenant(tenantId).find() : undefined;
      return { waitsS: own ?? usual };
    },
  } satisfies Partial<Handlers<WebhookServiceDefinition>>;
}
