import "../kernel/telemetry/register.js";
import { readConfig } from "../kernel/process/config.js";
import { runProcess } from "../kernel/process/run-process.js";
import { investmentEnv } from "./config.js";
import { startInvestment } from "./server.js";

await runProcess("investment", () => startInvestment(readConfig(investmentEnv)));
