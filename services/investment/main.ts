import "../shared/telemetry/register.js";
import { readConfig } from "../shared/config.js";
import { runProcess } from "../shared/run-process.js";
import { investmentEnv } from "./config.js";
import { startInvestment } from "./server.js";

await runProcess("investment", () => startInvestment(readConfig(investmentEnv)));
