import { randomUUID } from "node:crypto";
import type { Clock } from "../../shared/clocks/clock.js";
import type { Logger } from "../../shared/log.js";
import { Refusal } from "../../shared/refusal.js";
import { passwordChangeScope, type UserTokenVerifier } from "../../shared/tokens/user-tokens.js";
import { accessTokenLifetimeS, makeAccessToken } from "./access-tokens.js";
import { permissionsOf } from "../domain/roles.js";
import {
  accessTokenIdOf,
  decideRefresh,
  decodeRefreshToken,
  encodeRefreshToken,
  refreshAbsoluteMs,
  refreshIdleMs,
  type RefreshLink,
} from "../domain/refresh-tokens.js";
import type { Keyring } from "./keyring.js";
import type { Revocations } from "./revocations.js";
import type { IdentityStore } from "../store/index.js";
import type { SessionRecord } from "../domain/sessions.js";
import type { UserRecord } from "../domain/people.js";

/** What login and refresh hand out. */
export interface IssuedSession {
  accessToken: string;
  expiresInS: number;
  refreshToken: string;
  user: UserRecord;
  permissions: readonly string[];
}

export interface RefreshAttempt {
  tenantId: string;
  refreshToken: string;
  /** What rode along; empty when nothing did. */
  accessToken: string;
  log: Logger;
}

// Each loser of the compare-and-set reads a newer state; more rounds than this mean that something else is wrong.
const maxRounds = 5;

export type Sessions = ReturnType<typeof createSessions>;

