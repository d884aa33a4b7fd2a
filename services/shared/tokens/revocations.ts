import type { Redis } from "ioredis";
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
export const revocationKeys = {
  /** Lives one second; there only while identity has mirrored every revocation. */
  complete: "revocations:complete",
  /** Any value: the session is revoked. */
  session: (sessionId: string) => `revocations:session:${sessionId}`,
  /** Epoch ms: tokens issued before it are revoked. */
  user: (userId: string) => `revocations:user:${userId}`,
} as const;

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
  let values: (string | null)[];
  try {
    values = await redis.mget(
      revocationKeys.complete,
      revocationKeys.session(subject.sessionId),
      revocationKeys.user(subject.userId),
    );
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
