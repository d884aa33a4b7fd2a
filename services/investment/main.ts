import "../shared/telemetry/register.js";
import { readConfig } from "../shared/config.js";
import { investmentEnv } from "./config.js";
import { startInvestment } from "./server.js";

const investment = await startInvestment(readConfig(investmentEnv));

let stopping = false;
for (const signal of ["SIGTERM", "SIGINT"] as const) {
  process.on(signal, () => {
    if (stopping) return;
    stopping = true;
    void investment.stop().then(() => process.exit(0));
  });
}
