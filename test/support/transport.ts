import { pino, type Logger } from "pino";
import { Money } from "../../proto/gen/common/v1/money.js";
import { createClient } from "../../services/kernel/grpc/client.js";
import type { Batched } from "../../services/kernel/grpc/batch-service.js";
import type { ServiceName } from "../../services/kernel/grpc/context.js";
import { startGrpcServer, type Access, type Handlers, type RpcAccess } from "../../services/kernel/grpc/server.js";
import { makeServiceKeys } from "../../services/kernel/tokens/make-service-keys.js";
import {
  createServiceTokenSigner,
  createServiceTokenVerifier,
  type ServiceTokenSigner,
} from "../../services/kernel/tokens/service-tokens.js";
import type { UserTokenVerifier } from "../../services/kernel/tokens/user-tokens.js";

const money = { requestType: Money, requestStream: false, responseType: Money, responseStream: false } as const;

/** A service of two rpcs, for tests of what lies below every service. Only Read may be repeated. */
export const ProbeDefinition = {
  name: "ProbeService",
  fullName: "probe.v1.ProbeService",
  methods: {
    read: { name: "Read", ...money, options: { idempotencyLevel: "NO_SIDE_EFFECTS" } },
    write: { name: "Write", ...money, options: {} },
  },
} as const;
export type ProbeHandlers = Handlers<typeof ProbeDefinition>;

const serviceNames = ["gateway", "wallet", "ledger", "identity", "operator"] as const;

/** Keys, signers and log lines of a small cluster inside the test's process. */
export async function createProbeNetwork() {
  const keys = await makeServiceKeys(serviceNames);
  const lines: Record<string, unknown>[] = [];
  const log: Logger = pino(
    { level: "debug" },
    { write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>) },
  );
  const cleanups: (() => unknown)[] = [];
  const signerOf = (service: (typeof serviceNames)[number], now?: () => number): ServiceTokenSigner =>
    createServiceTokenSigner({ service, privateJwk: keys.private[service], ...(now === undefined ? {} : { now }) });

  return {
    keys,
    log,
    lines,
    signerOf,
    /** Serves the probe as `service`; echoes unless told otherwise. */
    async serve(options: {
      service?: ServiceName;
      handlers?: Partial<ProbeHandlers>;
      access?: Partial<Access<typeof ProbeDefinition>>;
      verifyUserToken?: UserTokenVerifier;
      port?: number;
      batched?: Batched<typeof ProbeDefinition>;
      reflection?: "off" | "as the environment says";
    }) {
      const { service = "ledger", handlers, access, batched, verifyUserToken, port = 0, reflection = "off" } = options;
      const row: RpcAccess = { callers: ["wallet", "gateway", "ledger"] };
      const server = await startGrpcServer({
        service,
        definition: ProbeDefinition,
        handlers: { read: async (request) => request, write: async (request) => request, ...handlers },
        access: { read: row, write: row, ...access },
        batched,
        host: "127.0.0.1",
        port,
        verifyServiceToken: createServiceTokenVerifier({ self: service, jwks: keys.jwks }),
        ...(verifyUserToken === undefined ? {} : { verifyUserToken }),
        log,
        ...(reflection === "off" ? { reflection: false } : {}),
      });
      cleanups.push(() => server.stop(100));
      return { ...server, address: `127.0.0.1:${server.port}` };
    },
    /** A client of the probe that calls as `caller` (wallet). */
    client(options: {
      address: string;
      audience?: ServiceName;
      caller?: (typeof serviceNames)[number];
      signer?: ServiceTokenSigner;
      timeoutMs?: number;
    }) {
      const { address, audience = "ledger", caller = "wallet", signer = signerOf(caller), timeoutMs } = options;
      const client = createClient(ProbeDefinition, {
        address,
        audience,
        signer,
        ...(timeoutMs === undefined ? {} : { timeoutMs }),
      });
      cleanups.push(() => client.close());
      return client;
    },
    async close() {
      for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
    },
  };
}

/** A signer that always gives the same text, such as a forged token. */
export function fixedSigner(token: string): ServiceTokenSigner {
  return { service: "wallet", tokenFor: () => Promise.resolve(token) };
}
