// Compliance as a process of its own, for tests that kill it: forked, it loads its code and stands
// by until it is told its configuration; then it tells its port and what it sends.
import { once } from "node:events";
import { flushCompileCache } from "node:module";
import { pino } from "pino";
import { startCompliance } from "../../services/compliance/server.js";
import type { ComplianceConfig } from "../../services/compliance/config.js";
import type { ServiceKeys } from "../../services/kernel/tokens/service-tokens.js";
import { statedUsers } from "./service-network.js";

process.on("disconnect", () => process.exit(0));
// Whoever is killed does not write down what it has compiled.
flushCompileCache();
const [{ config, keys }] = (await once(process, "message")) as [{ config: ComplianceConfig; keys: ServiceKeys }];
const { port } = await startCompliance(config, {
  log: pino({ level: "silent" }),
  keys,
  verifyUserToken: statedUsers,
  pollMs: 50,
  leaseMs: 1_500,
  notifications: { send: async (_account, message) => void process.send?.({ message }) },
  contactVerification: { verify: async () => ({ verified: true, raw: "VERIFIED" }) },
});
process.send?.({ port });
