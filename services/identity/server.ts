import { setTimeout as sleep } from "node:timers/promises";
import { IdentityServiceDefinition } from "../../proto/gen/identity/v1/identity.js";
import { PluginServiceDefinition } from "../../proto/gen/identity/v1/plugins.js";
import { parseCeilings } from "../kernel/limits/amount-ceiling.js";
import { systemClock, type Clock } from "../kernel/time/clock.js";
import { createIdempotency, createRunOnce } from "../kernel/idempotency/index.js";
import { alsoServe } from "../kernel/grpc/server.js";
import type { Logger } from "../kernel/process/log.js";
import { openMasterKey } from "../kernel/keys/config.js";
import { serveMasterKey } from "../kernel/keys/operations.js";
import { awaitMasterKey, createWrappedKeys } from "../kernel/keys/wrapped-keys.js";
import { createHttpNotifications, type Notifications } from "../platform/messages/notifications.js";
import { sandboxOrigins } from "../platform/messages/open-installed.js";
import { createOutbox } from "../kernel/outbox/index.js";
import { serveOutbox } from "../kernel/outbox/operations.js";
import { createResolve, type Resolve } from "../platform/partners/addresses.js";
import { preferenceHeldForMs } from "../platform/preferences/preferences.js";
import { isSandbox } from "../platform/sandbox/sandbox.js";
import { startService, type Opened } from "../kernel/startup/start-service.js";
import { processMetrics } from "../kernel/telemetry/metrics.js";
import { createRevocationChecker } from "../kernel/grpc/revocations.js";
import type { ServiceKeys } from "../kernel/tokens/service-tokens.js";
import { createUserTokenVerifier } from "../kernel/tokens/user-tokens.js";
import { warmUpCalls } from "../kernel/startup/warm-up.js";
import { access, batched, pluginAccess } from "./access.js";
import { connectNeighbours } from "./clients/neighbours.js";
import { openOwnPlugins } from "./clients/own-plugins.js";
import { createHttpInbox } from "./clients/sandbox-inbox.js";
import type { IdentityConfig } from "./config.js";
import { keepDatabaseLife } from "./credentials/database-life.js";
import { openKeyring } from "./credentials/keyring.js";
import { createKnownPlaces } from "./credentials/known-places.js";
import { createLoginCheck } from "./credentials/login-check.js";
import { createPasswordChecks } from "./credentials/password-checks.js";
import { createPasswordHasher, type Argon2 } from "./credentials/passwords.js";
import { createRefreshTokenRotation } from "./credentials/refresh-token-rotation.js";
import { createRevocationMirror } from "./credentials/revocation-mirror.js";
import { createRevocations } from "./credentials/revocations.js";
import { createAnswerCipher, createFieldCipher } from "./credentials/sealing.js";
import { createSessions } from "./credentials/sessions.js";
import { createThrottle } from "./credentials/throttle.js";
import { createContactChanges } from "./factors/contact-changes.js";
import { createSecondFactors } from "./factors/second-factors.js";
import { createSentCodes } from "./factors/sent-codes.js";
import { createStepUp } from "./factors/step-up.js";
import { createIdentityHandlers } from "./handlers/index.js";
import { pluginChangeHandlers } from "./handlers/plugin-changes.js";
import type { PluginDeps } from "./handlers/plugin-deps.js";
import { pluginOwnerHandlers } from "./handlers/plugin-owners.js";
import { pluginHandlers } from "./handlers/plugins.js";
import { serveMessages } from "./handlers/sandbox-messages.js";
import { factorResetOutcome } from "./jobs/factor-resets.js";
import { createForesee } from "./jobs/foresee.js";
import { startIntroductions } from "./jobs/introductions.js";
import { preferenceChangeOutcome } from "./jobs/preference-changes.js";
import { pluginChangeOutcome } from "./jobs/plugin-changes.js";
import { startIdentityRelay } from "./jobs/relay.js";
import { createAcrossTenantsStore } from "./store/across-tenants.js";
import { createIdentityStore } from "./store/index.js";
import { serveIdentityWork } from "./handlers/work-queues.js";
import { migrations } from "./store/migrations.js";

