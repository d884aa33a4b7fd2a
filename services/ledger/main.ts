import "../kernel/telemetry/register.js";
import { readConfig } from "../kernel/process/config.js";
import { runProcess } from "../kernel/process/run-process.js";
import { ledgerEnv } from "./config.js";
import { startLedger } from "./server.js";

await runProcess("ledger", () => startLedger(readConfig(ledgerEnv)));
