import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Connection } from "mongoose";
import { setTimeout as sleep } from "node:timers/promises";
import { startChild, type Child } from "../../deploy/local/child.js";
import { freePort } from "../../deploy/local/ports.js";
import { startMongo, type RunningMongo } from "../../deploy/local/servers.js";
import { IdentityServiceDefinition } from "../../proto/gen/identity/v1/identity.js";
import { LedgerServiceDefinition } from "../../proto/gen/ledger/v1/ledger.js";
import { collections, type LeaseDocument } from "../../services/ledger/store/collections.js";
import { createLedgerStore, type TenantStore } from "../../services/ledger/store/index.js";
import { createVerificationStore, type VerificationStore } from "../../services/ledger/store/verifications.js";
import { createClient, type BatchingClient } from "../../services/kernel/grpc/client.js";
import type { GrpcDefinition } from "../../services/kernel/grpc/definition.js";
import type { Handlers } from "../../services/kernel/grpc/server.js";
import { connectMongo } from "../../services/kernel/mongo/connect.js";
import { acrossTenants } from "../../services/kernel/mongo/tenant-collection.js";
import { Refusal } from "../../services/kernel/refusal.js";
import { createServiceTokenSigner, type ServiceTokenSigner } from "../../services/kernel/tokens/service-tokens.js";
import { startFaultProxy, type FaultProxy } from "./fault-proxy.js";
import { createServiceNetwork } from "./service-network.js";
import { silentLog } from "./index.js";

const main = "dist/services/ledger/main.js";
const database = "manilla_ledger";

/** A built ledger in a process of its own, which a test may kill. */
export interface LedgerProcess {
  readonly address: string;
  readonly client: BatchingClient<LedgerServiceDefinition>;
  readonly operator: BatchingClient<LedgerServiceDefinition>;
  /**
   * Where other replicas reach it, and where it reaches mongod: proxies, where they were asked for.
   */
  readonly proxies?: { readonly replica: FaultProxy; readonly mongo: FaultProxy };
  child: Child;
  start(crashPoint?: string): Promise<void>;
  /** SIGKILL, and back after a while. */
  killAndRestart(): Promise<void>;
  /** Kills the process where it next passes the crash point. */
  crashAt(crashPoint: string): void;
}

type TenantVerifications = ReturnType<VerificationStore["forTenant"]>;

export type LedgerProcesses = Awaited<ReturnType<typeof startLedgerProcesses>>;

/**
 * Two ledgers, and what `addReplica` adds, on a mongod of their own, on disk: what mongod
 * acknowledged must outlive it. KEEP_LOGS keeps the folder. `givenMongoUri` names
 * databases that run already, which nobody here kills. `isProxied` puts a fault proxy
 * before each replica and mongod. `people`: what identity answers beside tenants' clocks.
 */
