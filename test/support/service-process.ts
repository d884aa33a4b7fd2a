// Lending or investment as a process of its own, for tests that tell it to stop: forked with its
// configuration, it says when it listens.
import { pino } from "pino";
import type { InvestmentConfig } from "../../services/investment/config.js";
import { startInvestment } from "../../services/investment/server.js";
import type { LendingConfig } from "../../services/lending/config.js";
import { startLending } from "../../services/lending/server.js";
import { businessTime } from "../../services/platform/preferences/business-clock.js";
import { runProcess } from "../../services/kernel/process/run-process.js";
import type { ServiceKeys } from "../../services/kernel/tokens/service-tokens.js";
import { statedUsers } from "./service-network.js";

export type ServiceProcess =
  | { readonly service: "lending"; readonly config: LendingConfig; readonly keys: ServiceKeys }
  | {
      readonly service: "investment";
      readonly config: InvestmentConfig;
      readonly keys: ServiceKeys;
      /** Every tenant's business time. */
      readonly now: string;
    };

const given = JSON.parse(process.env["SERVICE_PROCESS"] ?? "{}") as ServiceProcess;

function start() {
  const deps = { log: pino({ level: "silent" }), keys: given.keys, verifyUserToken: statedUsers, pollMs: 50 };
  if (given.service === "lending") return startLending(given.config, { ...deps, everyMs: 200 });
  const now = new Date(given.now);
  const businessClock = { forTenant: async () => businessTime({ now: () => now }, 0, "UTC") };
  return startInvestment(given.config, { ...deps, businessClock });
}

await runProcess(given.service, start);
process.send?.("listening");
// Its test is gone.
process.on("disconnect", () => process.exit(1));
