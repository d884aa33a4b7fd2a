import "../shared/telemetry/register.js";
import { readConfig } from "../shared/config.js";
import { runProcess } from "../shared/run-process.js";
import { eventsEnv } from "./config.js";
import { startEvents } from "./server.js";

await runProcess("events", () => startEvents(readConfig(eventsEnv)));
