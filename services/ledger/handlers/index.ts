import type { LedgerServiceDefinition } from "../../../proto/gen/ledger/v1/ledger.js";
import type { Call } from "../../kernel/grpc/context.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { createAccountHandlers } from "./accounts.js";
import { createAuditHandlers } from "./audit.js";
import type { LedgerHandlersDeps } from "./deps.js";
import { createPostingHandlers } from "./postings.js";
import { createReadHandlers } from "./reads.js";
import { createVerificationHandlers } from "./verifications.js";
import { isStoreAway, storeAway } from "../store/away.js";

export function createLedgerHandlers(deps: LedgerHandlersDeps): Handlers<LedgerServiceDefinition> {
  const all: Handlers<LedgerServiceDefinition> = {
    ...createAccountHandlers(deps),
    ...createPostingHandlers(deps),
    ...createReadHandlers(deps),
    ...createAuditHandlers(deps),
    ...createVerificationHandlers(deps),
  };
  const handlers = Object.entries(all).map(([rpc, handler]) => [
    rpc,
    (request: never, call: Call) => handler(request, call).catch(refuseWhenAway),
  ]);
  return Object.fromEntries(handlers) as Handlers<LedgerServiceDefinition>;
}

function refuseWhenAway(error: unknown): never {
  throw isStoreAway(error) ? storeAway(error) : error;
}
