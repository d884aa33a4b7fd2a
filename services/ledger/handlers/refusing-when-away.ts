import type { LedgerServiceDefinition } from "../../../proto/gen/ledger/v1/ledger.js";
import type { Call } from "../../kernel/grpc/context.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { isStoreAway, storeAway } from "../store/away.js";

/** The same rpcs, which refuse UNAVAILABLE while MongoDB is away. */
export function refusingWhenAway(all: Handlers<LedgerServiceDefinition>): Handlers<LedgerServiceDefinition> {
  const handlers = Object.entries(all).map(([rpc, handler]) => [
    rpc,
    (request: never, call: Call) => handler(request, call).catch(refuseWhenAway),
  ]);
  return Object.fromEntries(handlers) as Handlers<LedgerServiceDefinition>;
}

function refuseWhenAway(error: unknown): never {
  throw isStoreAway(error) ? storeAway(error) : error;
}
