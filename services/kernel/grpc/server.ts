import type { ServerOptions } from "@grpc/grpc-js";
import { createServer, type Server, type ServiceImplementation, type ServiceDefinition } from "nice-grpc";
import { HealthDefinition, HealthServiceImpl, HealthState } from "nice-grpc-server-health";
import type { Logger } from "pino";
import type { RpcAccess, Verifiers } from "./access.js";
import { batchService, type Batched } from "./batch-service.js";
import { serverChannelOptions } from "./channel-options.js";
import type { Call, ServiceName } from "./context.js";
import { deadlineInterceptor } from "./deadline.js";
import {
  bytesDefinition,
  type GrpcDefinition,
  type RequestOf,
  type ResponseOf,
  type RpcName,
  type WirePartial,
} from "./definition.js";
import { peerInterceptor } from "./peer.js";
import { addReflection } from "./reflection.js";
import { serveRpc } from "./server-rpc.js";
import { guardWrites } from "./write-guard.js";

export type { RpcAccess } from "./access.js";

/** One method per rpc. It may leave fields of the answer out. */
export type Handlers<Def extends GrpcDefinition> = {
  [Rpc in RpcName<Def>]: (request: RequestOf<Def, Rpc>, call: Call) => Promise<WirePartial<ResponseOf<Def, Rpc>>>;
};

/** One row per rpc: without one an rpc cannot be served. */
export type Access<Def extends GrpcDefinition> = Readonly<Record<RpcName<Def>, RpcAccess>>;

export interface ServedService<Def extends GrpcDefinition> {
  definition: Def;
  handlers: Handlers<Def>;
  access: Access<Def>;
}

export interface GrpcServerOptions<Def extends GrpcDefinition> extends ServedService<Def>, Verifiers {
  service: ServiceName;
  host: string;
  /** 0 takes any that is free. */
  port: number;
  /**
   * Port that serves health alone and in plain text, for probes, which have no certificate. Absent
   * means none; with mutual TLS the main port asks everybody for a certificate.
   */
  healthPort?: number | undefined;
  log: Logger;
  /** False where `setServing` says later that it takes calls; true when absent. */
  isServing?: boolean;
  /** On outside production unless said otherwise. */
  reflection?: boolean;
  /** Rpcs that are answered in batches too. */
  batched?: Batched<Def> | undefined;
  /** Throws while nothing may be written, as on a full disk. */
  assertMayWrite?: (() => void) | undefined;
  /** Further services of the same process, made by `alsoServe`. */
  extraDefinitions?: readonly AnyServedService[];
}

declare const erased: unique symbol;
/** A served service whose types have been checked already. */
export type AnyServedService = ServedService<GrpcDefinition> & { readonly [erased]: true };

/** Checks a further service's handlers and access against its definition. */
export function alsoServe<Def extends GrpcDefinition>(served: ServedService<Def>): AnyServedService {
  return served as unknown as AnyServedService;
}

export interface GrpcServer {
  port: number;
  /**
   * NOT_SERVING, no new connections, waits up to `graceMs` (10 s) for calls in flight, then ends
   * them.
   */
  stop(graceMs?: number): Promise<void>;
  /** What the health service answers. */
  setServing(ok: boolean): void;
}

/**
 * Serves a definition on host:port with health and, outside production, reflection. Rejects when it
 * cannot listen.
 */
export async function startGrpcServer<Def extends GrpcDefinition>(
  options: GrpcServerOptions<Def>,
): Promise<GrpcServer> {
  const { tls, host } = options;
  const interceptors = [deadlineInterceptor, peerInterceptor(tls)];
  const channelOptions: ServerOptions = { ...serverChannelOptions, interceptors };
  // nice-grpc's type says ChannelOptions, but it hands all of it to grpc-js's Server.
  const server = createServer(channelOptions as never);
  const { batched, extraDefinitions = [], assertMayWrite } = options;
  const guarded = guardWrites(options, assertMayWrite);
  // A batch is a write where its calls are: each is guarded as it is alone.
  const batches = batched ? [alsoServe(batchService({ ...guarded, batched }))] : [];
  const further = extraDefinitions.map((served) => guardWrites(served, assertMayWrite));
  const services = [alsoServe(guarded), ...batches, ...further];
  for (const served of services) addService(server, served, options);

  const health = HealthState();
  const names = services.map(({ definition }) => definition.fullName);
  const setServing = (ok: boolean): void => {
    for (const name of ["", ...names]) health.setStatus(ok ? "healthy" : "unhealthy", name);
  };
  setServing(options.isServing ?? true);
  server.add(HealthDefinition, HealthServiceImpl(health));
  if (options.reflection ?? process.env["NODE_ENV"] !== "production") addReflection(server, names);

  const port = await server.listen(hostAndPort(host, options.port), tls?.serverCredentials);
  const probes = createServer();
  probes.add(HealthDefinition, HealthServiceImpl(health));
  try {
    if (options.healthPort !== undefined) await probes.listen(hostAndPort(host, options.healthPort));
  } catch (error) {
    server.forceShutdown();
    throw error;
  }
  let stopping: Promise<void> | undefined;
  return {
    port,
    setServing,
    stop(graceMs = 10_000) {
      setServing(false);
      stopping ??= drain(server, graceMs, options.log).finally(() => probes.forceShutdown());
      return stopping;
    },
  };
}

/** An IPv6 address stands in brackets before its port. */
function hostAndPort(host: string, port: number): string {
  return host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
}

function addService(
  server: Server,
  served: AnyServedService,
  { verifyServiceToken, verifyUserToken, tls, warmingUp, log }: Verifiers & { log: Logger },
): void {
  const { definition, handlers, access } = served;
  const implementation: Record<string, unknown> = {};
  for (const [rpc, method] of Object.entries(definition.methods)) {
    const path = `${definition.fullName}/${method.name}`;
    const row = access[rpc];
    const handler = handlers[rpc];
    if (row === undefined || handler === undefined) throw new Error(`${path} lacks a handler or an access row`);
    if ((row.user ?? "none") !== "none" && verifyUserToken === undefined) {
      throw new Error(`${path} lets a user ride along, but there is no verifier of user tokens`);
    }
    if (row.roles !== undefined && (row.user ?? "none") === "none") {
      throw new Error(`${path} names roles but lets no user ride along`);
    }
    implementation[rpc] = serveRpc({
      path,
      method,
      access: row,
      handler: (request, call) => handler.call(handlers, request as never, call),
      verifiers: { verifyServiceToken, verifyUserToken, tls, warmingUp },
      log,
    });
  }
  server.add(bytesDefinition(definition), implementation as ServiceImplementation<ServiceDefinition>);
}

async function drain(server: Server, graceMs: number, log: Logger): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const graceOver = new Promise<"over">((resolve) => {
    timer = setTimeout(() => resolve("over"), graceMs);
  });
  const drained = server.shutdown().then(() => "drained" as const);
  const outcome = await Promise.race([drained, graceOver]);
  clearTimeout(timer);
  if (outcome === "drained") return;
  log.warn({ graceMs }, "calls were still in flight when the time to drain was over");
  server.forceShutdown();
}
