import type { Connection } from "mongoose";
import type { Clock } from "../shared/clock.js";
import { inTransaction } from "../shared/mongo/transaction.js";
import { accessTokenLifetimeS } from "./access-tokens.js";
import type { RevocationMirror } from "./revocation-mirror.js";
import type { IdentityStore } from "./store/store.js";

// An access token could be verified a little past its time by a clock that lags.
const marginMs = 60_000;

export type Revocations = ReturnType<typeof createRevocations>;

/** Revocation goes to MongoDB first, then to the mirror in Redis. */
export function createRevocations(deps: {
  db: Connection;
  store: IdentityStore;
  mirror: RevocationMirror;
  clock: Clock;
}) {
  const { db, store, mirror, clock } = deps;

  const revocationOf = (sessionId: string, at: Date) => ({
    _id: `session:${sessionId}`,
    kind: "session" as const,
    subjectId: sessionId,
    issuedBefore: at,
    expiresAt: new Date(at.getTime() + accessTokenLifetimeS * 1_000 + marginMs),
  });

  return {
    /** Ends a session: its refresh tokens and access tokens are worth nothing when this returns. */
    async endSession(tenantId: string, sessionId: string, because: string): Promise<void> {
      const ofTenant = store.forTenant(tenantId);
      const revocation = revocationOf(sessionId, clock.now());
      await inTransaction(
        db,
        async (session) => {
          await ofTenant.endSession(sessionId, revocation.issuedBefore, because, session);
          // Also for a session that MongoDB has removed at its end: an access token may outlive it.
          await ofTenant.putRevocation(revocation, session);
          return true;
        },
        { readBack: async () => ((await ofTenant.findRevocation(revocation._id)) ? true : undefined) },
      );
      await mirror.publish(revocation);
    },

    /** From MongoDB: whether the session, or what the user had until after `issuedAt`, is revoked. */
    async isRevoked(subject: { sessionId: string; userId: string; issuedAt: Date }): Promise<boolean> {
      const ids = [`session:${subject.sessionId}`, `user:${subject.userId}`];
      const found = await store.across.findRevocations(ids);
      return found.some(({ kind, issuedBefore }) => kind === "session" || subject.issuedAt < issuedBefore);
    },
  };
}
