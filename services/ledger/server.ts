import { randomUUID } from "node:crypto";
import { EventsServiceDefinition } from "../../proto/gen/events/v1/events.js";
import { LedgerServiceDefinition } from "../../proto/gen/ledger/v1/ledger.js";
import { systemClock, type Clock } from "../kernel/time/clock.js";
import type { Logger } from "../kernel/process/log.js";
import { createIdempotency, createRunOnce } from "../kernel/idempotency/index.js";
import { startService, type Opened } from "../kernel/startup/start-service.js";
import { processMetrics } from "../kernel/telemetry/metrics.js";
import type { ServiceKeys } from "../kernel/tokens/service-tokens.js";
import type { UserTokenVerifier } from "../kernel/tokens/user-tokens.js";
import { warmUpCalls } from "../kernel/startup/warm-up.js";
import { access, batched } from "./access.js";
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
import { startSharing } from "./journal/sharing.js";
import { startTelling } from "./jobs/telling.js";
import { startVerifications } from "./jobs/verifications.js";
import { createLedgerStore } from "./store/index.js";
import { createReplicaStore } from "./store/replicas.js";
import { createTellingStore } from "./store/tellings.js";
import { createVerificationStore } from "./store/verifications.js";

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
  return startService({
    name: "ledger",
    config,
    deps,
    definition: LedgerServiceDefinition,
    access,
    batched,
    migrations,
    resources: (opened: Opened<LedgerConfig>) => openResources(opened, deps),
    warmUps: (_resources, self) =>
      warmUpCalls({
        getAccounts: (call) => self.getAccounts({ accountIds: ["warm-up"] }, call),
        listEntriesByInteraction: (call) => self.listEntriesByInteraction({ interactionId: "warm-up" }, call),
        // Posting takes the tenant's journal over, which would be a trace; it is planned alike.
        dryRunTransfers: (call) =>
          self.dryRunTransfers({ request: { groups: [sampleGroup], createdBy: "warm-up" } }, call),
      }),
    handlers: createLedgerHandlers,
  });
}

const sampleGroup = {
  transfers: [
    {
      key: "warm-up",
      debitAccountId: "warm-up-1",
      creditAccountId: "warm-up-2",
      amount: { amountMinor: 1n, currency: "USD" },
      kind: "payment",
      mode: "TRANSFER_MODE_POSTED" as const,
    },
  ],
};

function openResources(opened: Opened<LedgerConfig>, { clock = systemClock }: LedgerDeps) {
  const { config, db, log, signer, port, onClose, onDrain } = opened;
  const forwarding = createForwarding(signer, config.LEASE_TTL_MS);
  onClose(() => forwarding.close());
  const publisher = createHeadPublisher({ file: config.HEADS_FILE, log });
  onClose(() => publisher.flush());
  const self = {
    address: port.then((own) => config.ADVERTISED_ADDRESS ?? `${config.HOST}:${own}`),
    holder: randomUUID(),
  };
  const store = createLedgerStore(db);
  const telling = openTelling(opened, store, clock);
  let sweep: ReturnType<typeof startExpirySweep> | undefined;
  const ownership = createOwnership({
    db,
    ...self,
    pinned: config.PINNED_TENANTS,
    leaseTtlMs: config.LEASE_TTL_MS,
    idleMs: config.JOURNAL_IDLE_MS,
    clock,
    limits: { maxQueuedTransfers: config.MAX_QUEUED_TRANSFERS, cache: createCacheBudget(config.MAX_CACHED_ACCOUNTS) },
    log,
    publisher,
    publishEveryMs: config.HEADS_EVERY_MS,
    onCommitted(tenantId) {
      telling?.wake(tenantId);
      sweep?.stir();
    },
  });
  // Journals are released while calls are still served: those in flight are forwarded to the next
  // owner.
  onDrain(() => ownership.stop());
  const replicas = createReplicaStore(db, { ...self, ttlMs: 3 * config.SHARE_EVERY_MS });
  let sharing: ReturnType<typeof startSharing> | undefined;
  // Nothing is taken over before others can reach this replica.
  void port.then(() => {
    sweep = startExpirySweep({ store, ownership, clock, intervalMs: config.EXPIRY_SWEEP_MS, log });
    sharing = startSharing({ ownership, replicas, everyMs: config.SHARE_EVERY_MS, log });
  });
  onDrain(() => sweep?.stop());
  onDrain(() => sharing?.stop());
  const posting = createPosting({ ownership, forward: forwarding.forward });
  const dryRun = createDryRun({ db, clock });
  return {
    store,
    posting,
    dryRun,
    importJournal: createJournalImport(db),
    ...openVerifications(opened, store, clock),
    clock,
  };
}

/** Verifications that managers ask for; one that is under way is left to another replica. */
function openVerifications(
  { config, db, redis, log, onDrain }: Opened<LedgerConfig>,
  store: ReturnType<typeof createLedgerStore>,
  clock: Clock,
) {
  const verifications = createVerificationStore(db);
  const verificationJob = startVerifications({
    store,
    verifications,
    clock,
    log,
    everyMs: config.VERIFY_SWEEP_MS,
    leaseMs: config.VERIFY_LEASE_MS,
    pieceTransfers: config.VERIFY_PIECE_TRANSFERS,
  });
  onDrain(() => verificationJob.stop());
  const idempotency = createIdempotency({ db, redis, clock: systemClock, log });
  return { verifications, verificationJob, runOnce: createRunOnce({ db, idempotency }) };
}

/** Nobody is told where nobody said where events are. It ends after the journals have. */
function openTelling(
  { config, db, log, connect, onClose }: Opened<LedgerConfig>,
  store: ReturnType<typeof createLedgerStore>,
  clock: Clock,
): ReturnType<typeof startTelling> | undefined {
  const { EVENTS_ADDRESS: address, TELL_SWEEP_MS: sweepMs } = config;
  if (address === undefined) return undefined;
  const events = connect(EventsServiceDefinition, "events", address);
  const telling = startTelling({ store, tellings: createTellingStore(db), events, clock, sweepMs, log });
  onClose(() => telling.stop());
  onClose(processMetrics.watchOutbox(async () => ({ oldestDueS: telling.oldestS(), parked: 0 })));
  return telling;
}
