import { setTimeout as sleep } from "node:timers/promises";
import { IdentityServiceDefinition } from "../../proto/gen/identity/v1/identity.js";
import { parseCeilings } from "../kernel/limits/amount-ceiling.js";
import { systemClock } from "../kernel/time/clock.js";
import { serveMasterKey } from "../kernel/keys/operations.js";
import { createHttpNotifications, type Notifications } from "../platform/messages/notifications.js";
import { serveOutbox } from "../kernel/outbox/operations.js";
import { createResolve, type Resolve } from "../platform/partners/addresses.js";
import { sandboxOrigins } from "../platform/partners/config.js";
import { preferenceHeldForMs } from "../platform/preferences/preferences.js";
import { serveCloseBlockers } from "../platform/closing/close-blockers.js";
import { createCommits } from "../kernel/startup/commits.js";
import { startService, type Opened, type ServiceDeps } from "../kernel/startup/start-service.js";
import { createRevocationChecker } from "../kernel/grpc/revocations.js";
import { createUserTokenVerifier } from "../kernel/tokens/user-tokens.js";
import { warmUpCalls } from "../kernel/startup/warm-up.js";
import { access, batched } from "./access.js";
import { connectNeighbours } from "./clients/neighbours.js";
import { openOwnPlugins } from "./clients/own-plugins.js";
import { createHttpInbox } from "./clients/sandbox-inbox.js";
import { notificationsOf, sandboxEndpoint, type IdentityConfig } from "./config.js";
import { openCredentials } from "./credentials/index.js";
import type { Argon2 } from "./credentials/passwords.js";
import { createRefreshTokenRotation } from "./credentials/refresh-token-rotation.js";
import { createAnswerCipher } from "./credentials/sealing.js";
import { createSessions } from "./credentials/sessions.js";
import { createIdentification } from "./factors/index.js";
import { identityHandlers, serveMessages, servePlugins } from "./handlers/index.js";
import { serveIdentityWork } from "./handlers/work-queues.js";
import { startJobs } from "./jobs/index.js";
import { rowKinds } from "./row-kinds.js";
import { migrations } from "./store/migrations.js";
import { countIdentityBlockers } from "./store/close-blockers.js";

/** `clock` is of tokens, sessions and revocations too. */
export interface IdentityDeps extends Pick<ServiceDeps, "log" | "keys" | "clock"> {
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

/**
 * Starts identity. Rejects when MongoDB or the master key's service is away, the master key is not
 * the database's, or the port is taken.
 */
export const startIdentity = (config: IdentityConfig, deps: IdentityDeps = {}) =>
  startService({
    name: "identity",
    config,
    deps: { log: deps.log, keys: deps.keys },
    definition: IdentityServiceDefinition,
    access,
    batched,
    migrations,
    resources: (opened) => openResources(opened, deps),
    handlers: (resources) => identityHandlers(resources),
    extraDefinitions: ({ db, outbox, store, inbox, wrapped, ...parts }) => [
      servePlugins({ db, outbox, store, ...parts }),
      serveOutbox(outbox),
      serveIdentityWork(db, outbox),
      serveCloseBlockers(outbox, countIdentityBlockers(db)),
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

/** Keys, database and neighbours, and what runs by itself. */
async function openResources(opened: Opened<IdentityConfig>, deps: IdentityDeps) {
  const { config, redis, log, onClose } = opened;
  const { clock = systemClock, resolve = createResolve() } = deps;
  const credentials = await openCredentials(opened, clock);
  const { store, keyring, revocations } = credentials;
  const answerCipher = createAnswerCipher(keyring);
  const commits = createCommits(opened, { kinds: rowKinds, clock, keepForMs: "for ever", answerCipher });
  const allowedOf = sandboxOrigins(config.PLUGIN_SANDBOX_ORIGINS);
  const otherwise = deps.notifications ?? createHttpNotifications(notificationsOf(config));
  const parts = {
    ...credentials,
    ...commits,
    clock,
    resolve,
    allowedOf,
    ceilings: parseCeilings(config.AMOUNT_CEILINGS),
    factorResetWaitMs: (config.FACTOR_RESET_WAIT_HOURS ?? 24) * 3_600_000,
    neighbours: connectNeighbours(opened),
    notifications: openOwnPlugins({ store, clock, resolve, allowedOf, log, onClose }, otherwise),
  };
  // Identity has keys and revocations at hand, so it asks nobody for them, itself least of all.
  const verifyUserToken = createUserTokenVerifier({
    jwks: () => keyring.reload().then(() => keyring.jwks()),
    revocations: createRevocationChecker({ redis, identity: (subject) => revocations.isRevoked(subject), clock }),
    clock,
  });
  return {
    ...parts,
    money: parts.neighbours.money,
    ...(await createIdentification(config, deps.argon2, parts)),
    ...startJobs(opened, parts, deps.introduceEveryMs),
    inbox: createHttpInbox(sandboxEndpoint(config)),
    sessions: createSessions(parts),
    refreshTokens: createRefreshTokenRotation({ ...parts, verifyAccessToken: verifyUserToken }),
    verifyUserToken,
    /** Ends when no service goes by an earlier preference any more. */
    untilKnown: () => sleep(deps.preferenceHeldForMs ?? preferenceHeldForMs),
  };
}
