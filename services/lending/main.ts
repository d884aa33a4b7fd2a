import "../kernel/telemetry/register.js";
import { readConfig } from "../kernel/process/config.js";
import { runProcess } from "../kernel/process/run-process.js";
import { lendingEnv } from "./config.js";
import { startLending } from "./server.js";

await runProcess("lending", () => startLending(readConfig(lendingEnv)));
