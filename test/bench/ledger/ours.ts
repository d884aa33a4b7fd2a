import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Connection } from "mongoose";
import { startChild } from "../../../deploy/local/child.js";
import { nodeOptions, serviceTable } from "../../../deploy/local/service-table.js";
import { freePort } from "../../../deploy/local/ports.js";
import { LedgerServiceDefinition, TransferMode, type GroupResult } from "../../../proto/gen/ledger/v1/ledger.js";
import { ledgerEnv } from "../../../services/ledger/config.js";
import { createCacheBudget } from "../../../services/ledger/journal/cache.js";
import type { LinkedGroup } from "../../../services/ledger/domain/model.js";
import { createCalendars } from "../../../services/ledger/journal/calendars.js";
import { createOwnership } from "../../../services/ledger/journal/ownership.js";
import { createPosting, type Results } from "../../../services/ledger/journal/posting.js";
import { systemClock } from "../../../services/kernel/time/clock.js";
import { createClient, outgoing, type BatchingClient, type Client } from "../../../services/kernel/grpc/client.js";
import { batchPostings } from "../../../services/platform/neighbours/posting-batches.js";
import { createLogger } from "../../../services/kernel/process/log.js";
import { makeServiceKeys } from "../../../services/kernel/tokens/make-service-keys.js";
import { utcBusinessClock } from "../../support/utc-clock.js";
import { createServiceTokenSigner } from "../../../services/kernel/tokens/service-tokens.js";

/** One transfer, or several as independent groups of one call. */
export interface Ours {
  post(pairs: readonly Pair[]): Promise<void>;
  stop(): Promise<void>;
}

export type Pair = readonly [debit: string, credit: string];

const { MAX_QUEUED_TRANSFERS, MAX_CACHED_ACCOUNTS, LEASE_TTL_MS } = ledgerEnv
  .pick({ MAX_QUEUED_TRANSFERS: true, MAX_CACHED_ACCOUNTS: true, LEASE_TTL_MS: true })
  .parse({});

/** (c) The ledger's own code in this process: leases, keys, rules, chain, answers. */
export function createInProcess(db: Connection, tenantId: string): Ours {
  const log = createLogger({ service: "ledger", level: "error" });
  const ownership = createOwnership({
    db,
    address: Promise.resolve(`bench-${process.pid}`),
    leaseTtlMs: LEASE_TTL_MS,
    idleMs: 60_000,
    clock: systemClock,
    calendars: createCalendars({ businessClock: utcBusinessClock(), log }),
    limits: { maxQueuedTransfers: MAX_QUEUED_TRANSFERS, cache: createCacheBudget(MAX_CACHED_ACCOUNTS) },
    log,
  });
  const forward = () => Promise.reject(new Error("the benchmark has one replica"));
  const posting = createPosting({ ownership, forward });
  return {
    async post(pairs) {
      const groups = pairs.map(groupOf);
      const interactionId = groups[0]!.interactionId;
      assertPosted(await posting.post({ groups, createdBy: "bench", service: "wallet" }, { tenantId, interactionId }));
    },
    stop: () => ownership.stop(),
  };
}

function groupOf([debitAccountId, creditAccountId]: Pair): LinkedGroup {
  const key = randomUUID();
  const transfer = {
    key,
    mode: "POSTED",
    debitAccountId,
    creditAccountId,
    amount: { minor: 1n, currency: "USD" },
    kind: "bench",
    refersTo: "",
    description: "",
    metadata: [],
  } as const;
  return { transfers: [transfer], createdBy: "bench", interactionId: key, service: "wallet" };
}

function assertPosted(results: Results | readonly GroupResult[]): void {
  for (const { posted, refused } of results) {
    if (posted === undefined) throw new Error(`refused: ${refused?.code} ${refused?.message}`);
  }
}

export type BenchKeys = Awaited<ReturnType<typeof makeBenchKeys>>;

/** Of the ledger, and of the one that calls it. */
export const makeBenchKeys = () => makeServiceKeys(["wallet", "ledger"]);

export interface ProcessOptions {
  readonly dir: string;
  readonly mongoUri: string;
  readonly database: string;
  readonly tenantId: string;
  /** The built main.js of the ledger. */
  readonly main: string;
  /** Of this process alone. */
  readonly env?: Record<string, string>;
  /** Those of the replicas that serve one database; made where absent. */
  readonly keys?: BenchKeys;
}

export interface OursByGrpc extends Ours {
  readonly pid: number;
  readonly client: BatchingClient<LedgerServiceDefinition>;
  /** A call for each posting, whatever else is under way. */
  readonly alone: Ours;
}

/** (d), (e) The built ledger in a process of its own, spoken to as other services do. */
export async function startProcess(options: ProcessOptions): Promise<OursByGrpc> {
  const { dir, mongoUri, database, tenantId, main } = options;
  const keys = options.keys ?? (await makeBenchKeys());
  const [keyFile, jwksFile] = [join(dir, "ledger.jwk.json"), join(dir, "services.jwks.json")];
  writeFileSync(keyFile, JSON.stringify(keys.private.ledger));
  writeFileSync(jwksFile, JSON.stringify(keys.jwks));
  const port = await freePort();
  const env = {
    PATH: process.env["PATH"] ?? "",
    NODE_ENV: "production",
    PORT: String(port),
    MONGODB_URI: mongoUri,
    MONGODB_DATABASE: database,
    REDIS_URL: "redis://127.0.0.1:1",
    IDENTITY_ADDRESS: "127.0.0.1:1",
    SERVICE_KEY_FILE: keyFile,
    SERVICE_JWKS_FILE: jwksFile,
    LOG_LEVEL: "warn",
    ...options.env,
  };
  // As it runs in a cluster.
  const row = serviceTable.find(({ name }) => name === "ledger")!;
  const args = [...nodeOptions(row), main];
  const child = await startChild({ command: process.execPath, args, env, log: join(dir, "ledger.log") });
  const signer = createServiceTokenSigner({ service: "wallet", privateJwk: keys.private.wallet });
  const client = createClient(LedgerServiceDefinition, { address: `127.0.0.1:${port}`, audience: "ledger", signer });
  const call = () => outgoing({ tenantId, interactionId: randomUUID() });
  for (let tries = 0; ; tries++) {
    try {
      await client.getTrialBalance({}, call());
      break;
    } catch (error) {
      if (tries === 50 || !child.isRunning()) throw error;
      await sleep(200);
    }
  }
  const through = ({ postTransfers }: Poster): Ours => ({
    post: (pairs) => postPairs({ postTransfers }, tenantId, pairs),
    async stop() {
      client.close();
      await child.stop();
    },
  });
  return { pid: child.pid, client, alone: through(client), ...through(batchPostings(client)) };
}

type Poster = Pick<Client<LedgerServiceDefinition>, "postTransfers">;

/** Posts pairs of accounts of a tenant, each by itself. Throws where one is refused. */
export async function postPairs({ postTransfers }: Poster, tenantId: string, pairs: readonly Pair[]): Promise<void> {
  const groups = pairs.map(([debitAccountId, creditAccountId]) => {
    const amount = { amountMinor: 1n, currency: "USD" };
    const mode = TransferMode.TRANSFER_MODE_POSTED;
    return { transfers: [{ key: randomUUID(), debitAccountId, creditAccountId, amount, kind: "bench", mode }] };
  });
  const call = outgoing({ tenantId, interactionId: randomUUID() });
  assertPosted((await postTransfers({ groups, createdBy: "bench" }, call)).results);
}
