import "../shared/telemetry/register.js";
import { readConfig } from "../shared/config.js";
import { runProcess } from "../shared/run-process.js";
import { remittanceEnv } from "./config.js";
import { startRemittance } from "./server.js";

await runProcess("remittance", () => startRemittance(readConfig(remittanceEnv)));
