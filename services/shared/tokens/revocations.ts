import type { Redis } from "ioredis";
import { isCluster } from "../redis.js";
import { outgoing, type Client, type OutgoingContext } from "../grpc/client.js";
import { Refusal } from "../refusal.js";
import type { IdentityServiceDefinition } from "../../../proto/gen/identity/v1/identity.js";

/** Whose token is looked at. */
export interface RevocationSubject {
  readonly tenantId: string;
  readonly userId: string;
  readonly sessionId: string;
  readonly issuedAt: Date;
}

/** True when the session, or all tokens the user had until some time, were revoked; UNAVAILABLE when nobody can say. */
export type RevocationChecker = (subject: RevocationSubject, call?: OutgoingContext) => Promise<boolean>;

/** Keys of the mirror that identity keeps in Redis. */
export const revocationKeys = keysUnder("revocations");
const keysOnOneNode = keysUnder("{revocations}");

/** In a cluster the mirror is on one node: a request reads three keys at once, and a script guards two. */
export function revocationKeysIn(redis: object): typeof revocationKeys {
  return isCluster(redis) ? keysOnOneNode : revocationKeys;
}

function keysUnder(prefix: string) {
  return {
    /** Lives one second; there only while identity has mirrored every revocation. */
    complete: `${prefix}:complete`,
    /** Run id of the Redis process that everything was loaded into. Gone, or another's: load again. */
    loaded: `${prefix}:loaded`,
    /** Its absence after a load says that Redis was emptied meanwhile. */
    loading: (token: string) => `${prefix}:loading:${token}`,
    /** Any value: the session is revoked. */
    session: (sessionId: string) => `${prefix}:session:${sessionId}`,
    /** Epoch ms: tokens issued before it are revoked. */
    user: (userId: string) => `${prefix}:user:${userId}`,
  };
}

/** Reads the mirror in Redis with one MGET; asks identity where the mirror is away or not complete. Nothing is cached. */
export function createRevocationChecker(options: {
  redis: Pick<Redis, "mget">;
  identity: Pick<Client<IdentityServiceDefinition>, "checkRevocation"> | RevocationChecker;
}): RevocationChecker {
  const { redis, identity } = options;
  const ask = typeof identity === "function" ? identity : askByRpc(identity);

  return async (subject, call) => {
    const mirrored = await readMirror(redis, subject);
    if (mirrored !== "unknown") return mirrored === "revoked";
    try {
      return await ask(subject, call);
    } catch (error) {
      throw new Refusal("UNAVAILABLE", `revocations cannot be checked: ${reasonOf(error)}`, { retryAfterS: 1 });
    }
  };
}

async function readMirror(
  redis: Pick<Redis, "mget">,
  subject: RevocationSubject,
): Promise<"revoked" | "valid" | "unknown"> {
  const keys = revocationKeysIn(redis);
  let values: (string | null)[];
  try {
    values = await redis.mget(keys.complete, keys.session(subject.sessionId), keys.user(subject.userId));
  } catch {
    return "unknown";
  }
  const [complete, session, issuedBefore] = values;
  if (session !== null && session !== undefined) return "revoked";
  // A value that is no number revokes as well: better a new login than a revoked token that passes.
  if (issuedBefore !== null && issuedBefore !== undefined && !(subject.issuedAt.getTime() >= Number(issuedBefore))) {
    return "revoked";
  }
  return complete === null || complete === undefined ? "unknown" : "valid";
}

function askByRpc(identity: Pick<Client<IdentityServiceDefinition>, "checkRevocation">): RevocationChecker {
  return async (subject, call) => {
    const { revoked } = await identity.checkRevocation(
      { sessionId: subject.sessionId, userId: subject.userId, issuedAt: subject.issuedAt },
      outgoing({ ...call, tenantId: subject.tenantId, interactionId: call?.interactionId ?? "" }),
    );
    return revoked;
  };
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : "unknown";
}