export interface IdentityDeps {
  log?: Logger;
  /** Read from the config's files when absent. */
  keys?: ServiceKeys;
  /** Real time: of tokens, sessions and revocations. */
  clock?: Clock;
  argon2?: Argon2;
  /**
   * Instead of the connector of the config; what a tenant has installed comes first all the same.
   */
  notifications?: Notifications;
  /** In place of the name servers. */
  resolve?: Resolve;
  /** How long the answer to a change of a tenant waits, real time. Only tests shorten it. */
  preferenceHeldForMs?: number;
  /** How often it is looked for people of whom compliance was not told, ms. */
  introduceEveryMs?: number;
}

export interface RunningIdentity {
  port: number;
  stop(): Promise<void>;
}

/**
 * Starts identity. Rejects when MongoDB or the master key's service is away, the master key is not
 * the database's, or the port is taken.
 */
export async function startIdentity(config: IdentityConfig, deps: IdentityDeps = {}): Promise<RunningIdentity> {
  return startService({
    name: "identity",
    config,
    deps: { log: deps.log, keys: deps.keys },
    definition: IdentityServiceDefinition,
    access,
    batched,
    migrations,
    resources: (opened) => openResources(opened, deps),
    handlers: (resources) => createIdentityHandlers(resources),
    extraDefinitions: ({ db, outbox, store, inbox, wrapped, ...parts }) => [
      servePlugins({ db, outbox, store, ...parts }),
      serveOutbox(outbox),
      serveIdentityWork(db, outbox),
      serveMessages({ store, inbox }),
      serveMasterKey(wrapped),
    ],
    verifyUserToken: ({ verifyUserToken }) => verifyUserToken,
    // Passwords are warm already: the hasher has made a hash of its own.
    warmUps: (_resources, self) =>
      warmUpCalls({
        resolveHost: (call) => self.resolveHost({ host: "warm-up.invalid" }, call),
        getOrganisationPreference: (call) => self.getOrganisationPreference({}, call),
        getCustomer: (call) => self.getCustomer({ customerId: "warm-up" }, call),
        getTenantClock: (call) => self.getTenantClock({}, call),
      }),
  });
}

const servePlugins = (deps: PluginDeps) =>
  alsoServe<PluginServiceDefinition>({
    definition: PluginServiceDefinition,
    access: pluginAccess,
    handlers: { ...pluginHandlers(deps), ...pluginChangeHandlers(deps), ...pluginOwnerHandlers(deps) },
  });

/** Keys, database and neighbours, and what runs by itself. */
async function openResources(opened: Opened<IdentityConfig>, deps: IdentityDeps) {
  const { config, db, redis, wakeUps, log, connect, onClose } = opened;
  const { clock = systemClock } = deps;
  const wrapper = await openMasterKey(config, log);
  const wrapped = createWrappedKeys({ db, collection: "keys", service: "identity", wrapper });
  onClose(processMetrics.watchWrappedKeys(wrapped.countBehind));
  const life = await keepDatabaseLife({ db, redis, log });
  onClose(() => life.stop());
  const across = createAcrossTenantsStore(db, wrapped);
  const openKeys = () => openKeyring({ store: across, wrapper, clock, log });
  const keyring = await awaitMasterKey(openKeys, config.BOOT_WAIT_S, log);
  onClose(() => keyring.stop());
  const mirror = createRevocationMirror({ store: across, redis, clock, log });
  mirror.start();
  onClose(() => mirror.stop());
  const cipher = createFieldCipher(keyring);
  const store = createIdentityStore(db, across, cipher);
  const revocations = createRevocations({ db, store, mirror, clock });
  const throttle = createThrottle({ redis, clock });
  const outbox = createOutbox({ db, clock, log, service: "identity", wakeUps });
  const answerCipher = createAnswerCipher(keyring);
  const idempotency = createIdempotency({ db, redis, clock, keepForMs: "for ever", cipher: answerCipher, log });
  const factorResetWaitMs = (config.FACTOR_RESET_WAIT_HOURS ?? 24) * 3_600_000;
  const resolve = deps.resolve ?? createResolve();
  const allowedOf = sandboxOrigins(config.PLUGIN_SANDBOX_ORIGINS, isSandbox);
  const otherwise = deps.notifications ?? notificationsOf(config);
  const notifications = openOwnPlugins({ store, clock, resolve, allowedOf, log, onClose }, otherwise);
  const neighbours = connectNeighbours(addressesOf(config), connect);
  const kept = { db, store, keyring, revocations, throttle, outbox, factorResetWaitMs, clock };
  const checks = await createChecks(config, deps, { ...kept, cipher });
  const ceilings = parseCeilings(config.AMOUNT_CEILINGS);
  const own = {
    FACTOR_RESET: factorResetOutcome({ ...kept, waitMs: factorResetWaitMs }),
    PARTNER_CHANGE: pluginChangeOutcome(kept),
    SETTING_CHANGE: preferenceChangeOutcome({ ...kept, ceilings }),
  };
  const relay = startIdentityRelay({ ...kept, notifications, neighbours, own });
  onClose(() => relay.stop());
  if (neighbours.compliance !== undefined) {
    const { introduceEveryMs } = deps;
    const every = introduceEveryMs === undefined ? {} : { everyMs: introduceEveryMs };
    const introductions = startIntroductions({ store, compliance: neighbours.compliance, log, ...every });
    onClose(() => introductions.stop());
  }
  // Identity has keys and revocations at hand, so it asks nobody for them, itself least of all.
  const verifyUserToken = createUserTokenVerifier({
    jwks: () => keyring.reload().then(() => keyring.jwks()),
    revocations: createRevocationChecker({ redis, identity: (subject) => revocations.isRevoked(subject), clock }),
    clock,
  });
  return {
    ...kept,
    ...checks,
    cipher,
    wrapped,
    idempotency,
    runOnce: createRunOnce({ db, idempotency }),
    foresee: createForesee({ db, outcomes: neighbours.outcomes, own }),
    inbox: createHttpInbox(sandboxEndpoint(config)),
    sessions: createSessions({ store, keyring, revocations, clock }),
    refreshTokens: createRefreshTokenRotation({
      store,
      keyring,
      revocations,
      verifyAccessToken: verifyUserToken,
      clock,
    }),
    verifyUserToken,
    resolve,
    allowedOf,
    ceilings,
    /** Ends when no service goes by an earlier preference any more. */
    untilKnown: () => sleep(deps.preferenceHeldForMs ?? preferenceHeldForMs),
  };
}

