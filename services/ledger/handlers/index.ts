import type { LedgerServiceDefinition } from "../../../proto/gen/ledger/v1/ledger.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { accountHandlers } from "./accounts.js";
import { auditHandlers } from "./audit.js";
import type { LedgerDeps } from "./deps.js";
import { postingHandlers } from "./postings.js";
import { readHandlers } from "./reads.js";
import { refusingWhenAway } from "./refusing-when-away.js";
import { verificationHandlers } from "./verifications.js";

/** The rpcs of the ledger. */
export const ledgerHandlers = (deps: LedgerDeps): Handlers<LedgerServiceDefinition> =>
  refusingWhenAway({
    ...accountHandlers(deps),
    ...postingHandlers(deps),
    ...readHandlers(deps),
    ...auditHandlers(deps),
    ...verificationHandlers(deps),
  });
