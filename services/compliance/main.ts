import "../shared/telemetry/register.js";
import { readConfig } from "../shared/config.js";
import { complianceEnv } from "./config.js";
import { startCompliance } from "./server.js";

const compliance = await startCompliance(readConfig(complianceEnv));

let stopping = false;
for (const signal of ["SIGTERM", "SIGINT"] as const) {
  process.on(signal, () => {
    if (stopping) return;
    stopping = true;
    void compliance.stop().then(() => process.exit(0));
  });
}
