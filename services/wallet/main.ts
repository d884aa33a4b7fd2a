import "../shared/telemetry/register.js";
import { readConfig } from "../shared/config.js";
import { runProcess } from "../shared/run-process.js";
import { walletEnv } from "./config.js";
import { startWallet } from "./server.js";

await runProcess("wallet", () => startWallet(readConfig(walletEnv)));
