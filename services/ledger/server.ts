import { randomUUID } from "node:crypto";
import { EventsServiceDefinition } from "../../proto/gen/events/v1/events.js";
import { LedgerServiceDefinition } from "../../proto/gen/ledger/v1/ledger.js";
import { systemClock, type Clock } from "../kernel/time/clock.js";
import { createIdempotency, createRunOnce } from "../kernel/idempotency/index.js";
import { startService, type Opened, type ServiceDeps } from "../kernel/startup/start-service.js";
import { processMetrics } from "../kernel/telemetry/metrics.js";
import { warmUpCalls } from "../kernel/startup/warm-up.js";
import { access, batched } from "./access.js";
import type { LedgerConfig } from "./config.js";
import { createDryRun } from "./audit/dry-run.js";
import { startExpirySweep } from "./jobs/expiry.js";
import { createForwarding } from "./journal/forwarding.js";
import { ledgerHandlers } from "./handlers/index.js";
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

/**
 * Starts the ledger. Rejects when MongoDB is away or the port is taken. Its stop finishes what is
 * queued and releases the journals to other replicas.
 */
export const startLedger = (config: LedgerConfig, deps: ServiceDeps = {}) =>
  startService({
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
          self.dryRunTransfers({ request: { groups: [{ transfers: [sampleTransfer] }], createdBy: "warm-up" } }, call),
      }),
    handlers: ledgerHandlers,
  });

const sampleTransfer = {
  key: "warm-up",
  debitAccountId: "warm-up-1",
  creditAccountId: "warm-up-2",
  amount: { amountMinor: 1n, currency: "USD" },
  kind: "payment",
  mode: "TRANSFER_MODE_POSTED" as const,
};

function openResources(opened: Opened<LedgerConfig>, { clock = systemClock }: ServiceDeps) {
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
      sweep?.pollFast();
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
  return {
    store,
    posting: createPosting({ ownership, forward: forwarding.forward }),
    dryRun: createDryRun({ db, clock }),
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
  { config, db, log, connect, started, onClose }: Opened<LedgerConfig>,
  store: ReturnType<typeof createLedgerStore>,
  clock: Clock,
): ReturnType<typeof startTelling> | undefined {
  const events = connect(EventsServiceDefinition, "events", config.EVENTS_ADDRESS);
  if (events === undefined) return undefined;
  const sweepMs = config.TELL_SWEEP_MS;
  const telling = started(startTelling({ store, tellings: createTellingStore(db), events, clock, sweepMs, log }));
  onClose(processMetrics.watchOutbox(async () => ({ oldestDueS: telling.oldestS(), parked: 0 })));
  return telling;
}
