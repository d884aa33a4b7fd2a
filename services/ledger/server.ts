import { randomUUID } from "node:crypto";
import { EventsServiceDefinition } from "../../proto/gen/events/v1/events.js";
import { LedgerServiceDefinition } from "../../proto/gen/ledger/v1/ledger.js";
import { systemClock } from "../kernel/time/clock.js";
import { serveOutbox } from "../kernel/outbox/operations.js";
import { startService, type Opened, type ServiceDeps } from "../kernel/startup/start-service.js";
import { createCommits } from "../kernel/startup/commits.js";
import { serveApprovalOutcomes } from "../platform/approvals/approval-outcomes.js";
import { createApprovals } from "../platform/approvals/approvals.js";
import { createBusinessClock, type BusinessClock } from "../platform/preferences/business-clock.js";
import { createPreferences } from "../platform/preferences/preferences.js";
import { access, batched } from "./access.js";
import { preferenceOf } from "./clients/preferences.js";
import type { LedgerConfig } from "./config.js";
import { createDryRun } from "./audit/dry-run.js";
import { startExpirySweep } from "./jobs/expiry.js";
import { createCalendars } from "./journal/calendars.js";
import { createForwarding } from "./journal/forwarding.js";
import { approvalOutcomes } from "./handlers/approval-outcomes.js";
import { ledgerHandlers, serveBooks } from "./handlers/index.js";
import { ledgerWarmUps } from "./handlers/warm-ups.js";
import { createJournalImport } from "./audit/import.js";
import { migrations } from "./store/migrations.js";
import { createCacheBudget } from "./journal/cache.js";
import { createOwnPosting } from "./journal/own-posting.js";
import { createOwnership } from "./journal/ownership.js";
import { createHeadPublisher } from "./jobs/published-heads.js";
import { createPosting } from "./journal/posting.js";
import { startSharing } from "./journal/sharing.js";
import { openClosedBooks, openPartnerAlarms, openPositions, openTelling, openVerifications } from "./jobs/index.js";
import type { PartnerAlarms } from "./jobs/partner-alarms.js";
import type { PositionJob } from "./jobs/positions.js";
import { startLedgerRelay } from "./jobs/relay.js";
import { rowKinds } from "./row-kinds.js";
import { createSagas } from "./sagas/index.js";
import { createLedgerStore } from "./store/index.js";
import { createBookStores } from "./store/books.js";
import { createReplicaStore } from "./store/replicas.js";

/** What tests put in place of identity. */
export interface LedgerServerDeps extends ServiceDeps {
  businessClock?: BusinessClock | undefined;
}

/**
 * Starts the ledger. Rejects when MongoDB is away or the port is taken. Its stop finishes what is
 * queued and releases the journals to other replicas.
 */
export const startLedger = (config: LedgerConfig, deps: LedgerServerDeps = {}) =>
  startService({
    name: "ledger",
    config,
    deps,
    definition: LedgerServiceDefinition,
    access,
    batched,
    migrations,
    resources: (opened: Opened<LedgerConfig>) => openResources(opened, deps),
    warmUps: (_resources, self) => ledgerWarmUps(self),
    handlers: ledgerHandlers,
    extraDefinitions: (parts) => [
      serveOutbox(parts.outbox),
      serveApprovalOutcomes({ service: "ledger", ...parts, handlers: approvalOutcomes(parts) }),
      ...serveBooks(parts),
    ],
  });

function openResources(opened: Opened<LedgerConfig>, deps: LedgerServerDeps) {
  const { clock = systemClock, pollMs, identityCacheMs: keepForMs } = deps;
  const { config, db, identity, log, signer, port, started, connect, onClose, onDrain } = opened;
  const forwarding = createForwarding(signer, config.LEASE_TTL_MS);
  onClose(() => forwarding.close());
  const publisher = createHeadPublisher({ file: config.HEADS_FILE, log });
  onClose(() => publisher.flush());
  const self = {
    address: port.then((own) => config.ADVERTISED_ADDRESS ?? `${config.HOST}:${own}`),
    holder: randomUUID(),
  };
  const store = createLedgerStore(db);
  const businessClock = deps.businessClock ?? createBusinessClock({ identity, clock, keepForMs });
  const calendars = createCalendars({ businessClock, log, keepForMs });
  const events = connect(EventsServiceDefinition, "events", config.EVENTS_ADDRESS);
  const telling = openTelling(opened, events, store, clock);
  let sweep: ReturnType<typeof startExpirySweep> | undefined;
  const behind: { positions?: PositionJob; alarms?: PartnerAlarms } = {};
  const ownership = createOwnership({
    db,
    ...self,
    pinned: config.PINNED_TENANTS,
    leaseTtlMs: config.LEASE_TTL_MS,
    idleMs: config.JOURNAL_IDLE_MS,
    clock,
    calendars,
    limits: { maxQueuedTransfers: config.MAX_QUEUED_TRANSFERS, cache: createCacheBudget(config.MAX_CACHED_ACCOUNTS) },
    log,
    publisher,
    publishEveryMs: config.HEADS_EVERY_MS,
    onCommitted(tenantId, { movesPositions }) {
      telling?.wake(tenantId);
      behind.alarms?.wake(tenantId);
      if (movesPositions) behind.positions?.wake(tenantId);
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
  const commits = createCommits(opened, { kinds: rowKinds, keepForMs: "for ever" });
  const books = openClosedBooks(db, store);
  const posting = createPosting({ ownership, forward: forwarding.forward });
  const parts = {
    ...commits,
    ...books,
    db,
    store,
    ...createBookStores(db),
    ownPosting: createOwnPosting(posting),
    clock,
    preferences: createPreferences({ identity, read: preferenceOf, keepForMs }),
    businessClock,
  };
  const positionJob = openPositions(opened, parts);
  const partnerAlarms = openPartnerAlarms(opened, parts);
  Object.assign(behind, { positions: positionJob, alarms: partnerAlarms });
  started(startLedgerRelay({ ...commits, ...books, events, identity, pollMs, sagas: createSagas(parts) }));
  return {
    ...parts,
    partnerAlarms,
    posting,
    approvals: createApprovals({ identity }),
    positionJob,
    dryRun: createDryRun({ db, clock, calendars }),
    importJournal: createJournalImport(db),
    ...openVerifications(opened, store, clock),
  };
}
