import "../kernel/telemetry/register.js";
import { readConfig } from "../kernel/process/config.js";
import { runProcess } from "../kernel/process/run-process.js";
import { complianceEnv } from "./config.js";
import { startCompliance } from "./server.js";

await runProcess("compliance", () => startCompliance(readConfig(complianceEnv)));
