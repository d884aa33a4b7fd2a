// Events as a process of its own, for tests that kill it and for its benchmark: forked with its
// configuration, it tells its port.
import { pino } from "pino";
import { startEvents, type EventsServerDeps } from "../../services/events/server.js";
import type { EventsConfig } from "../../services/events/config.js";
import type { ServiceKeys } from "../../services/kernel/tokens/service-tokens.js";
import { statedUsers } from "./service-network.js";
import { standBy } from "./stand-by.js";

export interface EventsProcess {
  readonly config: EventsConfig;
  readonly keys: ServiceKeys;
  readonly deps: Pick<EventsServerDeps, "pollMs" | "leaseMs" | "attemptMs" | "waitsMs">;
}

standBy(async () => {
  const { config, keys, deps } = JSON.parse(process.env["EVENTS_PROCESS"] ?? "{}") as EventsProcess;
  const service = await startEvents(config, {
    log: pino({ level: "silent" }),
    keys,
    verifyUserToken: statedUsers,
    resolve: async () => ["93.184.215.14"],
    ...(config.PARTNER_URL === undefined && { notifications: { send: async () => undefined } }),
    ...deps,
  });
  // What it costs, asked by the benchmark.
  process.on("message", () => {
    const { user, system } = process.cpuUsage();
    process.send?.({ cpuMs: (user + system) / 1_000, rssMb: process.memoryUsage().rss / 1_048_576 });
  });
  return service;
});
