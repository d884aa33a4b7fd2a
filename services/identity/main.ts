import "../shared/telemetry/register.js";
import { readConfig } from "../shared/config.js";
import { identityEnv } from "./config.js";
import { startIdentity } from "./server.js";

const identity = await startIdentity(readConfig(identityEnv));

let stopping = false;
for (const signal of ["SIGTERM", "SIGINT"] as const) {
  process.on(signal, () => {
    if (stopping) return;
    stopping = true;
    void identity.stop().then(() => process.exit(0));
  });
}