type Kept = Omit<Parameters<typeof startIdentityRelay>[0], "notifications" | "neighbours" | "own"> & {
  cipher: ReturnType<typeof createFieldCipher>;
};

/** What tells whether somebody is who they say: passwords, places and second factors. */
async function createChecks(config: IdentityConfig, deps: IdentityDeps, kept: Kept) {
  const cost = { memoryKib: config.ARGON2_MEMORY_KIB, passes: config.ARGON2_PASSES };
  const hasher = await createPasswordHasher(cost, {
    ...(deps.argon2 !== undefined && { argon2: deps.argon2 }),
    ...(config.ARGON2_AT_ONCE !== undefined && { concurrency: config.ARGON2_AT_ONCE }),
  });
  const knownPlaces = createKnownPlaces(kept);
  const checks = createPasswordChecks({ ...kept, hasher });
  const factors = createSecondFactors({ ...kept, hasher });
  return {
    hasher,
    knownPlaces,
    checks,
    factors,
    loginCheck: createLoginCheck({ ...kept, hasher, knownPlaces }),
    stepUp: createStepUp({ checks, factors }),
    sentCodes: createSentCodes(kept),
    contactChanges: createContactChanges(kept),
  };
}

function addressesOf(config: IdentityConfig) {
  return {
    compliance: config.COMPLIANCE_ADDRESS,
    remittance: config.REMITTANCE_ADDRESS,
    wallet: config.WALLET_ADDRESS,
    lending: config.LENDING_ADDRESS,
    investment: config.INVESTMENT_ADDRESS,
    events: config.EVENTS_ADDRESS,
  };
}

const endpoint = (url: string | undefined, apiKey: string | undefined) =>
  url === undefined || apiKey === undefined ? undefined : { url, apiKey };

/** Who sends a sandbox's messages. */
function sandboxEndpoint(config: IdentityConfig) {
  const { SANDBOX_NOTIFICATION_URL: url, SANDBOX_NOTIFICATION_API_KEY: apiKey } = config;
  return endpoint(url, apiKey) ?? endpoint(config.PARTNER_URL, config.PARTNER_API_KEY);
}

function notificationsOf(config: IdentityConfig): Notifications {
  const partner = endpoint(config.PARTNER_URL, config.PARTNER_API_KEY);
  const inProduction = config.NODE_ENV === "production";
  return createHttpNotifications({
    live: endpoint(config.NOTIFICATION_URL, config.NOTIFICATION_API_KEY) ?? (inProduction ? undefined : partner),
    sandbox: sandboxEndpoint(config),
  });
}
