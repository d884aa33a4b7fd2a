import type { LedgerServiceDefinition } from "../../../proto/gen/ledger/v1/ledger.js";
import { SettlementServiceDefinition } from "../../../proto/gen/ledger/v1/settlements.js";
import { alsoServe, type Handlers } from "../../kernel/grpc/server.js";
import { settlementAccess } from "../access.js";
import { accountHandlers } from "./accounts.js";
import { auditHandlers } from "./audit.js";
import type { LedgerDeps } from "./deps.js";
import { postingHandlers } from "./postings.js";
import { readHandlers } from "./reads.js";
import { refusingWhenAway } from "./refusing-when-away.js";
import { settlementHandlers } from "./settlements.js";
import { verificationHandlers } from "./verifications.js";

/** The rpcs of the ledger. */
export const ledgerHandlers = (deps: LedgerDeps): Handlers<LedgerServiceDefinition> =>
  refusingWhenAway<LedgerServiceDefinition>({
    ...accountHandlers(deps),
    ...postingHandlers(deps),
    ...readHandlers(deps),
    ...auditHandlers(deps),
    ...verificationHandlers(deps),
  });

/** What people settle with other sides. */
export const serveSettlements = (deps: LedgerDeps) =>
  alsoServe<SettlementServiceDefinition>({
    definition: SettlementServiceDefinition,
    access: settlementAccess,
    handlers: refusingWhenAway<SettlementServiceDefinition>({ ...settlementHandlers(deps) }),
  });
