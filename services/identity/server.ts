import { setTimeout as sleep } from "node:timers/promises";
import { IdentityServiceDefinition } from "../../proto/gen/identity/v1/identity.js";
import { parseCeilings } from "../shared/amount-ceiling.js";
import { startAdmin } from "../shared/admin.js";
import { keyFilesOf } from "../shared/config.js";
import { systemClock, type Clock } from "../shared/clocks/clock.js";
import { preferenceHeldForMs } from "../shared/preferences.js";
import { startGrpcServer } from "../shared/grpc/server.js";
import { createIdempotency } from "../shared/idempotency/index.js";
import { createLogger, type Logger } from "../shared/log.js";
import type { connectMongo } from "../shared/mongo/connect.js";
import { openDatabase } from "../shared/mongo/open-database.js";
import { createOutbox, startRelay } from "../shared/outbox/index.js";
import { serveOutbox } from "../shared/outbox/operations.js";
import { createRedis } from "../shared/redis.js";
import { createRevocationChecker } from "../shared/tokens/revocations.js";
import {
  createServiceTokenSigner,
  createServiceTokenVerifier,
  loadServiceKeys,
  type ServiceKeys,
} from "../shared/tokens/service-tokens.js";
import { createUserTokenVerifier } from "../shared/tokens/user-tokens.js";
import { access } from "./access.js";
import type { IdentityConfig } from "./config.js";
import { approvalRows, createOutcomeClients } from "./jobs/approvals.js";
import { createPersonalDataClients, erasureRows } from "./jobs/erasure.js";
import { createContactChanges } from "./factors/contact-changes.js";
import { factorResetOutcome, factorResetRows } from "./jobs/factor-resets.js";
import { apiTokenHandlers } from "./handlers/api-tokens.js";
import { approvalHandlers } from "./handlers/approvals.js";
import { credentialHandlers } from "./handlers/credentials.js";
import { erasureHandlers } from "./handlers/erasure.js";
import { factorResetHandlers } from "./handlers/factor-resets.js";
import { factorHandlers } from "./handlers/factors.js";
import { keyHandlers } from "./handlers/keys.js";
import { loginHandlers } from "./handlers/sessions.js";
import { passwordHandlers } from "./handlers/passwords.js";
import { peopleHandlers } from "./handlers/customers.js";
import { preferenceHandlers } from "./handlers/preferences.js";
import { createManagedUser, profileHandlers } from "./handlers/profiles.js";
import { registrationHandlers } from "./handlers/registration.js";
import { serveMessages } from "./handlers/sandbox-messages.js";
import { tenantHandlers } from "./handlers/tenants.js";
import { createKnownPlaces } from "./credentials/known-places.js";
import { createLoginCheck } from "./credentials/login-check.js";
import { openKeyring } from "./credentials/keyring.js";
import { createLocalKms, loadMasterKey } from "../shared/erasure/kms.js";
import { createPasswordHasher, type Argon2 } from "./credentials/passwords.js";
import { noticeRows } from "./jobs/notices.js";
import { createHttpInbox, createHttpNotifications, type NotificationConnector } from "./clients/notifications.js";
import { createPasswordChecks } from "./credentials/password-checks.js";
import { createAnswerCipher, createFieldCipher } from "./credentials/sealing.js";
import { createComplianceClient, personRows } from "./jobs/person-changes.js";
import { accountRows } from "./jobs/relay.js";
import { createRevocationMirror } from "./credentials/revocation-mirror.js";
import { createRevocations } from "./credentials/revocations.js";
import { createSecondFactors } from "./factors/second-factors.js";
import { createSentCodes } from "./factors/sent-codes.js";
import { createSessions } from "./credentials/sessions.js";
import { createStepUp } from "./factors/step-up.js";
import { createAcrossTenantsStore } from "./store/across-tenants.js";
import { migrations } from "./store/migrations.js";
import { createIdentityStore } from "./store/index.js";
import { createThrottle } from "./credentials/throttle.js";

export interface IdentityDeps {
  log?: Logger;
  /** Real time: of tokens, sessions and revocations. */
  clock?: Clock;
  /** Read from the config's files when absent. */
  keys?: ServiceKeys;
  argon2?: Argon2;
  /** Instead of the connector of the config. */
  notifications?: NotificationConnector;
  /** How long the answer to a change of a tenant waits, real time. Only tests shorten it. */
  preferenceHeldForMs?: number;
}

export interface RunningIdentity {
  port: number;
  stop(): Promise<void>;
}

