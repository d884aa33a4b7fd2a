import { randomBytes, randomUUID } from "node:crypto";
import { v7 as uuidv7 } from "uuid";
import { EventsServiceDefinition, type NewEvent } from "../../proto/gen/events/v1/events.js";
import { NotificationServiceDefinition } from "../../proto/gen/events/v1/notifications.js";
import { WebhookServiceDefinition } from "../../proto/gen/events/v1/webhooks.js";
import { IdentityServiceDefinition, Role, type MessageContact } from "../../proto/gen/identity/v1/identity.js";
import { PluginServiceDefinition } from "../../proto/gen/identity/v1/plugins.js";
import { PluginOwnerServiceDefinition } from "../../proto/gen/plugins/v1/owner.js";
import { createLocalKey } from "../../services/kernel/keys/file-keys.js";
import { isSandbox } from "../../services/platform/sandbox/sandbox.js";
import type { EventType } from "../../services/platform/events/types.js";
import { startEvents, type EventsServerDeps } from "../../services/events/server.js";
import type { Message } from "../../services/platform/messages/message.js";
import { createEraser } from "./erasure.js";
import { testDatabase, testRedisUrl, testTenant } from "./index.js";
import type { Handlers } from "../../services/kernel/grpc/server.js";
import { alsoStandIn, createServiceNetwork, stateUser, statedUsers } from "./service-network.js";
import { noPlugins } from "./stand-in-plugins.js";

export type PersonToTell = Pick<MessageContact, "customerId" | "firstName" | "email" | "phoneNumber" | "preference">;

/** A sandbox, whose endpoints may be on this machine. */
export const sandboxTenant = () => `${testTenant()}--sandbox`;

export const managersMail = "manager@x.example";

export type EventsWorldDeps = Partial<EventsServerDeps> & {
  replicas?: number;
  /** What identity says of plugins; nothing is installed where it is absent. */
  plugins?: Partial<Handlers<PluginServiceDefinition>>;
};

/**
 * Events for real, on MongoDB and Redis, with identity in memory. Each test
 * file has a database of its own.
 */
export async function createEventsWorld(name: string, deps: EventsWorldDeps = {}) {
  const { replicas = 1, plugins, ...given } = deps;
  const network = await createServiceNetwork();
  const database = await testDatabase(`events_${name}`);
  const sent: (Message & { tenantId: string })[] = [];
  /** Customers whom identity knows, by id. */
  const contacts = new Map<string, PersonToTell>();
  const tenant = { name: "Bank", preference: { locale: "en-NG", corsOrigins: ["https://app.bank.example"] } };
  /** Of tenants that are not at bank.example; a sandbox has none. */
  const hosts = new Map<string, string[]>();
  const hostsOf = (tenantId: string) => (isSandbox(tenantId) ? [] : (hosts.get(tenantId) ?? ["bank.example"]));
  const identityAddress = await network.standIn(
    "identity",
    IdentityServiceDefinition,
    {
      getOrganisationPreference: async (_request, { tenantId }) => ({
        tenant: { tenantId, hosts: hostsOf(tenantId), ...tenant },
      }),
      getMessageContacts: async ({ customerIds }) => ({
        contacts: customerIds.flatMap((id) => contacts.get(id) ?? []),
      }),
      listStaffUsers: async () => ({
        users: [
          { userId: "MA1", email: managersMail, role: Role.ROLE_MANAGER },
          { userId: "AG1", email: "agent@x.example", role: Role.ROLE_AGENT },
        ],
        nextPageToken: "",
      }),
    },
    [plugins === undefined ? noPlugins : alsoStandIn(PluginServiceDefinition, plugins)],
  );
  const wrapper = createLocalKey(randomBytes(32));
  let offsetMs = 0;
  const clock = { now: () => new Date(Date.now() + offsetMs) };
  const start = () =>
    startEvents(
      {
        NODE_ENV: "test",
        LOG_LEVEL: "silent",
        HOST: "127.0.0.1",
        PORT: 0,
        MONGODB_URI: database.uri,
        MONGODB_DATABASE: database.database,
        REDIS_URL: testRedisUrl(),
        SERVICE_KEY_FILE: "",
        SERVICE_JWKS_FILE: "",
        IDENTITY_ADDRESS: identityAddress,
        WEBHOOK_SANDBOX_ORIGINS: "http://127.0.0.1:*",
        PLUGIN_SANDBOX_ORIGINS: "http://127.0.0.1:*,http://localhost:*",
      },
      {
        log: network.log,
        clock,
        keys: network.keysOf("events"),
        verifyUserToken: statedUsers,
        wrapper,
        pollMs: 50,
        resolve: async () => ["93.184.215.14"],
        notifications: { send: async (tenantId, notification) => void sent.push({ tenantId, ...notification }) },
        ...given,
      },
    );
  const services: Awaited<ReturnType<typeof start>>[] = [];
  for (let index = 0; index < replicas; index++) services.push(await start());
  const eventsOf = (index: number, as: "remittance" | "wallet" | "gateway") =>
    network.client(EventsServiceDefinition, "events", services[index]!.port, as);
  const port = services[0]!.port;

  return {
    db: database.db,
    uri: database.uri,
    database: database.database,
    network,
    sent,
    contacts,
    tenant,
    hosts,
    /** As a service tells events, to one of the replicas. */
    remittance: services.map((_service, index) => eventsOf(index, "remittance")),
    gateway: eventsOf(0, "gateway"),
    webhooks: network.client(WebhookServiceDefinition, "events", port, "gateway"),
    templates: network.client(NotificationServiceDefinition, "events", port, "gateway"),
    identity: network.client(NotificationServiceDefinition, "events", port, "identity"),
    pluginOwners: network.client(PluginOwnerServiceDefinition, "events", port, "gateway"),
    erase: createEraser(network, "events", port),
    resources: services[0]!.resources,
    now: () => clock.now(),
    /** Moves time on. */
    pass: (ms: number) => void (offsetMs += ms),
    async close() {
      for (const service of services) await service.stop();
      await network.close();
      await database.close();
    },
  };
}

export type EventsWorld = Awaited<ReturnType<typeof createEventsWorld>>;

/** A call in a tenant without a user. */
export const on = (tenantId: string) => ({ tenantId, interactionId: randomUUID() });

/** A call of a tenant's manager. */
export const asManager = (tenantId: string, userId = "MA1") => ({
  ...on(tenantId),
  userToken: stateUser({ tenantId, role: "MANAGER", userId }),
});

/** An event as a service tells it. */
export function newEvent(subjectId: string, more: Partial<NewEvent> & { type?: EventType } = {}): NewEvent {
  const { type = "transaction.created" } = more;
  return {
    eventId: uuidv7(),
    type,
    occurredAt: new Date(),
    subjectType: type.slice(0, type.indexOf(".")),
    subjectId,
    interactionId: randomUUID(),
    dataJson: JSON.stringify({ id: subjectId, sendAmount: "25.50" }),
    customerId: "",
    isConfidential: false,
    ...more,
  };
}

/** An endpoint with usual settings. */
export function endpointDraft(url: string, more: object = {}) {
  return {
    idempotencyKey: randomUUID(),
    url,
    description: "",
    eventTypes: ["transaction.*"],
    ordered: false,
    rateLimitPerSecond: 0,
    includesConfidential: false,
    ...more,
  };
}
