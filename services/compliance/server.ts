import { ComplianceServiceDefinition } from "../../proto/gen/compliance/v1/compliance.js";
import { systemClock, type Clock } from "../shared/clock.js";
import { createServiceAuth } from "../shared/grpc/service-auth.js";
import { startGrpcServer } from "../shared/grpc/server.js";
import { createLogger, type Logger } from "../shared/log.js";
import { openDatabase } from "../shared/mongo/open-database.js";
import { createRedis } from "../shared/redis.js";
import { loadServiceKeys, type ServiceKeys } from "../shared/tokens/service-tokens.js";
import type { UserTokenVerifier } from "../shared/tokens/user-tokens.js";
import { startAdmin } from "../shared/admin.js";
import { keyFilesOf } from "../shared/config.js";
import type { ComplianceConfig } from "./config.js";
import { complianceAccess, createComplianceHandlers } from "./handlers.js";
import { migrations } from "./migrations.js";
import { createComplianceStore } from "./store.js";
import { createTimeZones } from "./time-zones.js";

export interface ComplianceServerDeps {
  log?: Logger;
  clock?: Clock;
  /** Read from the config's files when absent. */
  keys?: ServiceKeys;
  /** In place of the one that asks identity for keys and revocations. */
  verifyUserToken?: UserTokenVerifier;
}

/** Starts compliance. Rejects when MongoDB is away or the port is taken. */
export async function startCompliance(
  config: ComplianceConfig,
  deps: ComplianceServerDeps = {},
): Promise<{ port: number; stop(): Promise<void> }> {
  const log = deps.log ?? createLogger({ service: "compliance", level: config.LOG_LEVEL });
  const admin = config.ADMIN_PORT === undefined ? undefined : await startAdmin(config.ADMIN_PORT, config.HOST);
  const keys = deps.keys ?? (await loadServiceKeys(keyFilesOf(config)));
  const mongo = await openDatabase(config, { migrations, log });
  const redis = createRedis({ url: config.REDIS_URL, log });
  const auth = createServiceAuth({ service: "compliance", keys, redis, identityAddress: config.IDENTITY_ADDRESS });
  const server = await startGrpcServer({
    service: "compliance",
    definition: ComplianceServiceDefinition,
    handlers: createComplianceHandlers({
      store: createComplianceStore(mongo.db),
      identity: auth.identity,
      timeZones: createTimeZones({ identity: auth.identity }),
      clock: deps.clock ?? systemClock,
    }),
    access: complianceAccess,
    host: config.HOST,
    port: config.PORT,
    healthPort: config.HEALTH_PORT,
    tls: keys.tls,
    verifyServiceToken: auth.verifyServiceToken,
    verifyUserToken: deps.verifyUserToken ?? auth.verifyUserToken,
    log,
  });
  admin?.setReady(true);
  log.info({ port: server.port }, "compliance is listening");
  return {
    port: server.port,
    async stop() {
      admin?.setReady(false);
      await server.stop();
      auth.close();
      redis.disconnect();
      await mongo.close();
      await admin?.stop();
    },
  };
}
