import "../shared/telemetry/register.js";
import { readConfig } from "../shared/config.js";
import { remittanceEnv } from "./config.js";
import { startRemittance } from "./server.js";

const remittance = await startRemittance(readConfig(remittanceEnv));

let stopping = false;
for (const signal of ["SIGTERM", "SIGINT"] as const) {
  process.on(signal, () => {
    if (stopping) return;
    stopping = true;
    void remittance.stop().then(() => process.exit(0));
  });
}
