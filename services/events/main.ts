import "../kernel/telemetry/register.js";
import { readConfig } from "../kernel/process/config.js";
import { runProcess } from "../kernel/process/run-process.js";
import { eventsEnv } from "./config.js";
import { startEvents } from "./server.js";

await runProcess("events", () => startEvents(readConfig(eventsEnv)));
