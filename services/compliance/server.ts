import { ComplianceServiceDefinition } from "../../proto/gen/compliance/v1/compliance.js";
import { RemittanceServiceDefinition } from "../../proto/gen/remittance/v1/remittance.js";
import { createApprovals, serveApprovalOutcomes } from "../shared/approvals.js";
import { createBusinessClock } from "../shared/clocks/business-clock.js";
import { systemClock, type Clock } from "../shared/clocks/clock.js";
import { servePersonalData } from "../shared/erasure/erasure.js";
import { createClient } from "../shared/grpc/client.js";
import { createServiceAuth } from "../shared/grpc/service-auth.js";
import { startGrpcServer } from "../shared/grpc/server.js";
import { createLogger, type Logger } from "../shared/log.js";
import { openDatabase } from "../shared/mongo/open-database.js";
import { createOutbox } from "../shared/outbox/index.js";
import { serveOutbox } from "../shared/outbox/operations.js";
import { createPreferences } from "../shared/preferences.js";
import { createRedis } from "../shared/redis.js";
import { createSender } from "../shared/partner/sender.js";
import { createPartnerOutcomes, serveOutcomes } from "../shared/sandbox-outcomes.js";
import { loadServiceKeys, type ServiceKeys } from "../shared/tokens/service-tokens.js";
import type { UserTokenVerifier } from "../shared/tokens/user-tokens.js";
import { startAdmin } from "../shared/admin.js";
import { keyFilesOf } from "../shared/config.js";
import type { ComplianceConfig } from "./config.js";
import { createChecks } from "./checks/index.js";
import { endpointsOf } from "./config.js";
import { createHttpContactVerification, type ContactVerification } from "./clients/contact-verification.js";
import { createHttpNotifications, type Notifications } from "./clients/notifications.js";
import { createCustomers } from "./checks/customers.js";
import { createDocumentStore } from "./store/documents.js";
import { personalRecords } from "./store/erasure.js";
import { access } from "./access.js";
import { createComplianceHandlers } from "./handlers/index.js";
import { migrations } from "./store/migrations.js";
import { overrideOutcome } from "./handlers/override-outcome.js";
import { createDecisionOutcomes } from "./handlers/forced-decisions.js";
import { createPeople } from "./clients/people.js";
import { createPolicyVersions } from "./store/policy-versions.js";
import { preferenceOf } from "./clients/preferences.js";
import { startComplianceRelay } from "./jobs/relay.js";
import { createComplianceStore } from "./store/index.js";
import { createSecrets } from "./checks/verification-secrets.js";

export interface ComplianceServerDeps {
  log?: Logger;
  /** Real time; business time goes with it. */
  clock?: Clock;
  /** Read from the config's files when absent. */
  keys?: ServiceKeys;
  /** In place of the one that asks identity for keys and revocations. */
  verifyUserToken?: UserTokenVerifier;
  /** HTTP connectors as the config says, when absent. */
  notifications?: Notifications;
  contactVerification?: ContactVerification;
  /** How often the outbox is looked at without being woken. */
  pollMs?: number;
}

/** Starts compliance. Rejects when MongoDB is away or the port is taken. */
export async function startCompliance(
  config: ComplianceConfig,
  deps: ComplianceServerDeps = {},
): Promise<{ port: number; stop(): Promise<void> }> {
  const log = deps.log ?? createLogger({ service: "compliance", level: config.LOG_LEVEL });
  const admin = config.ADMIN_PORT === undefined ? undefined : await startAdmin(config.ADMIN_PORT, config.HOST);
  const keys = deps.keys ?? (await loadServiceKeys(keyFilesOf(config)));
  const mongo = await openDatabase(config, { migrations, log });
  const redis = createRedis({ url: config.REDIS_URL, log });
  const auth = createServiceAuth({ service: "compliance", keys, redis, identityAddress: config.IDENTITY_ADDRESS });
  const { signer, identity } = auth;
  const clock = deps.clock ?? systemClock;
  const times = createBusinessClock({ identity, clock });
  const store = createComplianceStore(mongo.db);
  const documents = createDocumentStore(mongo.db);
  const outbox = createOutbox({ db: mongo.db, clock, log, service: "compliance" });
  const policies = createPolicyVersions();
  const preferences = createPreferences({ identity, read: preferenceOf });
  const people = createPeople({ identity, preferences });
  const customers = createCustomers({ store, policies, outbox, times });
  const checks = createChecks({ store, policies, people, customers, outbox, times });
  const secrets = createSecrets(keys.privateJwk);
  const contactVerification =
    deps.contactVerification ?? createHttpContactVerification(endpointsOf(config, "CONTACT_VERIFICATION"));
  const parts = { store, documents, policies, people, preferences, customers, checks, secrets, outbox, times, clock };
  await auth.reachIdentity(config.BOOT_WAIT_S);
  const server = await startGrpcServer({
    service: "compliance",
    definition: ComplianceServiceDefinition,
    handlers: createComplianceHandlers({ ...parts, contactVerification, approvals: createApprovals({ identity }) }),
    access,
    extraDefinitions: [
      serveOutbox(outbox),
      serveApprovalOutcomes({
        service: "compliance",
        db: mongo.db,
        handlers: { DECISION_OVERRIDE: overrideOutcome(parts) },
        outbox,
      }),
      servePersonalData({ db: mongo.db, ...personalRecords(mongo.db) }),
      serveOutcomes(createDecisionOutcomes(store, clock.now), contactOutcomes(config)),
    ],
    host: config.HOST,
    port: config.PORT,
    healthPort: config.HEALTH_PORT,
    tls: keys.tls,
    verifyServiceToken: auth.verifyServiceToken,
    verifyUserToken: deps.verifyUserToken ?? auth.verifyUserToken,
    log,
  });
  const remittance =
    config.REMITTANCE_ADDRESS === undefined
      ? undefined
      : createClient(RemittanceServiceDefinition, {
          address: config.REMITTANCE_ADDRESS,
          audience: "remittance",
          signer,
        });
  const relay = startComplianceRelay({
    ...parts,
    identity,
    remittance,
    notifications: deps.notifications ?? createHttpNotifications(endpointsOf(config, "NOTIFICATION")),
    ...(deps.pollMs !== undefined && { pollMs: deps.pollMs }),
  });
  admin?.setReady(true);
  log.info({ port: server.port }, "compliance is listening");
  return {
    port: server.port,
    async stop() {
      admin?.setReady(false);
      await server.stop();
      await relay.stop();
      remittance?.close();
      auth.close();
      redis.disconnect();
      await mongo.close();
      await admin?.stop();
    },
  };
}

/** What a sandbox's verifier of contacts is told to answer. */
function contactOutcomes(config: ComplianceConfig) {
  const { sandbox } = endpointsOf(config, "CONTACT_VERIFICATION");
  return createPartnerOutcomes(createSender({ accessOf: () => sandbox }), ["CONTACT_VERIFICATION"]);
}
