import { ComplianceServiceDefinition } from "../../proto/gen/compliance/v1/compliance.js";
import { processedApprovals, serveApprovalOutcomes } from "../platform/approvals/approval-outcomes.js";
import { createApprovals } from "../platform/approvals/approvals.js";
import { createBusinessClock } from "../platform/preferences/business-clock.js";
import { systemClock } from "../kernel/time/clock.js";
import { createErasedPeople, servePersonalData } from "../platform/erasure/erasure.js";
import type { KeyWrapper } from "../kernel/keys/key-wrapper.js";
import { serveMasterKey } from "../kernel/keys/operations.js";
import { serveOutbox } from "../kernel/outbox/operations.js";
import { createPreferences } from "../platform/preferences/preferences.js";
import { serveCloseBlockers } from "../platform/closing/close-blockers.js";
import { createCommits } from "../kernel/startup/commits.js";
import { startService, type Opened, type ServiceDeps } from "../kernel/startup/start-service.js";
import { warmUpCalls } from "../kernel/startup/warm-up.js";
import { rowKinds } from "./common/store/outbox-rows.js";
import { access, batched } from "./access.js";
import { createCustomers } from "./decisions/checks/customers.js";
import { createChecks } from "./decisions/checks/index.js";
import { createPutHold } from "./decisions/checks/put-hold.js";
import { createSecrets } from "./decisions/checks/verification-secrets.js";
import { connectNeighbours } from "./clients/neighbours.js";
import { openCompliancePartners, type CompliancePartnersDeps } from "./clients/open-partners.js";
import { createPeople } from "./decisions/clients/people.js";
import { createBlockForesight } from "./screening/clients/block-foresight.js";
import { createCustomerStatuses } from "./screening/clients/customer-statuses.js";
import { preferenceOf } from "./decisions/clients/preferences.js";
import { endpointsOf, type ComplianceConfig } from "./config.js";
import { createCaseContents } from "./cases/handlers/case-content.js";
import { approvalOutcomes } from "./handlers/approval-outcomes.js";
import { complianceHandlers, serveCases, servePluginOwner, serveScreening } from "./handlers/index.js";
import { sandboxService } from "./handlers/sandbox.js";
import { serveComplianceWork } from "./handlers/work-queues.js";
import { createHitConsequences } from "./decisions/checks/hit-consequences.js";
import { openScreening } from "./screening/engine/parts.js";
import { createComparing } from "./screening/engine/comparing.js";
import { startJobs } from "./jobs/index.js";
import { openScreeningLists } from "./lists/loading/open-lists.js";
import { createCaseStore } from "./cases/store/cases.js";
import { createDocumentStore } from "./decisions/store/documents.js";
import { personalRecords } from "./store/erasure.js";
import { createComplianceStore } from "./decisions/store/index.js";
import { migrations } from "./store/migrations.js";
import { createPolicyVersions } from "./decisions/store/policy-versions.js";

export interface ComplianceServerDeps extends ServiceDeps, CompliancePartnersDeps {
  /** In place of the config's master key. */
  wrapper?: KeyWrapper;
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
    handlers: (parts) => complianceHandlers(parts),
    extraDefinitions: (parts) => [
      serveMasterKey(parts.dataKeys.wrapped),
      serveOutbox(parts.outbox),
      serveComplianceWork(parts),
      serveCloseBlockers(parts.outbox),
      serveCases(parts),
      serveScreening(parts),
      servePluginOwner(parts),
      serveApprovalOutcomes({
        service: "compliance",
        db: parts.db,
        handlers: approvalOutcomes(parts),
        outbox: parts.outbox,
      }),
      servePersonalData({ db: parts.db, ...personalRecords(parts.db) }),
      sandboxService(parts.store, config),
    ],
  });

async function createResources(opened: Opened<ComplianceConfig>, deps: ComplianceServerDeps) {
  const { config, db, identity, keys, log, started } = opened;
  const { clock = systemClock, pollMs, leaseMs } = deps;
  const times = createBusinessClock({ identity, clock, keepForMs: deps.identityCacheMs });
  const stores = await openScreening(opened, deps.wrapper);
  const commits = createCommits(opened, { kinds: rowKinds, clock, leaseMs });
  const neighbours = connectNeighbours(opened);
  const installed = openCompliancePartners(opened, deps);
  const preferences = createPreferences({ identity, read: preferenceOf });
  const store = createComplianceStore(db, stores.screeningCipher);
  const common = {
    ...commits,
    ...stores,
    store,
    documents: createDocumentStore(db),
    cases: createCaseStore(db, stores.screeningCipher),
    policies: createPolicyVersions(),
    preferences,
    people: createPeople({ identity, preferences }),
    secrets: createSecrets(keys.privateJwk),
    times,
    clock,
    log,
  };
  const customers = createCustomers(common);
  const statuses = createCustomerStatuses(neighbours.remittance);
  const contents = createCaseContents({ ...common, statuses, erasedOf: createErasedPeople(db) });
  const endpoints = endpointsOf(config, "SCREENING_LISTS");
  const fetchEveryMs = (config.SCREENING_LISTS_EVERY_S ?? 3_600) * 1_000;
  const lists = started(await openScreeningLists({ ...opened, endpoints, fetchEveryMs, outbox: commits.outbox }));
  const comparing = createComparing({ ...common, lists, putHold: createPutHold(common) });
  const checks = createChecks({ ...common, ...comparing, customers, remittance: neighbours.remittance });
  const foresight = createBlockForesight(neighbours);
  const consequences = createHitConsequences({ ...common, customers, neighbours: foresight });
  const parts = { ...common, ...comparing, lists, customers, contents, checks, consequences };
  startJobs(opened, { ...parts, ...neighbours, ...installed, identity, pollMs });
  return {
    ...parts,
    ...installed,
    identity,
    approvals: createApprovals({ identity }),
    processed: processedApprovals(db),
  };
}
