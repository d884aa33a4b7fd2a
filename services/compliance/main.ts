import "../shared/telemetry/register.js";
import { readConfig } from "../shared/config.js";
import { runProcess } from "../shared/run-process.js";
import { complianceEnv } from "./config.js";
import { startCompliance } from "./server.js";

await runProcess("compliance", () => startCompliance(readConfig(complianceEnv)));
