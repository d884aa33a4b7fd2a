import { MasterKeyServiceDefinition } from "../../../proto/gen/operations/v1/master_key.js";
import { alsoServe, type AnyServedService, type RpcAccess } from "../grpc/server.js";
import { Refusal, invalidInput } from "../refusal.js";
import { trimmedFromWire } from "../text/wire-text.js";
import { MasterKeyError } from "./key-wrapper.js";
import type { WrappedKeys } from "./wrapped-keys.js";

// Keys belong to no tenant.
const operators: RpcAccess = { callers: ["operator"], tenant: "none" };
const maxKeys = 100;

/**
 * What operators do with the versions of the master key, to be served beside the service itself.
 */
export function serveMasterKey(keys: Pick<WrappedKeys, "list" | "rewrap" | "retire">): AnyServedService {
  return alsoServe<MasterKeyServiceDefinition>({
    definition: MasterKeyServiceDefinition,
    access: { listVersions: operators, rewrapKeys: operators, retireVersion: operators },
    handlers: {
      listVersions: () => withReason(async () => ({ versions: await keys.list() })),
      rewrapKeys: ({ limit }, call) => {
        if (limit < 0 || limit > maxKeys) throw invalidInput("limit", `must be 1 to ${maxKeys}`);
        return withReason(async () => {
          const done = await keys.rewrap(limit === 0 ? maxKeys : limit);
          call.log.info(done, "keys wrapped anew");
          return done;
        });
      },
      retireVersion: ({ masterKeyId }, call) => {
        const id = trimmedFromWire(masterKeyId, "masterKeyId", 500);
        return withReason(async () => {
          await keys.retire(id, new Date());
          call.log.info({ masterKeyId: id }, "a version of the master key is retired");
          return {};
        });
      },
    },
  });
}

/** An operator is told what the key service said; it holds no secret. */
async function withReason<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof MasterKeyError) throw new Refusal("STATE_CONFLICT", error.message);
    throw error;
  }
}
