import { pino, type Logger } from "pino";
import { createClient, type BatchingClient } from "../../services/kernel/grpc/client.js";
import type { Batched, BatchedRpc } from "../../services/kernel/grpc/batch-service.js";
import type { Role, ServiceName, UserPrincipal } from "../../services/kernel/grpc/context.js";
import type { GrpcDefinition, RpcName } from "../../services/kernel/grpc/definition.js";
import {
  alsoServe,
  startGrpcServer,
  type Access,
  type AnyServedService,
  type Handlers,
  type RpcAccess,
} from "../../services/kernel/grpc/server.js";
import { Refusal } from "../../services/kernel/refusal.js";
import { makeServiceKeys } from "../../services/kernel/tokens/make-service-keys.js";
import {
  createServiceTokenSigner,
  createServiceTokenVerifier,
  type ServiceKeys,
} from "../../services/kernel/tokens/service-tokens.js";
import type { UserTokenVerifier } from "../../services/kernel/tokens/user-tokens.js";

const names = [
  "gateway",
  "identity",
  "compliance",
  "remittance",
  "wallet",
  "lending",
  "investment",
  "ledger",
  "events",
  "operator",
] as const;
type Name = (typeof names)[number];

/** Everybody may call a stand-in: what is tested is the service that calls it. */
const open: RpcAccess = { callers: names, user: "optional" };

/**
 * Keys of all services, for starting some of them for real in one process and standing in for
 * others over real gRPC.
 */
export async function createServiceNetwork() {
  const made = await makeServiceKeys(names);
  const lines: string[] = [];
  const log: Logger = pino({ level: "debug" }, { write: (line: string) => void lines.push(line) });
  const cleanups: (() => unknown)[] = [];

  return {
    log,
    /** What was logged, as JSON lines. */
    lines,
    keysOf: (service: Name): ServiceKeys => ({ privateJwk: made.private[service], jwks: made.jwks }),

    /**
     * Stands in for a service, and for more that its process serves: rpcs without a handler refuse
     * UNAVAILABLE. `onBatch` is told of calls of several. Returns its address.
     */
    async standIn<Def extends GrpcDefinition>(
      service: ServiceName,
      definition: Def,
      handlers: Partial<Handlers<Def>>,
      more: readonly AnyServedService[] = [],
      onBatch?: (rpc: RpcName<Def>, requests: readonly object[]) => void,
    ): Promise<string> {
      const server = await startGrpcServer<Def>({
        service,
        ...openService(definition, handlers, ofNoTenant as RpcName<Def>[]),
        batched: openBatches(definition, onBatch),
        extraDefinitions: more,
        host: "127.0.0.1",
        port: 0,
        verifyServiceToken: createServiceTokenVerifier({ self: service, jwks: made.jwks }),
        verifyUserToken: statedUsers,
        log,
        reflection: false,
      });
      cleanups.push(() => server.stop(100));
      return `127.0.0.1:${server.port}`;
    },

    /** A client of the service at a local port, as one of its neighbours. */
    client<Def extends GrpcDefinition>(definition: Def, audience: Name, port: number, as: Name): BatchingClient<Def> {
      const signer = createServiceTokenSigner({ service: as, privateJwk: made.private[as] });
      const client = createClient(definition, { address: `127.0.0.1:${port}`, audience, signer });
      cleanups.push(() => client.close());
      return client;
    },

    async close() {
      for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
    },
  };
}

export type ServiceNetwork = Awaited<ReturnType<typeof createServiceNetwork>>;

/** Rpcs of identity that services call before they know a tenant. */
const ofNoTenant: readonly string[] = ["getJwks"];

/** What everybody may call; rpcs without a handler refuse UNAVAILABLE. */
function openService<Def extends GrpcDefinition>(
  definition: Def,
  handlers: Partial<Handlers<Def>>,
  above: readonly RpcName<Def>[] = [],
) {
  const away = () => Promise.reject(new Refusal("UNAVAILABLE", `${definition.fullName} stands in without this rpc`));
  const rpcs = Object.keys(definition.methods) as RpcName<Def>[];
  return {
    definition,
    // Looked up at each call, so that a test can change a handler.
    handlers: Object.fromEntries(
      rpcs.map((rpc) => [rpc, (request: never, call: never) => (handlers[rpc] ?? away)(request, call)]),
    ) as Handlers<Def>,
    access: Object.fromEntries(
      rpcs.map((rpc) => [rpc, above.includes(rpc) ? { ...open, tenant: "none" } : open]),
    ) as Access<Def>,
  };
}

function openBatches<Def extends GrpcDefinition>(
  { methods }: Def,
  onBatch?: (rpc: RpcName<Def>, requests: readonly object[]) => void,
): Batched<Def> {
  const rules = Object.keys(methods).map((rpc): [string, BatchedRpc<object>] => [
    rpc,
    { callers: names, maxCalls: 1_000, check: (requests) => onBatch?.(rpc as RpcName<Def>, requests) },
  ]);
  return Object.fromEntries(rules) as unknown as Batched<Def>;
}

/** One more service of a stand-in's process; `above` are its rpcs of no tenant. */
export const alsoStandIn = <Def extends GrpcDefinition>(
  definition: Def,
  handlers: Partial<Handlers<Def>>,
  above: readonly RpcName<Def>[] = [],
): AnyServedService => alsoServe(openService(definition, handlers, above));

/** A user's token that states who it is; `statedUsers` believes it. */
export function stateUser(user: { tenantId: string; role: Role; userId: string; customerId?: string }): string {
  return Buffer.from(JSON.stringify({ sessionId: "session-1", ...user })).toString("base64url");
}

/** Stands for the verifier of access tokens, which has tests of its own. */
export const statedUsers: UserTokenVerifier = async (token, { tenantId } = {}) => {
  const user = statedBy(token);
  if (tenantId !== undefined && tenantId !== user.tenantId) throw new Refusal("UNAUTHENTICATED", "not of this tenant");
  return { ...user, jti: "token-1", issuedAt: new Date(), expiresAt: new Date(Date.now() + 3_600_000) };
};

/** A process that a test kills takes access tokens alone, and hands them on: they say it, too. */
function statedBy(token: string): UserPrincipal {
  const [stated = "", claims] = token.split(".");
  const read = (part: string) => JSON.parse(Buffer.from(part, "base64url").toString()) as Record<string, string>;
  if (claims === undefined) return read(stated) as unknown as UserPrincipal;
  const { sub: userId, role, sid: sessionId, aud: tenantId } = read(claims);
  return { userId, role, sessionId, tenantId } as UserPrincipal;
}
