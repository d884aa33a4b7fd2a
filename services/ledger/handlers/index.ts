import type { LedgerServiceDefinition } from "../../../proto/gen/ledger/v1/ledger.js";
import { ManualJournalServiceDefinition } from "../../../proto/gen/ledger/v1/manual_journals.js";
import { PositionServiceDefinition } from "../../../proto/gen/ledger/v1/positions.js";
import { SettlementServiceDefinition } from "../../../proto/gen/ledger/v1/settlements.js";
import { alsoServe, type AnyServedService, type Handlers } from "../../kernel/grpc/server.js";
import { manualJournalAccess, positionAccess, settlementAccess } from "../access.js";
import { accountHandlers } from "./accounts.js";
import { auditHandlers } from "./audit.js";
import type { LedgerDeps } from "./deps.js";
import { manualJournalHandlers } from "./manual-journals.js";
import { positionHandlers } from "./positions.js";
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

/** What people settle and write, beside the ledger itself. */
export const serveBooks = (deps: LedgerDeps): AnyServedService[] => [
  alsoServe<SettlementServiceDefinition>({
    definition: SettlementServiceDefinition,
    access: settlementAccess,
    handlers: refusingWhenAway<SettlementServiceDefinition>({ ...settlementHandlers(deps) }),
  }),
  alsoServe<ManualJournalServiceDefinition>({
    definition: ManualJournalServiceDefinition,
    access: manualJournalAccess,
    handlers: refusingWhenAway<ManualJournalServiceDefinition>({ ...manualJournalHandlers(deps) }),
  }),
  alsoServe<PositionServiceDefinition>({
    definition: PositionServiceDefinition,
    access: positionAccess,
    handlers: refusingWhenAway<PositionServiceDefinition>({ ...positionHandlers(deps) }),
  }),
];
