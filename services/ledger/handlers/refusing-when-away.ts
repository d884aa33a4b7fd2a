import type { Call } from "../../kernel/grpc/context.js";
import type { GrpcDefinition } from "../../kernel/grpc/definition.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { isStoreAway, storeAway } from "../store/away.js";

/** The same rpcs, which refuse UNAVAILABLE while MongoDB is away. */
export function refusingWhenAway<Def extends GrpcDefinition>(all: Handlers<Def>): Handlers<Def> {
  type Rpc = (request: never, call: Call) => Promise<unknown>;
  const handlers = Object.entries<Rpc>(all).map(([rpc, handler]) => [
    rpc,
    (request: never, call: Call) => handler(request, call).catch(refuseWhenAway),
  ]);
  return Object.fromEntries(handlers) as Handlers<Def>;
}

function refuseWhenAway(error: unknown): never {
  throw isStoreAway(error) ? storeAway(error) : error;
}
