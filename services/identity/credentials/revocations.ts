import type { Connection } from "mongoose";
import type { Clock } from "../../kernel/time/clock.js";
import { inTransaction } from "../../kernel/mongo/transaction.js";
import { accessTokenLifetimeS } from "./access-tokens.js";
import type { RevocationMirror } from "./revocation-mirror.js";
import type { IdentityStore } from "../store/index.js";
import type { RevocationRecord } from "../domain/sessions.js";

// A clock that lags may accept an access token a little past its time.
const marginMs = 60_000;
// A session that ends now is revoked from the epoch, whatever clock reads it.
const atOnce = new Date(0);

export type Revocations = ReturnType<typeof createRevocations>;

/** Revocation goes to MongoDB first, then to the mirror in Redis. */
export function createRevocations(deps: {
  db: Connection;
  store: IdentityStore;
  mirror: RevocationMirror;
  clock: Clock;
}) {
  const { db, store, mirror, clock } = deps;

  const endsAfter = (at: Date) => new Date(at.getTime() + accessTokenLifetimeS * 1_000 + marginMs);
  const revocationOf = (kind: RevocationRecord["kind"], subjectId: string, at: Date, issuedBefore = at) => ({
    revocationId: `${kind}:${subjectId}`,
    kind,
    subjectId,
    issuedBefore,
    expiresAt: endsAfter(at),
  });

  /** `from` may be to come, for what has no refresh tokens: the exchanges of an API token. */
  async function endSessions(
    tenantId: string,
    sessionIds: readonly string[],
    because: string,
    from?: Date,
  ): Promise<void> {
    const [first] = sessionIds;
    if (first === undefined) return;
    const ofTenant = store.forTenant(tenantId);
    const at = from ?? clock.now();
    const ended = sessionIds.map((sessionId) => revocationOf("session", sessionId, at, from ?? atOnce));
    await inTransaction(
      db,
      async (session) => {
        await ofTenant.endSessions(sessionIds, at, because, session);
        // A session that MongoDB has removed at its end is revoked too: an access token may outlive
        // it.
        await ofTenant.putRevocations(ended, session);
        return true;
      },
      {
        readBack: async () => {
          const found = await ofTenant.findRevocation(`session:${first}`);
          return found !== undefined && found.issuedBefore <= (from ?? atOnce) ? true : undefined;
        },
      },
    );
    await mirror.publish(...ended);
  }

  return {
    /** Ends a session: its refresh tokens and access tokens are worth nothing when this returns. */
    endSession: (tenantId: string, sessionId: string, because: string) => endSessions(tenantId, [sessionId], because),

    /** Ends at a time to come, on every replica, what an API token was exchanged for. */
    endExchangesAt: (tenantId: string, sessionId: string, at: Date, because: string) =>
      endSessions(tenantId, [sessionId], because, at),

    /** Ends several at once. */
    endSessions: (tenantId: string, sessionIds: readonly string[], because: string) =>
      endSessions(tenantId, sessionIds, because),

    /** Ends every open session of a user, save one where it is named. Repeating it is harmless. */
    async endSessionsOf(tenantId: string, userId: string, because: string, except = ""): Promise<void> {
      const open = await store.forTenant(tenantId).listOpenSessions(userId, clock.now());
      const ids = open.map(({ sessionId }) => sessionId).filter((id) => id !== except);
      await endSessions(tenantId, ids, because);
    },

    /**
     * Says that everything a user was given until now is worth nothing: put it in the transaction,
     * publish it after the commit.
     */
    ofUser: (userId: string) => revocationOf("user", userId, clock.now()),
    publish: mirror.publish,

    /**
     * From MongoDB: whether the session, or what the user had until after `issuedAt`, is revoked.
     */
    async isRevoked(subject: { sessionId: string; userId: string; issuedAt: Date }): Promise<boolean> {
      // Who is not told by the mirror asks here: from now on it tells them.
      mirror.wake();
      const ids = [`session:${subject.sessionId}`, `user:${subject.userId}`];
      const found = await store.across.findRevocations(ids);
      const now = clock.now();
      return found.some(({ kind, issuedBefore }) =>
        kind === "session" ? issuedBefore <= now : subject.issuedAt < issuedBefore,
      );
    },
  };
}