export async function startLedgerProcesses(
  name: string,
  env: Record<string, string> = {},
  givenMongoUri?: string,
  isProxied = false,
  people: Partial<Handlers<IdentityServiceDefinition>> = {},
) {
  // `npm test` has built it; by itself, run `npm run build` after a change.
  if (!existsSync(main)) execFileSync(process.execPath, ["deploy/build.mjs"]);
  const dir = mkdtempSync(join(tmpdir(), `manilla-${name}-`));
  const children = new Set<Child>();
  let own: RunningMongo | undefined =
    givenMongoUri === undefined ? await startMongo({ dir: join(dir, "mongo") }) : undefined;
  const mongoUri = () => own?.uri ?? givenMongoUri!;
  const network = await createServiceNetwork();
  const ledgerKeys = network.keysOf("ledger");
  writeFileSync(join(dir, "ledger.jwk.json"), JSON.stringify(ledgerKeys.privateJwk));
  writeFileSync(join(dir, "services.jwks.json"), JSON.stringify(ledgerKeys.jwks));
  const IDENTITY_ADDRESS = await network.standIn("identity", IdentityServiceDefinition, {
    ...people,
    getTenantClock: async () => ({ clock: { timeZone: "UTC", offsetMs: 0n } }),
  });
  const signer = createServiceTokenSigner({ service: "wallet", ...network.keysOf("wallet") });
  const operator = createServiceTokenSigner({ service: "operator", ...network.keysOf("operator") });
  const common = {
    dir,
    mongoUri: mongoUri(),
    signer,
    operator,
    children,
    env: { IDENTITY_ADDRESS, ...env },
    isProxied,
  };
  const replicas = [
    await startReplica({ ...common, name: "ledger-1" }),
    await startReplica({ ...common, name: "ledger-2" }),
  ] as const;
  const all = [...replicas];

  async function withDatabase<T>(work: (db: Connection) => Promise<T>): Promise<T> {
    const { db, close } = await connectMongo({ uri: mongoUri(), database, log: silentLog });
    try {
      return await work(db);
    } finally {
      await close();
    }
  }

  return {
    replicas,

    /** A client of a replica, as another service. */
    clientOf: <Def extends GrpcDefinition>(
      definition: Def,
      { address }: LedgerProcess,
      service: "remittance" | "gateway" | "identity",
    ): BatchingClient<Def> => network.client(definition, "ledger", Number(address.split(":")[1]), service),

    async addReplica(): Promise<LedgerProcess> {
      const replica = await startReplica({ ...common, name: `ledger-${all.length + 1}` });
      all.push(replica);
      return replica;
    },

    async killAndRestartMongo(): Promise<void> {
      if (own === undefined) throw new Error("this mongod is not ours to kill");
      const { port } = own;
      await own.kill();
      // What was in its journal is replayed first, on a machine that may be busy.
      own = await startMongo({ dir: join(dir, "mongo"), port });
    },

    /** Mongod is killed, its files are kept as a volume's snapshot would be, and it comes back. */
    async backUpMongo(): Promise<void> {
      if (own === undefined) throw new Error("this mongod is not ours to kill");
      const { port } = own;
      await own.kill();
      cpSync(join(dir, "mongo"), join(dir, "backup"), { recursive: true });
      own = await startMongo({ dir: join(dir, "mongo"), port });
    },

    /** Replicas and mongod are killed, and come back with the files of the backup. */
    async restoreMongo(): Promise<void> {
      if (own === undefined) throw new Error("this mongod is not ours to kill");
      const { port } = own;
      for (const { child } of all) await child.kill();
      await own.kill();
      rmSync(join(dir, "mongo"), { recursive: true });
      cpSync(join(dir, "backup"), join(dir, "mongo"), { recursive: true });
      own = await startMongo({ dir: join(dir, "mongo"), port });
      await Promise.all(all.map((replica) => replica.start()));
    },

    /** Lines of the replicas' logs that hold a text, such as an interaction id. */
    logged(text: string): string[] {
      const logs = all.map(({ name }) => join(dir, `${name}.log`)).filter((file) => existsSync(file));
      return logs.flatMap((file) =>
        readFileSync(file, "utf8")
          .split("\n")
          .filter((line) => line.includes(text)),
      );
    },

    /** Ends the replicas in order; the store stays. */
    async stopReplicas(): Promise<void> {
      for (const { close, child } of all) {
        close();
        await child.stop();
      }
    },

    /**
     * Journals that each address owns, by the leases that run; with how often each was taken over.
     */
    async owners(): Promise<{ journals: Map<string, number>; takenOver: bigint }> {
      const { db, close } = await connectMongo({ uri: mongoUri(), database, log: silentLog });
      try {
        const leases = acrossTenants<LeaseDocument>(db, collections.leases, "a test");
        const running = await leases.find({ $expr: { $gt: ["$until", "$$NOW"] } });
        const byAddress = Map.groupBy(running, ({ address }) => address);
        return {
          journals: new Map([...byAddress].map(([address, { length }]) => [address, length])),
          takenOver: running.reduce((sum, { epoch }) => sum + epoch, 0n),
        };
      } finally {
        await close();
      }
    },

    withDatabase,

    /** A tenant's store, past the replicas. */
    withStore: <T>(tenantId: string, work: (store: TenantStore) => Promise<T>): Promise<T> =>
      withDatabase((db) => work(createLedgerStore(db).forTenant(tenantId))),

    /** A tenant's verifications, past the replicas. */
    withVerifications: <T>(tenantId: string, work: (verifications: TenantVerifications) => Promise<T>): Promise<T> =>
      withDatabase((db) => work(createVerificationStore(db).forTenant(tenantId))),

    async close(): Promise<void> {
      for (const child of children) await child.kill();
      await own?.kill();
      await network.close();
      for (const { close, proxies } of all) {
        close();
        await proxies?.replica.close();
        await proxies?.mongo.close();
      }
      if (process.env["KEEP_LOGS"] === undefined) rmSync(dir, { recursive: true, force: true });
    },
  };
}

