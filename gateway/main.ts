import "../services/shared/telemetry/register.js";
import { readGatewayConfig } from "./config.js";
import { startGateway } from "./server.js";

const gateway = await startGateway(readGatewayConfig());

let stopping = false;
for (const signal of ["SIGTERM", "SIGINT"] as const) {
  process.on(signal, () => {
    if (stopping) return;
    stopping = true;
    void gateway.stop().then(() => process.exit(0));
  });
}
