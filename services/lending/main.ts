import "../shared/telemetry/register.js";
import { readConfig } from "../shared/config.js";
import { runProcess } from "../shared/run-process.js";
import { lendingEnv } from "./config.js";
import { startLending } from "./server.js";

await runProcess("lending", () => startLending(readConfig(lendingEnv)));