interface ReplicaOptions {
  readonly dir: string;
  readonly name: string;
  readonly mongoUri: string;
  readonly signer: ServiceTokenSigner;
  readonly operator: ServiceTokenSigner;
  readonly isProxied: boolean;
  readonly children: Set<Child>;
  readonly env: Record<string, string>;
}

async function startReplica(options: ReplicaOptions) {
  const { dir, name, mongoUri, signer, children, env: more } = options;
  const port = await freePort();
  const address = `127.0.0.1:${port}`;
  const proxies = options.isProxied
    ? { replica: await startFaultProxy(address), mongo: await startFaultProxy(new URL(mongoUri).host) }
    : undefined;
  const reached = { address, audience: "ledger", timeoutMs: 4_000 } as const;
  const client = createClient(LedgerServiceDefinition, { ...reached, signer });
  const operator = createClient(LedgerServiceDefinition, { ...reached, signer: options.operator });
  const env = {
    PATH: process.env["PATH"] ?? "",
    NODE_COMPILE_CACHE: resolve(".cache/compiled"),
    PORT: String(port),
    // A set's own list of its members would lead past the proxy.
    MONGODB_URI: proxies === undefined ? mongoUri : `mongodb://${proxies.mongo.address}/?directConnection=true`,
    MONGODB_DATABASE: database,
    // It is not needed to post: only users' tokens ask for it.
    REDIS_URL: "redis://127.0.0.1:1",
    SERVICE_KEY_FILE: join(dir, "ledger.jwk.json"),
    SERVICE_JWKS_FILE: join(dir, "services.jwks.json"),
    ADVERTISED_ADDRESS: proxies?.replica.address ?? address,
    LOG_LEVEL: "info",
    CRASH_POINT_FILE: join(dir, `${name}.crash-point`),
    ...more,
  };
  const launch = async (crashPoint?: string) => {
    const armed = crashPoint === undefined ? env : { ...env, CRASH_POINT: crashPoint };
    const log = join(dir, `${name}.log`);
    const child = await startChild({ command: process.execPath, args: [main], env: armed, log });
    children.add(child);
    return child;
  };
  const replica: LedgerProcess & { name: string; close(): void } = {
    name,
    address,
    client,
    operator,
    ...(proxies === undefined ? {} : { proxies }),
    child: await launch(),
    async start(crashPoint) {
      replica.child = await launch(crashPoint);
    },
    async killAndRestart() {
      await replica.child.kill();
      await sleep(500);
      await replica.start();
    },
    crashAt: (crashPoint) => writeFileSync(env.CRASH_POINT_FILE, crashPoint),
    close: () => {
      client.close();
      operator.close();
    },
  };
  return replica;
}

const passing = new Set(["UNAVAILABLE", "DEADLINE_EXCEEDED"]);

/** What may be asked again, of a replica that may still be starting. */
export async function onceUp<T>(ask: () => Promise<T>): Promise<T> {
  const giveUpAt = performance.now() + 30_000;
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof Refusal) || !passing.has(error.code) || performance.now() > giveUpAt) throw error;
      await sleep(200);
    }
  }
}
