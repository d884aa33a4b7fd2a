import { EventsServiceDefinition } from "../../proto/gen/events/v1/events.js";
import { NotificationServiceDefinition } from "../../proto/gen/events/v1/notifications.js";
import { PluginServiceDefinition } from "../../proto/gen/identity/v1/plugins.js";
import { PluginOwnerServiceDefinition } from "../../proto/gen/plugins/v1/owner.js";
import { WebhookServiceDefinition } from "../../proto/gen/events/v1/webhooks.js";
import { systemClock, type Clock } from "../kernel/time/clock.js";
import { createDataKeys } from "../kernel/keys/data-keys.js";
import { servePersonalData } from "../platform/erasure/erasure.js";
import { alsoServe } from "../kernel/grpc/server.js";
import { createAnswerCipher, createIdempotency, createRunOnce } from "../kernel/idempotency/index.js";
import { openMasterKey } from "../kernel/keys/config.js";
import type { KeyWrapper } from "../kernel/keys/key-wrapper.js";
import { serveMasterKey } from "../kernel/keys/operations.js";
import { awaitMasterKey } from "../kernel/keys/wrapped-keys.js";
import { askingIdentity, openInstalledMessages, sandboxOrigins } from "../platform/messages/open-installed.js";
import { createOutbox } from "../kernel/outbox/index.js";
import { serveOutbox } from "../kernel/outbox/operations.js";
import { isSandbox } from "../platform/sandbox/sandbox.js";
import { startService, type Opened, type ServiceDeps } from "../kernel/startup/start-service.js";
import { processMetrics } from "../kernel/telemetry/metrics.js";
import { warmUpCalls } from "../kernel/startup/warm-up.js";
import { access, notificationAccess, pluginOwnerAccess, webhookAccess } from "./access.js";
import { createResolve, type Resolve } from "../platform/partners/addresses.js";
import { createOrganisations } from "./clients/organisations.js";
import { createMessageChecks } from "./clients/message-checks.js";
import { createHttpNotifications, preferInstalled, type Notifications } from "../platform/messages/notifications.js";
import { createWebhookSender } from "./clients/webhook-sender.js";
import { notificationsOf, sandboxOriginsOf, type EventsConfig } from "./config.js";
import { deliveryHandlers } from "./handlers/deliveries.js";
import { endpointHandlers } from "./handlers/endpoints.js";
import { eventHandlers } from "./handlers/events.js";
import { pluginOwnerHandlers } from "./handlers/plugin-owners.js";
import { scheduleHandlers } from "./handlers/schedule.js";
import { templateHandlers } from "./handlers/templates.js";
import { serveEventsWork } from "./handlers/work-queues.js";
import { createTry } from "./jobs/attempts.js";
import { startDispatcher, type Dispatcher } from "./jobs/dispatcher.js";
import { startExpiry } from "./jobs/expiry.js";
import { createHealth } from "./jobs/health.js";
import { startEventsRelay } from "./jobs/relay.js";
import { createResults } from "./jobs/results.js";
import { createArrivals } from "./publishing/arrivals.js";
import { createPublishing } from "./publishing/publish.js";
import { personalRecords } from "./store/erasure.js";
import { createEventsStore } from "./store/index.js";
import { migrations } from "./store/migrations.js";

export interface EventsServerDeps extends ServiceDeps {
  clock?: Clock;
  /** How often outbox and deliveries are looked at without being woken. */
  pollMs?: number;
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
    handlers: (parts) => eventHandlers(parts),
    extraDefinitions: ({ db, idempotency, outbox, dataKeys, ...parts }) => [
      alsoServe<WebhookServiceDefinition>({
        definition: WebhookServiceDefinition,
        access: webhookAccess,
        handlers: {
          ...endpointHandlers({ ...parts, outbox }),
          ...deliveryHandlers({ ...parts, outbox }),
          ...scheduleHandlers(parts),
        },
      }),
      alsoServe<NotificationServiceDefinition>({
        definition: NotificationServiceDefinition,
        access: notificationAccess,
        handlers: templateHandlers({ ...parts, outbox }),
      }),
      alsoServe<PluginOwnerServiceDefinition>({
        definition: PluginOwnerServiceDefinition,
        access: pluginOwnerAccess,
        handlers: pluginOwnerHandlers(parts),
      }),
      serveMasterKey(dataKeys.wrapped),
      serveOutbox(outbox),
      serveEventsWork(db, outbox),
      servePersonalData({ db, ...personalRecords(db, idempotency, parts.store.events) }),
    ],
  });

async function createResources(opened: Opened<EventsConfig>, deps: EventsServerDeps) {
  const { config, db, redis, wakeUps, identity, log, connect, onClose } = opened;
  const { clock = systemClock, pollMs, attemptMs, leaseMs, expiryMs, waitsMs } = deps;
  const wrapper = deps.wrapper ?? (await openMasterKey(config, log));
  const dataKeys = createDataKeys({ db, wrapper, service: "events", purpose: "personal-data" });
  await awaitMasterKey(dataKeys.openAll, config.BOOT_WAIT_S, log);
  onClose(processMetrics.watchWrappedKeys(dataKeys.wrapped.countBehind));
  const store = createEventsStore(db, dataKeys);
  const outbox = createOutbox({ db, clock, log, service: "events", wakeUps });
  const cipher = createAnswerCipher(dataKeys);
  const idempotency = createIdempotency({ db, redis, clock: systemClock, cipher, log });
  const resolve = deps.resolve ?? createResolve();
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
  const dispatcher: Dispatcher = startDispatcher({
    store,
    clock,
    log,
    tryOnce,
    results,
    health,
    wakeUps,
    pollMs,
    leaseMs,
  });
  onClose(() => dispatcher.stop());
  const expiry = startExpiry({ store, clock, log, results, everyMs: expiryMs });
  onClose(() => expiry.stop());
  const publishing = createPublishing({
    store,
    clock,
    outbox,
    wake(tenantId, endpointIds) {
      arrivals.wake(tenantId);
      if (endpointIds.length > 0) dispatcher.wake();
    },
  });
  const plugins = connect(PluginServiceDefinition, "identity", config.IDENTITY_ADDRESS);
  const partnersOf = sandboxOrigins(config.PLUGIN_SANDBOX_ORIGINS, isSandbox);
  const own = { resolve, allowedOf: partnersOf, log, onClose, ca: deps.mailCa };
  const installed = openInstalledMessages({ ...askingIdentity(plugins), ...own });
  const operators = deps.notifications ?? createHttpNotifications(notificationsOf(config));
  const notifications = preferInstalled(installed.messages, operators);
  const wake = () => dispatcher.wake();
  const organisations = createOrganisations(identity);
  const relay = startEventsRelay({ outbox, store, clock, identity, organisations, notifications, wake, pollMs });
  onClose(() => relay.stop());
  const runOnce = createRunOnce({ db, idempotency });
  return {
    db,
    store,
    outbox,
    identity,
    organisations,
    idempotency,
    dataKeys,
    runOnce,
    publishing,
    arrivals,
    clock,
    resolve,
    allowedOf,
    wake,
    plugins,
    checks: createMessageChecks({ smtp: installed.smtp, resolve, allowedOf: partnersOf }),
  };
}
