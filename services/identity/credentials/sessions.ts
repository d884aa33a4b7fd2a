import { randomUUID } from "node:crypto";
import type { Clock } from "../../kernel/time/clock.js";
import { Refusal } from "../../kernel/refusal.js";
import type { UserRecord } from "../domain/people.js";
import { refreshAbsoluteMs, refreshIdleMs } from "../domain/refresh-tokens.js";
import type { IdentityStore } from "../store/index.js";
import { issueSession, type IssuedSession } from "./issued-sessions.js";
import type { Keyring } from "./keyring.js";
import type { Revocations } from "./revocations.js";

export type Sessions = ReturnType<typeof createSessions>;

/** Opens and lists sessions, which are families of refresh tokens: docs/decisions/0003. */
export function createSessions(deps: {
  store: IdentityStore;
  keyring: Keyring;
  revocations: Revocations;
  clock: Clock;
}) {
  const { store, keyring, revocations, clock } = deps;

  /**
   * A new session. Refuses LOGIN_FAILED where the password was changed or the user disabled since
   * `user` was read: whoever does so ends the sessions that are open by then, and this one is open
   * before it looks.
   */
  async function open(tenantId: string, user: UserRecord, ipAddress: string): Promise<IssuedSession> {
    const now = clock.now();
    const session = {
      sessionId: randomUUID(),
      userId: user.userId,
      counter: 1,
      rotatedAt: now,
      accessKeyId: keyring.accessKey().keyId,
      refreshKeyId: keyring.refreshKey().keyId,
      createdAt: now,
      idleUntil: new Date(now.getTime() + refreshIdleMs),
      endsAt: new Date(now.getTime() + refreshAbsoluteMs),
      ipAddress,
    };
    await store.forTenant(tenantId).insertSession(session);
    const today = await store.forTenant(tenantId).findUser(user.userId);
    if (today === undefined || today.passwordHash !== user.passwordHash || today.disabled !== undefined) {
      await revocations.endSession(tenantId, session.sessionId, "the user changed while logging in");
      throw new Refusal("LOGIN_FAILED", "the e-mail address or the password is wrong");
    }
    return issueSession(keyring, tenantId, user, session);
  }

  /** Sessions of a user that have not ended, the newest first. */
  const listOpen = (tenantId: string, userId: string) =>
    store.forTenant(tenantId).listOpenSessions(userId, clock.now());

  return { open, listOpen };
}
