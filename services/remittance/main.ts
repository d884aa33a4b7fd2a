import "../kernel/telemetry/register.js";
import { readConfig } from "../kernel/process/config.js";
import { runProcess } from "../kernel/process/run-process.js";
import { remittanceEnv } from "./config.js";
import { startRemittance } from "./server.js";

await runProcess("remittance", () => startRemittance(readConfig(remittanceEnv)));
