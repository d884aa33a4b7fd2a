import type { Connection } from "mongoose";
import type { z } from "zod";
import type { IdentityServiceDefinition } from "../../../proto/gen/identity/v1/identity.js";
import { startAdmin } from "./admin.js";
import { keyFilesOf, type serviceEnv } from "../process/config.js";
import { createClient, type BatchingClient, type Client } from "../grpc/client.js";
import type { ServiceName } from "../grpc/context.js";
import type { Batched } from "../grpc/batch-service.js";
import type { GrpcDefinition } from "../grpc/definition.js";
import { createServiceAuth, type ServiceAuth } from "../grpc/service-auth.js";
import { startGrpcServer, type Access, type AnyServedService, type Handlers } from "../grpc/server.js";
import { createLogger, type Logger } from "../process/log.js";
import { createWakeUps, type WakeUps } from "../polling/wake-ups.js";
import type { Clock } from "../time/clock.js";
import type { Migration } from "../mongo/migrations.js";
import { assertDiskHasRoom, watchDisk, type DiskWatchOptions } from "../mongo/disk-space.js";
import { openDatabase } from "../mongo/open-database.js";
import { warmUpDatabase } from "./warm-up-mongo.js";
import { createRedis, type Redis } from "../process/redis.js";
import {
  createServiceTokenSigner,
  createServiceTokenVerifier,
  loadServiceKeys,
  type ServiceKeys,
  type ServiceTokenSigner,
} from "../tokens/service-tokens.js";
import type { UserTokenVerifier } from "../tokens/user-tokens.js";
import { warmUp, warmUpKeys, warmUpRedis, warmUpSeconds, type WarmUp } from "./warm-up.js";

/** What of its environment a start needs; only identity has no address of identity. */
export type ServiceConfig = z.infer<typeof serviceEnv> & { IDENTITY_ADDRESS?: string };

/** What tests put in place of what the config says. */
export interface ServiceDeps {
  /** Business time. */
  clock?: Clock | undefined;
  log?: Logger | undefined;
  /** Read from the config's files when absent. */
  keys?: ServiceKeys | undefined;
  /** Identity's keys and revocations when absent. */
  verifyUserToken?: UserTokenVerifier | undefined;
  /**
   * How long an answer of identity about a tenant is used, in ms; preferenceCacheMs
   * when absent, and never longer.
   */
  identityCacheMs?: number | undefined;
  /** How often the outbox and what is due are looked at without being woken, in ms. */
  pollMs?: number | undefined;
  /** How full the disk is said to be, and how often it is looked. */
  disk?: Pick<DiskWatchOptions, "read" | "everyMs"> | undefined;
}

/** What every service has before it builds its own. */
export interface Opened<Config extends ServiceConfig> {
  readonly name: ServiceName;
  readonly config: Config;
  readonly log: Logger;
  readonly keys: ServiceKeys;
  readonly db: Connection;
  readonly redis: Redis;
  /** Of the replicas of this service. */
  readonly wakeUps: WakeUps;
  readonly signer: ServiceTokenSigner;
  readonly identity: Config extends { IDENTITY_ADDRESS: string }
    ? BatchingClient<IdentityServiceDefinition>
    : undefined;
  /** Where the service listens, once it does. */
  readonly port: Promise<number>;
  /** A neighbour's client, closed with the service; undefined where no address says where it is. */
  connect<Def extends GrpcDefinition, Address extends string | undefined>(
    definition: Def,
    audience: ServiceName,
    address: Address,
  ): BatchingClient<Def> | (Address extends string ? never : undefined);
  /**
   * Runs after the last call was answered, or when a later step of the start fails: the last one
   * given first.
   */
  onClose(step: () => unknown): void;
  /** What has begun to run by itself, stopped by onClose. */
  started<Job extends { stop(): unknown }>(job: Job): Job;
  /** As onClose, before the server stops: calls are still taken and answered. */
  onDrain(step: () => unknown): void;
}

