import { ComplianceServiceDefinition } from "../../proto/gen/compliance/v1/compliance.js";
import { EventsServiceDefinition } from "../../proto/gen/events/v1/events.js";
import { NotificationServiceDefinition } from "../../proto/gen/events/v1/notifications.js";
import { PluginServiceDefinition } from "../../proto/gen/identity/v1/plugins.js";
import { RemittanceServiceDefinition } from "../../proto/gen/remittance/v1/remittance.js";
import { WalletServiceDefinition } from "../../proto/gen/wallet/v1/wallet.js";
import { createApprovals, processedApprovals, serveApprovalOutcomes } from "../platform/approvals/approvals.js";
import { createBusinessClock } from "../platform/preferences/business-clock.js";
import { systemClock, type Clock } from "../kernel/time/clock.js";
import { createErasedPeople, servePersonalData } from "../platform/erasure/erasure.js";
import { createIdempotency, createRunOnce } from "../kernel/idempotency/index.js";
import { createForcedOutcomes } from "../platform/sandbox/forced-outcome-store.js";
import type { KeyWrapper } from "../kernel/keys/key-wrapper.js";
import { serveMasterKey } from "../kernel/keys/operations.js";
import { createOutbox } from "../kernel/outbox/index.js";
import { serveOutbox } from "../kernel/outbox/operations.js";
import { createResolve, type Resolve } from "../platform/partners/addresses.js";
import { createSender } from "../platform/partners/sender.js";
import { askingIdentity, openInstalledMessages, sandboxOrigins } from "../platform/messages/open-installed.js";
import { createSecurityMessages } from "../platform/messages/written.js";
import { createPreferences } from "../platform/preferences/preferences.js";
import { isSandbox } from "../platform/sandbox/sandbox.js";
import { createPartnerOutcomes, serveOutcomes } from "../platform/sandbox/sandbox-outcomes.js";
import { startService, type Opened, type ServiceDeps } from "../kernel/startup/start-service.js";
import { warmUpCalls } from "../kernel/startup/warm-up.js";
import { access, batched } from "./access.js";
import { createCustomers } from "./decisions/checks/customers.js";
import { createChecks } from "./decisions/checks/index.js";
import { createPutHold } from "./decisions/checks/put-hold.js";
import { createSecrets } from "./decisions/checks/verification-secrets.js";
import {
  createHttpContactVerification,
  preferInstalledContacts,
  type ContactVerification,
} from "./decisions/clients/contact-verification.js";
import { openPartners } from "./clients/open-partners.js";
import { createHttpNotifications, preferInstalled, type Notifications } from "../platform/messages/notifications.js";
import { createPeople } from "./decisions/clients/people.js";
import { createBlockForesight } from "./screening/clients/block-foresight.js";
import { createCustomerStatuses } from "./screening/clients/customer-statuses.js";
import { preferenceOf } from "./decisions/clients/preferences.js";
import { endpointsOf, type ComplianceConfig } from "./config.js";
import { createCaseContents } from "./cases/handlers/case-content.js";
import { serveCases } from "./cases/handlers/case-service.js";
import { confirmationOutcome, releaseOutcome } from "./screening/handlers/hit-outcomes.js";
import { createComplianceHandlers } from "./handlers/index.js";
import { overrideOutcome } from "./decisions/handlers/override-outcome.js";
import { servePluginOwner } from "./handlers/plugin-owner.js";
import { serveScreening } from "./handlers/screening-service.js";
import { serveComplianceWork } from "./handlers/work-queues.js";
import { createHitConsequences } from "./decisions/checks/hit-consequences.js";
import { openScreening } from "./screening/engine/parts.js";
import { startScreeningSweep } from "./screening/jobs/screening-sweep.js";
import { createComparing } from "./screening/engine/comparing.js";
import { rescreenRow } from "./common/store/outbox-rows.js";
import { startListPlugins } from "./lists/jobs/list-plugins.js";
import { startComplianceRelay } from "./jobs/relay.js";
import { openScreeningLists } from "./lists/loading/open-lists.js";
import { createCaseStore } from "./cases/store/cases.js";
import { createDocumentStore } from "./decisions/store/documents.js";
import { personalRecords } from "./store/erasure.js";
import { createComplianceStore } from "./decisions/store/index.js";
import { migrations } from "./store/migrations.js";
import { createPolicyVersions } from "./decisions/store/policy-versions.js";

