import { EventsServiceDefinition } from "../../proto/gen/events/v1/events.js";
import { systemClock } from "../kernel/time/clock.js";
import { servePersonalData } from "../platform/erasure/erasure.js";
import { createAnswerCipher } from "../kernel/idempotency/index.js";
import type { KeyWrapper } from "../kernel/keys/key-wrapper.js";
import { serveMasterKey } from "../kernel/keys/operations.js";
import { openInstalledMessages } from "../platform/messages/open-installed.js";
import { serveOutbox } from "../kernel/outbox/operations.js";
import { isSandbox } from "../platform/sandbox/sandbox.js";
import { createCommits } from "../kernel/startup/commits.js";
import { openDataKeys } from "../kernel/startup/open-data-keys.js";
import { startService, type Opened, type ServiceDeps } from "../kernel/startup/start-service.js";
import { warmUpCalls } from "../kernel/startup/warm-up.js";
import { access } from "./access.js";
import type { Resolve } from "../platform/partners/addresses.js";
import { openPlugins } from "../platform/plugins/open-plugins.js";
import { createOrganisations } from "./clients/organisations.js";
import { createMessageChecks } from "./clients/message-checks.js";
import { createHttpNotifications, preferInstalled, type Notifications } from "../platform/messages/notifications.js";
import { serveCloseBlockers } from "../platform/closing/close-blockers.js";
import { createWebhookSender } from "./clients/webhook-sender.js";
import { notificationsOf, sandboxOriginsOf, type EventsConfig } from "./config.js";
import { eventsHandlers, servePluginOwner, serveTemplates, serveWebhooks } from "./handlers/index.js";
import { serveEventsWork } from "./handlers/work-queues.js";
import { createTry } from "./jobs/attempts.js";
import { startDispatcher } from "./jobs/dispatcher.js";
import { startExpiry } from "./jobs/expiry.js";
import { createHealth } from "./jobs/health.js";
import { startEventsRelay } from "./jobs/relay.js";
import { createResults } from "./jobs/results.js";
import { createArrivals } from "./publishing/arrivals.js";
import { createPublishing } from "./publishing/publish.js";
import { rowKinds } from "./row-kinds.js";
import { personalRecords } from "./store/erasure.js";
import { createEventsStore } from "./store/index.js";
import { migrations } from "./store/migrations.js";

export interface EventsServerDeps extends ServiceDeps {
  /** In place of the config's master key. */
  wrapper?: KeyWrapper;
  /** In place of the name servers. */
  resolve?: Resolve;
  /** In place of the operator's connector; what a tenant has installed comes first all the same. */
  notifications?: Notifications;
  /** What tenants' mail servers are trusted by, beside the usual authorities. */
  mailCa?: string;
  /** How long an answer of a receiver is waited for, ms. */
  attemptMs?: number;
  leaseMs?: number;
  /** How often what is too old to be sent is looked for, ms. */
  expiryMs?: number;
  /** In place of the schedule's waits. */
  waitsMs?: readonly number[];
}

/** Starts events. Rejects when MongoDB is away or the port is taken. */
export const startEvents = (config: EventsConfig, deps: EventsServerDeps = {}) =>
  startService({
    name: "events",
    config,
    deps,
    definition: EventsServiceDefinition,
    access,
    migrations,
    resources: (opened: Opened<EventsConfig>) => createResources(opened, deps),
    warmUps: ({ identity }, self) =>
      warmUpCalls({
        identity: (call) => identity.getOrganisationPreference({}, call),
        listEvents: (call) => self.listEvents({}, call),
      }),
    handlers: (parts) => eventsHandlers(parts),
    extraDefinitions: (parts) => [
      serveWebhooks(parts),
      serveTemplates(parts),
      servePluginOwner(parts),
      serveMasterKey(parts.dataKeys.wrapped),
      serveOutbox(parts.outbox),
      serveEventsWork(parts.db, parts.outbox),
      serveCloseBlockers(parts.outbox),
      servePersonalData({ db: parts.db, ...personalRecords(parts.db, parts.idempotency, parts.store.events) }),
    ],
  });

async function createResources(opened: Opened<EventsConfig>, deps: EventsServerDeps) {
  const { config, db, wakeUps, identity, log, started, onClose } = opened;
  const { clock = systemClock, pollMs, attemptMs, leaseMs, expiryMs, waitsMs } = deps;
  const dataKeys = await openDataKeys(opened, "personal-data", deps.wrapper);
  const store = createEventsStore(db, dataKeys);
  const commits = createCommits(opened, { kinds: rowKinds, clock, answerCipher: createAnswerCipher(dataKeys) });
  const { outbox } = commits;
  const { plugins, ...called } = openPlugins(opened, deps);
  const { resolve } = called;
  const origins = sandboxOriginsOf(config);
  const allowedOf = (tenantId: string) => (isSandbox(tenantId) ? origins : []);
  const sender = createWebhookSender({ resolve, ...(attemptMs !== undefined && { timeoutMs: attemptMs }) });
  onClose(() => sender.close());
  const waitsOf = async (tenantId: string) => {
    if (waitsMs !== undefined || !isSandbox(tenantId)) return waitsMs;
    return (await store.schedules.forTenant(tenantId).find())?.map((seconds) => seconds * 1_000);
  };
  const tryOnce = createTry({ sender, clock, allowedOf, waitsOf });
  const results = createResults({ store, clock });
  const health = createHealth({ store, clock, outbox });
  const arrivals = createArrivals(store);
  const sending = { store, clock, log, tryOnce, results, health, wakeUps, pollMs, leaseMs };
  const dispatcher = started(startDispatcher(sending));
  started(startExpiry({ store, clock, log, results, everyMs: expiryMs }));
  const publishing = createPublishing({
    store,
    clock,
    outbox,
    wake(tenantId, endpointIds) {
      arrivals.wake(tenantId);
      if (endpointIds.length > 0) dispatcher.wake();
    },
  });
  const installed = openInstalledMessages({ ...called, log, onClose, ca: deps.mailCa });
  const operators = deps.notifications ?? createHttpNotifications(notificationsOf(config));
  const notifications = preferInstalled(installed.messages, operators);
  const wake = () => dispatcher.wake();
  const organisations = createOrganisations(identity);
  started(startEventsRelay({ outbox, store, clock, identity, organisations, notifications, wake, pollMs }));
  return {
    ...commits,
    store,
    identity,
    organisations,
    dataKeys,
    publishing,
    arrivals,
    clock,
    resolve,
    allowedOf,
    wake,
    plugins,
    checks: createMessageChecks({ smtp: installed.smtp, resolve, allowedOf: called.allowedOf }),
  };
}
