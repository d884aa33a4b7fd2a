import "../shared/telemetry/register.js";
import { readConfig } from "../shared/config.js";
import { lendingEnv } from "./config.js";
import { startLending } from "./server.js";

const lending = await startLending(readConfig(lendingEnv));

let stopping = false;
for (const signal of ["SIGTERM", "SIGINT"] as const) {
  process.on(signal, () => {
    if (stopping) return;
    stopping = true;
    void lending.stop().then(() => process.exit(0));
  });
}
