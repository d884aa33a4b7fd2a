import "../services/shared/telemetry/register.js";
import { runProcess } from "../services/shared/run-process.js";
import { readGatewayConfig } from "./config.js";
import { startGateway } from "./server.js";

await runProcess("gateway", () => startGateway(readGatewayConfig()));
