import { ComplianceServiceDefinition } from "../../proto/gen/compliance/v1/compliance.js";
import { RemittanceServiceDefinition } from "../../proto/gen/remittance/v1/remittance.js";
import { createApprovals, serveApprovalOutcomes } from "../shared/approvals.js";
import { createBusinessClock } from "../shared/clocks/business-clock.js";
import { systemClock, type Clock } from "../shared/clocks/clock.js";
import { servePersonalData } from "../shared/erasure/erasure.js";
import { createIdempotency, createRunOnce } from "../shared/idempotency/index.js";
import { createOutbox } from "../shared/outbox/index.js";
import { serveOutbox } from "../shared/outbox/operations.js";
import { createSender } from "../shared/partner/sender.js";
import { createPreferences } from "../shared/preferences.js";
import { createPartnerOutcomes, serveOutcomes } from "../shared/sandbox-outcomes.js";
import { startService, type Opened, type ServiceDeps } from "../shared/start-service.js";
import { warmUpCalls } from "../shared/warm-up.js";
import { access } from "./access.js";
import { createCustomers } from "./checks/customers.js";
import { createChecks } from "./checks/index.js";
import { createSecrets } from "./checks/verification-secrets.js";
import { createHttpContactVerification, type ContactVerification } from "./clients/contact-verification.js";
import { createHttpNotifications, type Notifications } from "./clients/notifications.js";
import { createPeople } from "./clients/people.js";
import { preferenceOf } from "./clients/preferences.js";
import { endpointsOf, type ComplianceConfig } from "./config.js";
import { serveCases } from "./handlers/case-service.js";
import { createDecisionOutcomes } from "./handlers/forced-decisions.js";
import { createComplianceHandlers } from "./handlers/index.js";
import { overrideOutcome } from "./handlers/override-outcome.js";
import { startComplianceRelay } from "./jobs/relay.js";
import { createCaseStore } from "./store/cases.js";
import { createDocumentStore } from "./store/documents.js";
import { personalRecords } from "./store/erasure.js";
import { createComplianceStore } from "./store/index.js";
import { migrations } from "./store/migrations.js";
import { createPolicyVersions } from "./store/policy-versions.js";

export interface ComplianceServerDeps extends ServiceDeps {
  /** Real time; business time goes with it. */
  clock?: Clock;
  /** HTTP connectors as the config says, when absent. */
  notifications?: Notifications;
  contactVerification?: ContactVerification;
  /** How often the outbox is looked at without being woken. */
  pollMs?: number;
}

/** Starts compliance. Rejects when MongoDB is away or the port is taken. */
export const startCompliance = (config: ComplianceConfig, deps: ComplianceServerDeps = {}) =>
  startService({
    name: "compliance",
    config,
    deps,
    definition: ComplianceServiceDefinition,
    access,
    migrations,
    resources: (opened) => createResources(opened, deps),
    warmUps: ({ identity }, self) =>
      warmUpCalls({
        identity: (call) => identity.getOrganisationPreference({}, call),
        getPolicy: (call) => self.getPolicy({}, call),
        checkMoves: (call) => self.checkMoves({ moves: [{ customerId: "warm-up", kind: "MOVE_KIND_PAYMENT" }] }, call),
      }),
    handlers: (parts) => createComplianceHandlers(parts),
    extraDefinitions: (parts) => [
      serveOutbox(parts.outbox),
      serveCases(parts),
      serveApprovalOutcomes({
        service: "compliance",
        db: parts.db,
        handlers: { DECISION_OVERRIDE: overrideOutcome(parts) },
        outbox: parts.outbox,
      }),
      servePersonalData({ db: parts.db, ...personalRecords(parts.db) }),
      serveOutcomes(createDecisionOutcomes(parts.store, parts.clock.now), contactOutcomes(config)),
    ],
  });

function createResources(
  { config, db, redis, identity, keys, log, connect, onClose }: Opened<ComplianceConfig>,
  deps: ComplianceServerDeps,
) {
  const { clock = systemClock, pollMs } = deps;
  const times = createBusinessClock({ identity, clock });
  const store = createComplianceStore(db);
  const documents = createDocumentStore(db);
  const cases = createCaseStore(db);
  const idempotency = createIdempotency({ db, redis, clock: systemClock, log });
  const runOnce = createRunOnce({ db, idempotency });
  const outbox = createOutbox({ db, clock, log, service: "compliance" });
  const policies = createPolicyVersions();
  const preferences = createPreferences({ identity, read: preferenceOf });
  const people = createPeople({ identity, preferences });
  const customers = createCustomers({ store, policies, outbox, times });
  const checks = createChecks({ store, policies, people, customers, outbox, times, preferences });
  const secrets = createSecrets(keys.privateJwk);
  const contactVerification =
    deps.contactVerification ?? createHttpContactVerification(endpointsOf(config, "CONTACT_VERIFICATION"));
  const notifications = deps.notifications ?? createHttpNotifications(endpointsOf(config, "NOTIFICATION"));
  const approvals = createApprovals({ identity });
  const remittance =
    config.REMITTANCE_ADDRESS === undefined
      ? undefined
      : connect(RemittanceServiceDefinition, "remittance", config.REMITTANCE_ADDRESS);
  const parts = {
    db,
    store,
    documents,
    cases,
    runOnce,
    policies,
    people,
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
    identity,
    remittance,
    notifications,
    ...(pollMs !== undefined && { pollMs }),
  });
  onClose(() => relay.stop());
  return { ...parts, identity, contactVerification, approvals };
}

/** What a sandbox's verifier of contacts is told to answer. */
function contactOutcomes(config: ComplianceConfig) {
  const { sandbox } = endpointsOf(config, "CONTACT_VERIFICATION");
  return createPartnerOutcomes(createSender({ accessOf: () => sandbox }), ["CONTACT_VERIFICATION"]);
}
