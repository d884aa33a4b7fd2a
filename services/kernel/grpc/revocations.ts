import type { Redis } from "ioredis";
import { systemClock, type Clock } from "../time/clock.js";
import { isCluster } from "../process/redis.js";
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

/**
 * True when the session, or all tokens the user had until some time, were revoked; UNAVAILABLE when
 * nobody can say.
 */
export type RevocationChecker = (subject: RevocationSubject, call?: OutgoingContext) => Promise<boolean>;

/** Keys of the mirror that identity keeps in Redis. */
export const revocationKeys = keysUnder("revocations");
const keysOnOneNode = keysUnder("{revocations}");

/**
 * In a cluster the mirror is on one node: a request reads three keys at once, and a script guards
 * two.
 */
export function revocationKeysIn(redis: object): typeof revocationKeys {
  return isCluster(redis) ? keysOnOneNode : revocationKeys;
}

function keysUnder(prefix: string) {
  return {
    /** Lives one second; there only while identity has mirrored every revocation. */
    complete: `${prefix}:complete`,
    /**
     * Run id of the Redis process that everything was loaded into. Gone, or another's: load again.
     */
    loaded: `${prefix}:loaded`,
    /** Its absence after a load says that Redis was emptied meanwhile. */
    loading: (token: string) => `${prefix}:loading:${token}`,
    /** Epoch ms from which the session is revoked, which may be to come. */
    session: (sessionId: string) => `${prefix}:session:${sessionId}`,
    /** Epoch ms: tokens issued before it are revoked. */
    user: (userId: string) => `${prefix}:user:${userId}`,
  };
}

/**
 * Reads the mirror in Redis; asks identity where the mirror is away or not complete. Nothing is
 * cached: who looks in the same turn of the event loop shares one MGET, which is sent after all of
 * them have asked.
 */
export function createRevocationChecker(options: {
  redis: Pick<Redis, "mget">;
  identity: Pick<Client<IdentityServiceDefinition>, "checkRevocation"> | RevocationChecker;
  clock?: Clock;
}): RevocationChecker {
  const { redis, identity, clock = systemClock } = options;
  const ask = typeof identity === "function" ? identity : askByRpc(identity);
  const read = createSharedReads(redis);

  return async (subject, call) => {
    const mirrored = await readMirror(read, revocationKeysIn(redis), subject, clock);
    if (mirrored !== "unknown") return mirrored === "revoked";
    try {
      return await ask(subject, call);
    } catch (error) {
      throw new Refusal("UNAVAILABLE", `revocations cannot be checked: ${reasonOf(error)}`, { retryAfterS: 1 });
    }
  };
}

type ReadKeys = (keys: readonly string[]) => Promise<(string | null)[]>;

// Commands stay short, since Redis does one thing at a time.
const maxKeysAtOnce = 500;

/**
 * Reads keys with those that others ask for in the same turn of the event loop. No answer is older
 * than its question.
 */
function createSharedReads(redis: Pick<Redis, "mget">): ReadKeys {
  let open: { places: Map<string, number>; values: Promise<(string | null)[]> } | undefined;

  function begin() {
    const places = new Map<string, number>();
    const values = new Promise<(string | null)[]>((resolve, reject) => {
      setImmediate(() => {
        if (open?.places === places) open = undefined;
        redis.mget(...places.keys()).then(resolve, reject);
      });
    });
    return { places, values };
  }

  return async (keys) => {
    if (open === undefined || open.places.size >= maxKeysAtOnce) open = begin();
    const { places, values } = open;
    for (const key of keys) if (!places.has(key)) places.set(key, places.size);
    const found = await values;
    return keys.map((key) => found[places.get(key) as number] ?? null);
  };
}

async function readMirror(
  read: ReadKeys,
  keys: typeof revocationKeys,
  subject: RevocationSubject,
  clock: Clock,
): Promise<"revoked" | "valid" | "unknown"> {
  let values: (string | null)[];
  try {
    values = await read([keys.complete, keys.session(subject.sessionId), keys.user(subject.userId)]);
  } catch {
    return "unknown";
  }
  const [complete, session, issuedBefore] = values;
  // A value that is no number revokes as well: better a new login than a revoked token that passes.
  if (session !== null && session !== undefined && !(clock.now().getTime() < Number(session))) return "revoked";
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
