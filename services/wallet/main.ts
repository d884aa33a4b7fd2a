import "../kernel/telemetry/register.js";
import { readConfig } from "../kernel/process/config.js";
import { runProcess } from "../kernel/process/run-process.js";
import { walletEnv } from "./config.js";
import { startWallet } from "./server.js";

await runProcess("wallet", () => startWallet(readConfig(walletEnv)));
