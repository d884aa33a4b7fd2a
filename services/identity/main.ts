import "../shared/telemetry/register.js";
import { readConfig } from "../shared/config.js";
import { runProcess } from "../shared/run-process.js";
import { identityEnv } from "./config.js";
import { startIdentity } from "./server.js";

await runProcess("identity", () => startIdentity(readConfig(identityEnv)));
