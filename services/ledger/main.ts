import "../shared/telemetry/register.js";
import { readConfig } from "../shared/config.js";
import { runProcess } from "../shared/run-process.js";
import { ledgerEnv } from "./config.js";
import { startLedger } from "./server.js";

await runProcess("ledger", () => startLedger(readConfig(ledgerEnv)));
