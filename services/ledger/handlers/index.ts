import type { LedgerServiceDefinition } from "../../../proto/gen/ledger/v1/ledger.js";
import { ManualJournalServiceDefinition } from "../../../proto/gen/ledger/v1/manual_journals.js";
import { PackageServiceDefinition } from "../../../proto/gen/ledger/v1/packages.js";
import { PartnerServiceDefinition } from "../../../proto/gen/ledger/v1/partners.js";
import { PeriodServiceDefinition } from "../../../proto/gen/ledger/v1/periods.js";
import { PositionServiceDefinition } from "../../../proto/gen/ledger/v1/positions.js";
import { SettlementServiceDefinition } from "../../../proto/gen/ledger/v1/settlements.js";
import { alsoServe, type AnyServedService, type Handlers } from "../../kernel/grpc/server.js";
import { serveCloseBlockers } from "../../platform/closing/close-blockers.js";
import { serveWorkQueues } from "../../platform/work-queues/work-queues.js";
import {
  manualJournalAccess,
  packageAccess,
  partnerAccess,
  periodAccess,
  positionAccess,
  settlementAccess,
} from "../access.js";
import { countLedgerBlockers } from "../store/close-blockers.js";
import { accountHandlers } from "./accounts.js";
import { auditHandlers } from "./audit.js";
import type { LedgerDeps } from "./deps.js";
import { manualJournalHandlers } from "./manual-journals.js";
import { packageHandlers } from "./packages.js";
import { partnerHandlers } from "./partners.js";
import { periodHandlers } from "./periods.js";
import { positionHandlers } from "./positions.js";
import { postingHandlers } from "./postings.js";
import { readHandlers } from "./reads.js";
import { refusingWhenAway } from "./refusing-when-away.js";
import { serveLedgerReports } from "./reports.js";
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

/** What people do with the books: settle, write, close, prove; and what keeps them open. */
export const serveBooks = (deps: LedgerDeps): AnyServedService[] => [
  serveWorkQueues("ledger", deps.outbox),
  serveCloseBlockers(deps.outbox, countLedgerBlockers(deps.db)),
  serveLedgerReports(deps),
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
  alsoServe<PartnerServiceDefinition>({
    definition: PartnerServiceDefinition,
    access: partnerAccess,
    handlers: refusingWhenAway<PartnerServiceDefinition>({ ...partnerHandlers(deps) }),
  }),
  alsoServe<PeriodServiceDefinition>({
    definition: PeriodServiceDefinition,
    access: periodAccess,
    handlers: refusingWhenAway<PeriodServiceDefinition>({ ...periodHandlers(deps) }),
  }),
  alsoServe<PackageServiceDefinition>({
    definition: PackageServiceDefinition,
    access: packageAccess,
    handlers: refusingWhenAway<PackageServiceDefinition>({ ...packageHandlers(deps) }),
  }),
];