export interface ServiceParts<Def extends GrpcDefinition, Config extends ServiceConfig, Resources> {
  name: ServiceName;
  config: Config;
  deps?: ServiceDeps;
  definition: Def;
  access: Access<Def>;
  /** Rpcs that are answered in batches too. */
  batched?: Batched<Def>;
  migrations: readonly Migration[];
  /**
   * Builds store, clients, sagas and jobs, and starts what runs by itself; gives each thing that
   * ends to onClose at once.
   */
  resources(opened: Opened<Config>): Promise<Resources> | Resources;
  handlers(resources: Resources): Handlers<Def>;
  /** Further services of the same process: its outbox, approvals, personal data. */
  extraDefinitions?(resources: Resources): readonly AnyServedService[];
  /**
   * What is done before it says that it serves. `self` calls it as its callers do,
   * for the reserved tenant. Waits for no neighbour but those that it calls while a client waits:
   * those arrows have no circle.
   */
  warmUps?(resources: Resources, self: Client<Def>): readonly WarmUp[];
  /** In place of identity's keys and revocations: of identity, which has them at hand. */
  verifyUserToken?(resources: Resources): UserTokenVerifier;
}

export interface RunningService<Resources> {
  readonly port: number;
  readonly resources: Resources;
  /**
   * Takes no more calls, answers those in flight, then closes everything in reverse order. May be
   * called twice.
   */
  stop(): Promise<void>;
}

/**
 * Starts a service: admin port, database with its migrations, Redis, service tokens, the
 * service's own resources, and then the gRPC server. Rejects when a step fails, having closed
 * what the steps before it opened.
 *
 *     export const startWallet = (config: WalletConfig, deps: WalletDeps = {}) =>
 *       startService({
 *         name: "wallet", config, deps, definition: WalletServiceDefinition, access, migrations,
 *         resources(opened) {
 *           const neighbours = connectNeighbours(opened);
 *           const parts = { ...createCommits(opened), ...neighbours };
 *           opened.started(startWalletRelay(parts));
 *           return parts;
 *         },
 *         handlers: walletHandlers,
 *         extraDefinitions: ({ outbox }) => [serveOutbox(outbox)],
 *       });
 */
export async function startService<Def extends GrpcDefinition, Config extends ServiceConfig, Resources>(
  service: ServiceParts<Def, Config, Resources>,
): Promise<RunningService<Resources>> {
  const { name, config, deps = {}, definition, access, migrations } = service;
  const log = deps.log ?? createLogger({ service: name, level: config.LOG_LEVEL });
  const keys = deps.keys ?? (await loadServiceKeys(keyFilesOf(config, log)));
  const closing = createClosing(log);
  const { onClose } = closing;
  try {
    const admin = config.ADMIN_PORT === undefined ? undefined : await startAdmin(config.ADMIN_PORT, config.HOST);
    onClose(() => admin?.stop());
    const mongo = await openDatabase(config, { migrations, log });
    onClose(() => mongo.close());
    const fullAt = config.DISK_FULL_SHARE ?? (config.NODE_ENV === "production" ? 0.9 : undefined);
    if (fullAt !== undefined) closing.started(await watchDisk(mongo.db, { fullAt, log, ...deps.disk }));
    const redis = createRedis({ url: config.REDIS_URL, log });
    onClose(() => redis.disconnect());
    const wakeUps = createWakeUps(redis, { service: name, log });
    onClose(() => wakeUps.close());
    const auth = authOf(name, config, keys, redis);
    onClose(() => auth?.close());
    await auth?.reachIdentity(config.BOOT_WAIT_S);
    const signer = auth?.signer ?? createServiceTokenSigner({ service: name, ...keys });
    const listening = Promise.withResolvers<number>();
    const resources = await service.resources({
      name,
      config,
      log,
      keys,
      db: mongo.db,
      redis,
      wakeUps,
      signer,
      identity: auth?.identity as Opened<Config>["identity"],
      port: listening.promise,
      ...closing,
      connect: connectAs(signer, onClose),
    });
    let isWarmingUp = true;
    const verifyUserToken = deps.verifyUserToken ?? service.verifyUserToken?.(resources) ?? auth?.verifyUserToken;
    const server = await startGrpcServer({
      service: name,
      definition,
      handlers: service.handlers(resources),
      access,
      batched: service.batched,
      extraDefinitions: service.extraDefinitions?.(resources) ?? [],
      host: config.HOST,
      port: config.PORT,
      healthPort: config.HEALTH_PORT,
      tls: keys.tls,
      verifyServiceToken: createServiceTokenVerifier({ self: name, jwks: keys.jwks }),
      isServing: false,
      assertMayWrite: () => assertDiskHasRoom(mongo.db),
      warmingUp: () => (isWarmingUp ? name : undefined),
      verifyUserToken,
      log,
    });
    onClose(() => server.stop());
    listening.resolve(server.port);
    closing.onDrain(() => {
      admin?.setReady(false);
      server.setServing(false);
    });
    await warmUpService(service, { resources, port: server.port, db: mongo.db, redis, signer, verifyUserToken, log });
    isWarmingUp = false;
    server.setServing(true);
    admin?.setReady(true);
    log.info({ port: server.port }, `${name} is listening`);
    return { port: server.port, resources, stop: closing.close };
  } catch (error) {
    await closing.close().catch(() => undefined);
    throw error;
  }
}

