import { readGatewayConfig } from "./config.js";
import { startGateway } from "./server.js";

const gateway = await startGateway(readGatewayConfig());

for (const signal of ["SIGTERM", "SIGINT"] as const) {
  process.once(signal, () => {
    void gateway.stop().then(() => process.exit(0));
  });
}