export interface ComplianceServerDeps extends ServiceDeps {
  /** Real time; business time goes with it. */
  clock?: Clock;
  /**
   * HTTP connectors as the config says, when absent. What a tenant has
   * installed comes first all the same.
   */
  notifications?: Notifications;
  /** In place of the name servers. */
  resolve?: Resolve;
  contactVerification?: ContactVerification;
  /** In place of the config's master key. */
  wrapper?: KeyWrapper;
  /** How often the outbox is looked at without being woken. */
  pollMs?: number;
  /**
   * How long rows of the outbox and keys of requests that a killed process
   * held stay out of reach, in ms.
   */
  leaseMs?: number;
}

/** Starts compliance. Rejects when MongoDB is away or the port is taken. */
export const startCompliance = (config: ComplianceConfig, deps: ComplianceServerDeps = {}) =>
  startService({
    name: "compliance",
    config,
    deps,
    definition: ComplianceServiceDefinition,
    access,
    batched,
    migrations,
    resources: (opened) => createResources(opened, deps),
    warmUps: ({ identity, lists }, self) => [
      lists.warmUp,
      ...warmUpCalls({
        identity: (call) => identity.getOrganisationPreference({}, call),
        getPolicy: (call) => self.getPolicy({}, call),
        checkMoves: (call) => self.checkMoves({ moves: [{ customerId: "warm-up", kind: "MOVE_KIND_PAYMENT" }] }, call),
      }),
    ],
    handlers: (parts) => createComplianceHandlers(parts),
    extraDefinitions: (parts) => [
      serveMasterKey(parts.dataKeys.wrapped),
      serveOutbox(parts.outbox),
      serveComplianceWork(parts),
      serveCases(parts),
      serveScreening(parts),
      servePluginOwner(parts),
      serveApprovalOutcomes({
        service: "compliance",
        db: parts.db,
        handlers: {
          DECISION_OVERRIDE: overrideOutcome(parts),
          SCREENING_CONFIRMATION: confirmationOutcome(parts),
          SCREENING_RELEASE: releaseOutcome(parts),
        },
        outbox: parts.outbox,
      }),
      servePersonalData({ db: parts.db, ...personalRecords(parts.db) }),
      serveOutcomes(createForcedOutcomes(parts.store, ["COMPLIANCE_DECISION"]), contactOutcomes(config)),
    ],
  });

