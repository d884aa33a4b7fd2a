import type { GrpcDefinition, RpcName } from "./definition.js";
import type { ServedService } from "./server.js";

/**
 * The service with every rpc that writes refused while `assertMayWrite` throws: all but those whose
 * .proto says NO_SIDE_EFFECTS.
 */
export function guardWrites<Def extends GrpcDefinition, Served extends ServedService<Def>>(
  served: Served,
  assertMayWrite: (() => void) | undefined,
): Served {
  if (assertMayWrite === undefined) return served;
  const { definition, handlers } = served;
  const guarded = Object.entries(definition.methods)
    .filter(([, { options }]) => options.idempotencyLevel !== "NO_SIDE_EFFECTS")
    .map(([name]) => {
      const rpc = name as RpcName<Def>;
      const handler = async (...[request, call]: Parameters<(typeof handlers)[typeof rpc]>) => {
        assertMayWrite();
        return handlers[rpc](request, call);
      };
      return [rpc, handler];
    });
  return { ...served, handlers: { ...handlers, ...Object.fromEntries(guarded) } };
}
