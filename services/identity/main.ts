import "../kernel/telemetry/register.js";
import { readConfig } from "../kernel/process/config.js";
import { runProcess } from "../kernel/process/run-process.js";
import { identityEnv } from "./config.js";
import { startIdentity } from "./server.js";

await runProcess("identity", () => startIdentity(readConfig(identityEnv)));
