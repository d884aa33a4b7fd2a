import { LedgerServiceDefinition } from "../../proto/gen/ledger/v1/ledger.js";
import { startAdmin } from "../shared/admin.js";
import { keyFilesOf } from "../shared/config.js";
import { systemClock, type Clock } from "../shared/clocks/clock.js";
import { createServiceAuth } from "../shared/grpc/service-auth.js";
import { startGrpcServer } from "../shared/grpc/server.js";
import { createLogger, type Logger } from "../shared/log.js";
import { openDatabase } from "../shared/mongo/open-database.js";
import { createRedis } from "../shared/redis.js";
import { loadServiceKeys, type ServiceKeys } from "../shared/tokens/service-tokens.js";
import type { UserTokenVerifier } from "../shared/tokens/user-tokens.js";
import { access } from "./access.js";
import type { LedgerConfig } from "./config.js";
import { createDryRun } from "./audit/dry-run.js";
import { startExpirySweep } from "./jobs/expiry.js";
import { createForwarding } from "./journal/forwarding.js";
import { createLedgerHandlers } from "./handlers/index.js";
import { createJournalImport } from "./audit/import.js";
import { migrations } from "./store/migrations.js";
import { createCacheBudget } from "./journal/cache.js";
import { createOwnership } from "./journal/ownership.js";
import { createHeadPublisher } from "./jobs/published-heads.js";
import { createPosting } from "./journal/posting.js";
import { createLedgerStore } from "./store/index.js";

export interface LedgerDeps {
  log?: Logger;
  clock?: Clock;
  /** Read from the config's files when absent. */
  keys?: ServiceKeys;
  verifyUserToken?: UserTokenVerifier;
}

export interface RunningLedger {
  readonly port: number;
  /** Finishes what is queued, releases the journals to other replicas, then stops serving. */
  stop(): Promise<void>;
}

/** Starts the ledger. Rejects when MongoDB is away or the port is taken. */
export async function startLedger(config: LedgerConfig, deps: LedgerDeps = {}): Promise<RunningLedger> {
  const { clock = systemClock } = deps;
  const log = deps.log ?? createLogger({ service: "ledger", level: config.LOG_LEVEL });
  const keys = deps.keys ?? (await loadServiceKeys(keyFilesOf(config)));
  const closing: (() => unknown)[] = [];
  const close = async () => {
    for (const step of closing.splice(0).toReversed()) await step();
  };
  try {
    const admin = config.ADMIN_PORT === undefined ? undefined : await startAdmin(config.ADMIN_PORT, config.HOST);
    closing.push(() => admin?.stop());
    const mongo = await openDatabase(config, { migrations, log });
    closing.push(() => mongo.close());
    const redis = createRedis({ url: config.REDIS_URL, log });
    closing.push(() => redis.disconnect());
    const auth = createServiceAuth({ service: "ledger", keys, redis, identityAddress: config.IDENTITY_ADDRESS });
    closing.push(() => auth.close());
    const forwarding = createForwarding(auth.signer, config.LEASE_TTL_MS);
    closing.push(() => forwarding.close());

    const publisher = createHeadPublisher({ file: config.HEADS_FILE, log });
    closing.push(() => publisher.flush());
    const listening = Promise.withResolvers<string>();
    const ownership = createOwnership({
      db: mongo.db,
      address: listening.promise,
      leaseTtlMs: config.LEASE_TTL_MS,
      idleMs: config.JOURNAL_IDLE_MS,
      clock,
      limits: { maxQueuedTransfers: config.MAX_QUEUED_TRANSFERS, cache: createCacheBudget(config.MAX_CACHED_ACCOUNTS) },
      log,
      publisher,
      publishEveryMs: config.HEADS_EVERY_MS,
    });
    const store = createLedgerStore(mongo.db);
    const posting = createPosting({ ownership, forward: forwarding.forward });
    await auth.reachIdentity(config.BOOT_WAIT_S);
    const server = await startGrpcServer({
      service: "ledger",
      definition: LedgerServiceDefinition,
      handlers: createLedgerHandlers({
        store,
        posting,
        dryRun: createDryRun({ db: mongo.db, clock }),
        importJournal: createJournalImport(mongo.db),
        clock,
      }),
      access,
      host: config.HOST,
      port: config.PORT,
      healthPort: config.HEALTH_PORT,
      tls: keys.tls,
      verifyServiceToken: auth.verifyServiceToken,
      verifyUserToken: deps.verifyUserToken ?? auth.verifyUserToken,
      log,
    });
    listening.resolve(config.ADVERTISED_ADDRESS ?? `${config.HOST}:${server.port}`);
    const sweep = startExpirySweep({ store, ownership, clock, intervalMs: config.EXPIRY_SWEEP_MS, log });
    closing.push(() => server.stop());
    // Journals are released while calls are still served: those in flight are forwarded to the next owner.
    closing.push(() => ownership.stop());
    closing.push(() => sweep.stop());
    closing.push(() => server.setServing(false));
    admin?.setReady(true);
    closing.push(() => admin?.setReady(false));
    log.info({ port: server.port }, "ledger is listening");
    return { port: server.port, stop: close };
  } catch (error) {
    await close();
    throw error;
  }
}
