// Compliance as a process of its own, for tests that kill it: forked with its configuration, it
// tells its port and what it sends.
import { pino } from "pino";
import { startCompliance } from "../../services/compliance/server.js";
import type { ComplianceConfig } from "../../services/compliance/config.js";
import type { ServiceKeys } from "../../services/shared/tokens/service-tokens.js";
import { statedUsers } from "./service-network.js";

const { config, keys } = JSON.parse(process.env["COMPLIANCE_PROCESS"] ?? "{}") as {
  config: ComplianceConfig;
  keys: ServiceKeys;
};
const { port } = await startCompliance(config, {
  log: pino({ level: "silent" }),
  keys,
  verifyUserToken: statedUsers,
  pollMs: 50,
  notifications: { send: async (_account, message) => void process.send?.({ message }) },
  contactVerification: { verify: async () => ({ verified: true, raw: "VERIFIED" }) },
});
process.send?.({ port });
process.on("disconnect", () => process.exit(0));
