import { IdentityServiceDefinition } from "../../proto/gen/identity/v1/identity.js";
import { startAdmin } from "../shared/admin.js";
import { keyFilesOf } from "../shared/config.js";
import { systemClock, type Clock } from "../shared/clock.js";
import { startGrpcServer } from "../shared/grpc/server.js";
import { createIdempotency } from "../shared/idempotency/index.js";
import { createLogger, type Logger } from "../shared/log.js";
import type { connectMongo } from "../shared/mongo/connect.js";
import { openDatabase } from "../shared/mongo/open-database.js";
import { createRedis } from "../shared/redis.js";
import { createRevocationChecker } from "../shared/tokens/revocations.js";
import { createServiceTokenVerifier, loadServiceKeys, type ServiceKeys } from "../shared/tokens/service-tokens.js";
import { createUserTokenVerifier } from "../shared/tokens/user-tokens.js";
import { access } from "./access.js";
import type { IdentityConfig } from "./config.js";
import { peopleHandlers } from "./handlers/people.js";
import { sessionHandlers } from "./handlers/sessions.js";
import { tenantHandlers } from "./handlers/tenants.js";
import { openKeyring } from "./keyring.js";
import { createLocalKms, loadMasterKey } from "./kms.js";
import { createPasswordHasher, type Argon2 } from "./passwords.js";
import { createRevocationMirror } from "./revocation-mirror.js";
import { createRevocations } from "./revocations.js";
import { createSessions } from "./sessions.js";
import { migrations } from "./store/migrations.js";
import { createIdentityStore } from "./store/store.js";

export interface IdentityDeps {
  log?: Logger;
  /** Real time: of tokens, sessions and revocations. */
  clock?: Clock;
  /** Read from the config's files when absent. */
  keys?: ServiceKeys;
  argon2?: Argon2;
}

export interface RunningIdentity {
  port: number;
  stop(): Promise<void>;
}

/** Starts identity. Rejects when MongoDB is away, the master key is not the database's, or the port is taken. */
export async function startIdentity(config: IdentityConfig, deps: IdentityDeps = {}): Promise<RunningIdentity> {
  const { clock = systemClock } = deps;
  const log = deps.log ?? createLogger({ service: "identity", level: config.LOG_LEVEL });
  const keys = deps.keys ?? (await loadServiceKeys(keyFilesOf(config)));
  const kms = createLocalKms(await loadMasterKey(config.MASTER_KEY_FILE));
  const closing: (() => unknown)[] = [];
  const close = async () => {
    for (const step of closing.toReversed()) await step();
  };
  try {
    const admin = config.ADMIN_PORT === undefined ? undefined : await startAdmin(config.ADMIN_PORT, config.HOST);
    closing.push(() => admin?.stop());
    const mongo = await openDatabase(config, { migrations, log });
    closing.push(() => mongo.close());
    const redis = createRedis({ url: config.REDIS_URL, log });
    closing.push(() => redis.disconnect());
    const store = createIdentityStore(mongo.db);
    const mirror = createRevocationMirror({ store: store.across, redis, clock, log });
    mirror.start();
    closing.push(() => mirror.stop());

    const server = await startGrpcServer({
      service: "identity",
      definition: IdentityServiceDefinition,
      ...(await createHandlers({ config, deps, db: mongo.db, redis, store, mirror, kms, clock, log })),
      access,
      host: config.HOST,
      port: config.PORT,
      healthPort: config.HEALTH_PORT,
      verifyServiceToken: createServiceTokenVerifier({ self: "identity", jwks: keys.jwks }),
      tls: keys.tls,
      log,
    });
    closing.push(() => server.stop());
    admin?.setReady(true);
    closing.push(() => admin?.setReady(false));
    log.info({ port: server.port }, "identity is listening");
    return { port: server.port, stop: close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function createHandlers(parts: {
  config: IdentityConfig;
  deps: IdentityDeps;
  db: Awaited<ReturnType<typeof connectMongo>>["db"];
  redis: ReturnType<typeof createRedis>;
  store: ReturnType<typeof createIdentityStore>;
  mirror: ReturnType<typeof createRevocationMirror>;
  kms: ReturnType<typeof createLocalKms>;
  clock: Clock;
  log: Logger;
}) {
  const { config, deps, db, redis, store, mirror, kms, clock, log } = parts;
  const keyring = await openKeyring({ store: store.across, kms, clock });
  const cost = { memoryKib: config.ARGON2_MEMORY_KIB, passes: config.ARGON2_PASSES };
  const hasher = await createPasswordHasher(cost, deps.argon2 === undefined ? {} : { argon2: deps.argon2 });
  const idempotency = createIdempotency({ db, redis, clock, keepForMs: "for ever", log });
  const revocations = createRevocations({ db, store, mirror, clock });
  // Identity has keys and revocations at hand and asks nobody for them, itself least of all.
  const verifyUserToken = createUserTokenVerifier({
    jwks: async () => keyring.jwks(),
    revocations: createRevocationChecker({ redis, identity: (subject) => revocations.isRevoked(subject) }),
    clock,
  });
  const sessions = createSessions({ store, keyring, revocations, verifyAccessToken: verifyUserToken, clock });
  return {
    verifyUserToken,
    handlers: {
      ...tenantHandlers({ db, store, clock }),
      ...peopleHandlers({ db, store, idempotency, hasher, clock }),
      ...sessionHandlers({ store, hasher, sessions, revocations, keyring }),
    },
  };
}