/** Starts identity. Rejects when MongoDB is away, the master key is not the database's, or the port is taken. */
export async function startIdentity(config: IdentityConfig, deps: IdentityDeps = {}): Promise<RunningIdentity> {
  const { clock = systemClock } = deps;
  const log = deps.log ?? createLogger({ service: "identity", level: config.LOG_LEVEL });
  const keys = deps.keys ?? (await loadServiceKeys(keyFilesOf(config)));
  const kms = createLocalKms(await loadMasterKey(config.MASTER_KEY_FILE));
  const closing: (() => unknown)[] = [];
  const close = async () => {
    for (const step of closing.toReversed()) await step();
  };
  try {
    const admin = config.ADMIN_PORT === undefined ? undefined : await startAdmin(config.ADMIN_PORT, config.HOST);
    closing.push(() => admin?.stop());
    const mongo = await openDatabase(config, { migrations, log });
    closing.push(() => mongo.close());
    const redis = createRedis({ url: config.REDIS_URL, log });
    closing.push(() => redis.disconnect());
    const across = createAcrossTenantsStore(mongo.db);
    const keyring = await openKeyring({ store: across, kms, clock, log });
    closing.push(() => keyring.stop());
    const mirror = createRevocationMirror({ store: across, redis, clock, log });
    mirror.start();
    closing.push(() => mirror.stop());
    const signer = createServiceTokenSigner({ service: "identity", privateJwk: keys.privateJwk, tls: keys.tls });
    const outcomes = createOutcomeClients(addressesOf(config), signer);
    const keepers = createPersonalDataClients(addressesOf(config), signer);
    const compliance = createComplianceClient(config.COMPLIANCE_ADDRESS, signer);
    closing.push(() => {
      for (const client of [...Object.values(outcomes), ...Object.values(keepers)]) client.close();
      compliance?.close();
    });
    const clients = { outcomes, keepers, compliance };
    const parts = { config, deps, db: mongo.db, redis, across, keyring, mirror, clients, clock, log };
    const { relay, ...served } = await assemble(parts);
    closing.push(() => relay.stop());

    const server = await startGrpcServer({
      service: "identity",
      definition: IdentityServiceDefinition,
      ...served,
      access,
      host: config.HOST,
      port: config.PORT,
      healthPort: config.HEALTH_PORT,
      verifyServiceToken: createServiceTokenVerifier({ self: "identity", jwks: keys.jwks }),
      tls: keys.tls,
      log,
    });
    closing.push(() => server.stop());
    admin?.setReady(true);
    closing.push(() => admin?.setReady(false));
    log.info({ port: server.port }, "identity is listening");
    return { port: server.port, stop: close };
  } catch (error) {
    await close();
    throw error;
  }
}

interface Parts {
  config: IdentityConfig;
  deps: IdentityDeps;
  db: Awaited<ReturnType<typeof connectMongo>>["db"];
  redis: ReturnType<typeof createRedis>;
  across: ReturnType<typeof createAcrossTenantsStore>;
  keyring: Awaited<ReturnType<typeof openKeyring>>;
  mirror: ReturnType<typeof createRevocationMirror>;
  clients: {
    outcomes: ReturnType<typeof createOutcomeClients>;
    keepers: ReturnType<typeof createPersonalDataClients>;
    compliance: ReturnType<typeof createComplianceClient>;
  };
  clock: Clock;
  log: Logger;
}