async function createResources(opened: Opened<ComplianceConfig>, deps: ComplianceServerDeps) {
  const { config, db, redis, wakeUps, identity, keys, log, connect, onClose } = opened;
  const { clock = systemClock, pollMs, leaseMs } = deps;
  const times = createBusinessClock({ identity, clock, keepForMs: deps.identityKeptForMs });
  const stores = await openScreening(opened, deps.wrapper);
  const store = createComplianceStore(db, stores.screeningCipher);
  const documents = createDocumentStore(db);
  const cases = createCaseStore(db, stores.screeningCipher);
  const held = { ...(leaseMs !== undefined && { leaseMs, lockMs: leaseMs }) };
  const idempotency = createIdempotency({ db, redis, clock: systemClock, log, ...held });
  const runOnce = createRunOnce({ db, idempotency });
  const outbox = createOutbox({ db, clock, log, service: "compliance", wakeUps, ...held });
  const policies = createPolicyVersions();
  const preferences = createPreferences({ identity, read: preferenceOf });
  const people = createPeople({ identity, preferences });
  const customers = createCustomers({ store, policies, outbox, times });
  const secrets = createSecrets(keys.privateJwk);
  const installed = openPartners(opened, deps);
  const contactVerification = preferInstalledContacts(
    installed.partners,
    deps.contactVerification ?? createHttpContactVerification(endpointsOf(config, "CONTACT_VERIFICATION")),
  );
  const operators = deps.notifications ?? createHttpNotifications(endpointsOf(config, "NOTIFICATION"));
  const notifications = preferInstalled(openInstalled(opened, deps), operators);
  const approvals = createApprovals({ identity });
  const remittance =
    config.REMITTANCE_ADDRESS === undefined
      ? undefined
      : connect(RemittanceServiceDefinition, "remittance", config.REMITTANCE_ADDRESS);
  const wallet =
    config.WALLET_ADDRESS === undefined ? undefined : connect(WalletServiceDefinition, "wallet", config.WALLET_ADDRESS);
  const standings = createCustomerStatuses(remittance);
  const contents = createCaseContents({ store, ...stores, people, standings, erasedOf: createErasedPeople(db) });
  const { EVENTS_ADDRESS: told } = config;
  const events = told === undefined ? undefined : connect(EventsServiceDefinition, "events", told);
  const templates = told === undefined ? undefined : connect(NotificationServiceDefinition, "events", told);
  const lists = await openScreeningLists({
    db,
    log,
    endpoints: endpointsOf(config, "SCREENING_LISTS"),
    wakeUps,
    fetchEveryMs: (config.SCREENING_LISTS_EVERY_S ?? 3_600) * 1_000,
    // Everybody is compared with what is new in it.
    onSwap: async ({ tenantId, source, version }, session) => {
      const origin = { tenantId, interactionId: `list-${source}-${version}`, actor: "compliance" };
      await outbox.add(rescreenRow(origin, `list:${source}`, version), session);
    },
  });
  onClose(() => lists.stop());
  const { listPlugins: plugins, installations, published } = installed;
  const fetching = startListPlugins({ plugins, installations, published, lists, store, clock: systemClock, log });
  onClose(() => fetching.stop());
  const comparing = createComparing({
    store,
    ...stores,
    lists,
    outbox,
    times,
    log,
    putHold: createPutHold({ store, outbox }),
  });
  const { screening } = comparing;
  const checks = createChecks({ store, policies, people, customers, outbox, times, preferences, screening });
  const parts = {
    db,
    lists,
    store,
    documents,
    cases,
    runOnce,
    policies,
    ...stores,
    ...comparing,
    consequences: createHitConsequences({
      store,
      ...stores,
      policies,
      customers,
      times,
      outbox,
      neighbours: createBlockForesight({ remittance, wallet }),
    }),
    people,
    contents,
    preferences,
    customers,
    checks,
    secrets,
    outbox,
    times,
    clock,
  };
  const relay = startComplianceRelay({
    ...parts,
    partners: installed.partners,
    identity,
    remittance,
    wallet,
    events,
    notifications,
    words: createSecurityMessages({ templates }),
    ...(pollMs !== undefined && { pollMs }),
  });
  onClose(() => relay.stop());
  const sweep = startScreeningSweep({ ...parts, policies: stores.screeningPolicyVersions, clock: systemClock, log });
  onClose(() => sweep.stop());
  return { ...parts, ...installed, identity, contactVerification, approvals, heard: processedApprovals(db) };
}

/** Messages by what tenants have installed. */
function openInstalled({ config, connect, log, onClose }: Opened<ComplianceConfig>, deps: ComplianceServerDeps) {
  const plugins = connect(PluginServiceDefinition, "identity", config.IDENTITY_ADDRESS);
  return openInstalledMessages({
    ...askingIdentity(plugins),
    resolve: deps.resolve ?? createResolve(),
    allowedOf: sandboxOrigins(config.PLUGIN_SANDBOX_ORIGINS, isSandbox),
    log,
    onClose,
  }).messages;
}

/** What a sandbox's verifier of contacts is told to answer. */
function contactOutcomes(config: ComplianceConfig) {
  const { sandbox } = endpointsOf(config, "CONTACT_VERIFICATION");
  return createPartnerOutcomes(createSender({ accessOf: () => sandbox }), ["CONTACT_VERIFICATION"]);
}
