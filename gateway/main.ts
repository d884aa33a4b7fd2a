import "../services/kernel/telemetry/register.js";
import { runProcess } from "../services/kernel/process/run-process.js";
import { readGatewayConfig } from "./config.js";
import { startGateway } from "./server.js";

await runProcess("gateway", () => startGateway(readGatewayConfig()));