async function assemble(parts: Parts) {
  const { config, deps, db, redis, across, keyring, mirror, clients, clock, log } = parts;
  const fields = createFieldCipher(keyring);
  const store = createIdentityStore(db, across, fields);
  const cost = { memoryKib: config.ARGON2_MEMORY_KIB, passes: config.ARGON2_PASSES };
  const hasher = await createPasswordHasher(cost, {
    ...(deps.argon2 !== undefined && { argon2: deps.argon2 }),
    ...(config.ARGON2_AT_ONCE !== undefined && { concurrency: config.ARGON2_AT_ONCE }),
  });
  const cipher = createAnswerCipher(keyring);
  const idempotency = createIdempotency({ db, redis, clock, keepForMs: "for ever", cipher, log });
  const revocations = createRevocations({ db, store, mirror, clock });
  const ceilings = parseCeilings(config.AMOUNT_CEILINGS);
  const throttle = createThrottle({ redis, clock });
  const checks = createPasswordChecks({ hasher, throttle });
  const notifications = deps.notifications ?? notificationsOf(config);
  const knownPlaces = createKnownPlaces({ store, keyring, clock });
  const loginCheck = createLoginCheck({ store, hasher, throttle, knownPlaces, clock });
  const factors = createSecondFactors({ store, cipher: fields, keyring, hasher, throttle, clock });
  const managedUser = createManagedUser(store);
  const outbox = createOutbox({ db, clock, log, service: "identity" });
  const waitMs = (config.FACTOR_RESET_WAIT_HOURS ?? 24) * 3_600_000;
  const resetOutcome = factorResetOutcome({ db, store, outbox, clock, waitMs });
  const stepUp = createStepUp({ checks, factors });
  const sentCodes = createSentCodes({ db, store, outbox, throttle, clock });
  const contactChanges = createContactChanges({ store, outbox, keyring, throttle, clock });
  const relay = startRelay({
    outbox,
    handlers: {
      ...accountRows({ store, keyring, revocations, notifications, throttle, clock }),
      ...noticeRows({ store, notifications }),
      ...approvalRows({ db, store, outbox, outcomes: clients.outcomes, own: { FACTOR_RESET: resetOutcome }, clock }),
      ...factorResetRows({ db, store, outbox, clock }),
      ...personRows(clients.compliance),
      ...erasureRows({ db, store, outbox, keepers: clients.keepers, clock }),
    },
  });
  // Identity has keys and revocations at hand and asks nobody for them, itself least of all.
  const verifyUserToken = createUserTokenVerifier({
    jwks: () => keyring.reload().then(() => keyring.jwks()),
    revocations: createRevocationChecker({ redis, identity: (subject) => revocations.isRevoked(subject), clock }),
    clock,
  });
  const untilKnown = () => sleep(deps.preferenceHeldForMs ?? preferenceHeldForMs);
  const sessions = createSessions({ store, keyring, revocations, verifyAccessToken: verifyUserToken, clock });
  return {
    relay,
    extraDefinitions: [serveOutbox(outbox), serveMessages({ store, inbox: createHttpInbox(sandboxEndpoint(config)) })],
    verifyUserToken,
    handlers: {
      ...tenantHandlers({ db, store, idempotency, clock, ceilings, untilKnown }),
      ...preferenceHandlers({ db, store, idempotency, clock, ceilings, untilKnown }),
      ...peopleHandlers({ db, store, idempotency, hasher, clock }),
      ...registrationHandlers({ db, store, idempotency, outbox, hasher, throttle, keyring, cipher: fields, clock }),
      ...profileHandlers({ db, store, outbox, revocations, stepUp, contactChanges, managedUser, clock }),
      ...loginHandlers({ store, loginCheck, knownPlaces, factors, sessions, revocations }),
      ...passwordHandlers({ db, store, outbox, hasher, checks, keyring, clock }),
      ...credentialHandlers({ store, checks, factors }),
      ...factorHandlers({
        db,
        store,
        outbox,
        hasher,
        checks,
        loginCheck,
        factors,
        stepUp,
        sentCodes,
        cipher: fields,
      }),
      ...factorResetHandlers({ db, store, outbox, managedUser, waitMs, clock }),
      ...apiTokenHandlers({ db, store, idempotency, outbox, checks, stepUp, revocations, keyring, clock }),
      ...approvalHandlers({ db, store, idempotency, outbox, clock }),
      ...erasureHandlers({ db, store, idempotency, revocations, outbox, clock }),
      ...keyHandlers({ keyring, revocations }),
    },
  };
}

function addressesOf(config: IdentityConfig) {
  return {
    compliance: config.COMPLIANCE_ADDRESS,
    remittance: config.REMITTANCE_ADDRESS,
    wallet: config.WALLET_ADDRESS,
    lending: config.LENDING_ADDRESS,
    investment: config.INVESTMENT_ADDRESS,
  };
}

const endpoint = (url: string | undefined, apiKey: string | undefined) =>
  url === undefined || apiKey === undefined ? undefined : { url, apiKey };

/** Who sends a sandbox's messages. */
function sandboxEndpoint(config: IdentityConfig) {
  const { SANDBOX_NOTIFICATION_URL: url, SANDBOX_NOTIFICATION_API_KEY: apiKey } = config;
  return endpoint(url, apiKey) ?? endpoint(config.PARTNER_URL, config.PARTNER_API_KEY);
}

function notificationsOf(config: IdentityConfig): NotificationConnector {
  const partner = endpoint(config.PARTNER_URL, config.PARTNER_API_KEY);
  const inProduction = config.NODE_ENV === "production";
  return createHttpNotifications({
    live: endpoint(config.NOTIFICATION_URL, config.NOTIFICATION_API_KEY) ?? (inProduction ? undefined : partner),
    sandbox: sandboxEndpoint(config),
  });
}
