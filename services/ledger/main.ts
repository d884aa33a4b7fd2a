import "../shared/telemetry/register.js";
import { readConfig } from "../shared/config.js";
import { ledgerEnv } from "./config.js";
import { startLedger } from "./server.js";

const ledger = await startLedger(readConfig(ledgerEnv));

let stopping = false;
for (const signal of ["SIGTERM", "SIGINT"] as const) {
  process.on(signal, () => {
    if (stopping) return;
    stopping = true;
    void ledger.stop().then(() => process.exit(0));
  });
}
