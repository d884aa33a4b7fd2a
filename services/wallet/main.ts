import "../shared/telemetry/register.js";
import { readConfig } from "../shared/config.js";
import { walletEnv } from "./config.js";
import { startWallet } from "./server.js";

const wallet = await startWallet(readConfig(walletEnv));

let stopping = false;
for (const signal of ["SIGTERM", "SIGINT"] as const) {
  process.on(signal, () => {
    if (stopping) return;
    stopping = true;
    void wallet.stop().then(() => process.exit(0));
  });
}