function connectAs(signer: ServiceTokenSigner, onClose: Opened<ServiceConfig>["onClose"]) {
  return ((definition, audience, address) => {
    if (address === undefined) return undefined;
    const client = createClient(definition, { address, audience, signer });
    onClose(() => client.close());
    return client;
  }) as Opened<ServiceConfig>["connect"];
}

interface Started<Resources> {
  readonly resources: Resources;
  readonly port: number;
  readonly db: Connection;
  readonly redis: Redis;
  readonly signer: ServiceTokenSigner;
  readonly verifyUserToken: UserTokenVerifier | undefined;
  readonly log: Logger;
}

/** Connections and keys, then what the service names; it is called through its own port. */
async function warmUpService<Def extends GrpcDefinition, Config extends ServiceConfig, Resources>(
  { name, config, definition, warmUps }: ServiceParts<Def, Config, Resources>,
  { resources, port, db, redis, signer, verifyUserToken, log }: Started<Resources>,
): Promise<void> {
  const self = createClient(definition, { address: ownAddress(config.HOST, port), audience: name, signer });
  try {
    const own = warmUps?.(resources, self) ?? [];
    const connections = [warmUpDatabase(db), warmUpRedis(redis), warmUpKeys(verifyUserToken)];
    await warmUp([...connections, ...own], warmUpSeconds(config), log);
  } finally {
    self.close();
  }
}

/** Of whatever a service listens on, one address that reaches it. */
function ownAddress(host: string, port: number): string {
  const own = { "0.0.0.0": "127.0.0.1", "::": "::1" }[host] ?? host;
  return own.includes(":") ? `[${own}]:${port}` : `${own}:${port}`;
}

function authOf(
  service: ServiceName,
  { IDENTITY_ADDRESS: identityAddress }: ServiceConfig,
  keys: ServiceKeys,
  redis: Redis,
): ServiceAuth | undefined {
  return identityAddress === undefined ? undefined : createServiceAuth({ service, keys, redis, identityAddress });
}

/**
 * Runs the steps given to it in reverse order, those of draining first; one that fails does not
 * keep the others.
 */
function createClosing(log: Logger) {
  const draining: (() => unknown)[] = [];
  const closing: (() => unknown)[] = [];
  let closed: Promise<void> | undefined;
  async function closeAll(): Promise<void> {
    const errors: unknown[] = [];
    for (const step of [...draining.toReversed(), ...closing.toReversed()]) {
      try {
        await step();
      } catch (error) {
        log.error({ err: error }, "a step of stopping failed");
        errors.push(error);
      }
    }
    if (errors.length > 0) throw errors[0];
  }
  return {
    onDrain: (step: () => unknown): void => void draining.push(step),
    onClose: (step: () => unknown): void => void closing.push(step),
    started<Job extends { stop(): unknown }>(job: Job): Job {
      closing.push(() => job.stop());
      return job;
    },
    /**
     * Throws what the first step that fails has thrown, after all of them. Asked twice, it closes
     * once.
     */
    close: (): Promise<void> => (closed ??= closeAll()),
  };
}
