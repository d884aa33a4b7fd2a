import type { Clock } from "../../kernel/time/clock.js";
import type { Logger } from "../../kernel/process/log.js";
import { Refusal } from "../../kernel/refusal.js";
import type { UserTokenVerifier } from "../../kernel/tokens/user-tokens.js";
import { decideRefresh, decodeRefreshToken, refreshIdleMs, type RefreshLink } from "../domain/refresh-tokens.js";
import type { SessionRecord } from "../domain/sessions.js";
import type { IdentityStore } from "../store/index.js";
import { issueSession, type IssuedSession } from "./issued-sessions.js";
import type { Keyring } from "./keyring.js";
import type { Revocations } from "./revocations.js";

export interface RefreshAttempt {
  tenantId: string;
  refreshToken: string;
  /** What rode along; empty when nothing did. */
  accessToken: string;
  log: Logger;
}

// Each loser of the compare-and-set reads a newer state; more rounds than this mean that something
// else is wrong.
const maxRounds = 5;

export type RefreshTokenRotation = ReturnType<typeof createRefreshTokenRotation>;

/**
 * Exchanges a refresh token for its successor, once; a token that was used before ends its family:
 * docs/decisions/0003.
 */
export function createRefreshTokenRotation(deps: {
  store: IdentityStore;
  keyring: Keyring;
  revocations: Revocations;
  verifyAccessToken: UserTokenVerifier;
  clock: Clock;
}) {
  const { store, keyring, revocations, verifyAccessToken, clock } = deps;

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

  async function issueToOwner(tenantId: string, session: SessionRecord): Promise<IssuedSession> {
    const user = await store.forTenant(tenantId).findUser(session.userId);
    if (user === undefined) throw notValid();
    if (user.disabled !== undefined) throw new Refusal("TOKEN_REVOKED", "the session has ended");
    return issueSession(keyring, tenantId, user, session);
  }

  /** A token of a key that another replica has made since is asked for once more. */
  async function decode(tenantId: string, token: string): Promise<RefreshLink | undefined> {
    const link = decodeRefreshToken(keyring.refreshKeyOf, tenantId, token);
    if (link !== undefined) return link;
    await keyring.reload();
    return decodeRefreshToken(keyring.refreshKeyOf, tenantId, token);
  }

  async function rotate(attempt: RefreshAttempt): Promise<IssuedSession> {
    const { tenantId, log } = attempt;
    const link = await decode(tenantId, attempt.refreshToken);
    if (link === undefined) throw notValid();
    const ofTenant = store.forTenant(tenantId);
    for (let round = 1; round <= maxRounds; round++) {
      const session = await ofTenant.findSession(link.family);
      if (session === undefined) throw notValid();
      const now = clock.now();
      switch (decideRefresh(session, link.counter, now)) {
        case "ADVANCE": {
          await checkCompanion(attempt, link.family);
          const idleUntil = new Date(Math.min(now.getTime() + refreshIdleMs, session.endsAt.getTime()));
          const next = { rotatedAt: now, idleUntil, accessKeyId: keyring.accessKey().keyId };
          if (await ofTenant.advanceSession(session.sessionId, link.counter, next)) {
            return issueToOwner(tenantId, { ...session, ...next, counter: link.counter + 1 });
          }
          break;
        }
        case "REPEAT":
          await checkCompanion(attempt, link.family);
          return issueToOwner(tenantId, session);
        case "REUSED":
          await endReused(attempt, session);
          throw new Refusal("REFRESH_REUSED", "the refresh token was used before; the session has ended");
        case "REVOKED":
          throw new Refusal("TOKEN_REVOKED", "the session has ended");
        case "EXPIRED":
          throw new Refusal("TOKEN_EXPIRED", "the refresh token has expired");
        case "UNKNOWN":
          log.warn({ sessionId: session.sessionId }, "a refresh token that is newer than its session was presented");
          throw notValid();
      }
    }
    throw new Refusal("UNAVAILABLE", "the session is being refreshed elsewhere, try again", { retryAfterS: 1 });
  }

  async function endReused({ tenantId, log }: RefreshAttempt, session: SessionRecord): Promise<void> {
    if (session.revokedAt !== undefined) return;
    log.warn(
      { sessionId: session.sessionId, userId: session.userId },
      "a used refresh token came again: its session is ended",
    );
    await revocations.endSession(tenantId, session.sessionId, "refresh token reused");
  }

  return { rotate };
}

function notValid(): Refusal {
  return new Refusal("UNAUTHENTICATED", "the refresh token is not valid");
}