/** Sessions and their families of refresh tokens: docs/decisions/0003. */
export function createSessions(deps: {
  store: IdentityStore;
  keyring: Keyring;
  revocations: Revocations;
  verifyAccessToken: UserTokenVerifier;
  clock: Clock;
}) {
  const { store, keyring, revocations, verifyAccessToken, clock } = deps;

  /** The one answer that belongs to the newest link: its tokens are computed, so a repeat is the same byte for byte. */
  function issue(user: UserRecord, session: Omit<SessionRecord, "tenantId">): IssuedSession {
    const { accessKeyId, refreshKeyId, rotatedAt } = session;
    const accessKey = keyring.accessKeyOf(accessKeyId);
    const refreshKey = keyring.refreshKeyOf(refreshKeyId);
    if (!accessKey || !refreshKey) throw new Error(`session ${session._id} names a key that is gone`);
    const link: RefreshLink = { keyId: refreshKeyId, family: session._id, counter: session.counter };
    const tokenId = accessTokenIdOf(refreshKey, user.tenantId, link);
    return {
      accessToken: makeAccessToken({ keyId: accessKeyId, key: accessKey }, user, {
        sessionId: session._id,
        tokenId,
        issuedAt: rotatedAt,
        ...(user.passwordForOneSignIn === undefined ? {} : { scopes: [passwordChangeScope] }),
      }),
      expiresInS: accessTokenLifetimeS,
      refreshToken: encodeRefreshToken(refreshKey, user.tenantId, link),
      user,
      permissions: permissionsOf(user.role),
    };
  }

  /**
   * A new session. Refuses LOGIN_FAILED where the password was changed or the user disabled since `user` was read: whoever
   * does so ends the sessions that are open by then, and this one is open before it looks.
   */
  async function open(user: UserRecord, ipAddress: string): Promise<IssuedSession> {
    const now = clock.now();
    const session = {
      _id: randomUUID(),
      userId: user._id,
      counter: 1,
      rotatedAt: now,
      accessKeyId: keyring.accessKey().keyId,
      refreshKeyId: keyring.refreshKey().keyId,
      createdAt: now,
      idleUntil: new Date(now.getTime() + refreshIdleMs),
      endsAt: new Date(now.getTime() + refreshAbsoluteMs),
      ipAddress,
    };
    await store.forTenant(user.tenantId).insertSession(session);
    const today = await store.forTenant(user.tenantId).findUser(user._id);
    if (today === null || today.passwordHash !== user.passwordHash || today.disabled !== undefined) {
      await revocations.endSession(user.tenantId, session._id, "the user changed while logging in");
      throw new Refusal("LOGIN_FAILED", "the e-mail address or the password is wrong");
    }
    return issue(user, session);
  }

  /** An access token that rides along may have expired, but must be of the same session. */
  async function checkCompanion(attempt: RefreshAttempt, family: string): Promise<void> {
    if (attempt.accessToken === "") return;
    const { sessionId } = await verifyAccessToken(attempt.accessToken, {
      tenantId: attempt.tenantId,
      allowExpired: true,
    });
    if (sessionId !== family) {
      throw new Refusal("TOKEN_CONFLICT", "the access token and the refresh token are of different sessions");
    }
  }

  async function issueToOwner(session: SessionRecord): Promise<IssuedSession> {
    const user = await store.forTenant(session.tenantId).findUser(session.userId);
    if (user === null) throw notValid();
    if (user.disabled !== undefined) throw new Refusal("TOKEN_REVOKED", "the session has ended");
    return issue(user, session);
  }

  /** A token of a key that another replica has made since is asked for once more. */
  async function decode(tenantId: string, token: string): Promise<RefreshLink | undefined> {
    const link = decodeRefreshToken(keyring.refreshKeyOf, tenantId, token);
    if (link !== undefined) return link;
    await keyring.reload();
    return decodeRefreshToken(keyring.refreshKeyOf, tenantId, token);
  }

  async function refresh(attempt: RefreshAttempt): Promise<IssuedSession> {
    const { tenantId, log } = attempt;
    const link = await decode(tenantId, attempt.refreshToken);
    if (link === undefined) throw notValid();
    const ofTenant = store.forTenant(tenantId);
    for (let round = 1; round <= maxRounds; round++) {
      const session = await ofTenant.findSession(link.family);
      if (session === null) throw notValid();
      const now = clock.now();
      switch (decideRefresh(session, link.counter, now)) {
        case "ADVANCE": {
          await checkCompanion(attempt, link.family);
          const idleUntil = new Date(Math.min(now.getTime() + refreshIdleMs, session.endsAt.getTime()));
          const next = { rotatedAt: now, idleUntil, accessKeyId: keyring.accessKey().keyId };
          if (await ofTenant.advanceSession(session._id, link.counter, next)) {
            return issueToOwner({ ...session, ...next, counter: link.counter + 1 });
          }
          break;
        }
        case "REPEAT":
          await checkCompanion(attempt, link.family);
          return issueToOwner(session);
        case "REUSED":
          await endReused(session, log);
          throw new Refusal("REFRESH_REUSED", "the refresh token was used before; the session has ended");
        case "REVOKED":
          throw new Refusal("TOKEN_REVOKED", "the session has ended");
        case "EXPIRED":
          throw new Refusal("TOKEN_EXPIRED", "the refresh token has expired");
        case "UNKNOWN":
          log.warn({ sessionId: session._id }, "a refresh token that is newer than its session was presented");
          throw notValid();
      }
    }
    throw new Refusal("UNAVAILABLE", "the session is being refreshed elsewhere, try again", { retryAfterS: 1 });
  }

  async function endReused(session: SessionRecord, log: Logger): Promise<void> {
    if (session.revokedAt !== undefined) return;
    log.warn(
      { sessionId: session._id, userId: session.userId },
      "a used refresh token came again: its session is ended",
    );
    await revocations.endSession(session.tenantId, session._id, "refresh token reused");
  }

  /** Sessions of a user that have not ended, the newest first. */
  const listOpen = (tenantId: string, userId: string) =>
    store.forTenant(tenantId).listOpenSessions(userId, clock.now());

  return { open, refresh, listOpen };
}

function notValid(): Refusal {
  return new Refusal("UNAUTHENTICATED", "the refresh token is not valid");
}
