import type { LedgerServiceDefinition } from "../../proto/gen/ledger/v1/ledger.js";
import type { SettlementServiceDefinition } from "../../proto/gen/ledger/v1/settlements.js";
import type { ManualJournalServiceDefinition } from "../../proto/gen/ledger/v1/manual_journals.js";
import type { PartnerServiceDefinition } from "../../proto/gen/ledger/v1/partners.js";
import type { PositionServiceDefinition } from "../../proto/gen/ledger/v1/positions.js";
import type { PackageServiceDefinition } from "../../proto/gen/ledger/v1/packages.js";
import type { PeriodServiceDefinition } from "../../proto/gen/ledger/v1/periods.js";
import type { ServiceName } from "../kernel/grpc/context.js";
import type { Batched } from "../kernel/grpc/batch-service.js";
import type { Access, RpcAccess } from "../kernel/grpc/server.js";
import { accountOwners } from "./domain/chart.js";
import { maxTransfersPerCall } from "./domain/model.js";
import { checkTransfers } from "./wire/postings.js";

const owners: readonly ServiceName[] = accountOwners;
const readers: readonly ServiceName[] = [...owners, "operator"];
const managers: RpcAccess = { callers: ["gateway"], user: "required", roles: ["MANAGER"] };
/** Services and operators, and managers through the gateway. */
const readersAndManagers: RpcAccess = { ...managers, callers: [...readers, "gateway"], usersOf: ["gateway"] };

/** Who may call what; what may be debited by whom is decided per account, by its code. */
export const access: Access<LedgerServiceDefinition> = {
  createAccounts: { callers: owners },
  getAccount: readersAndManagers,
  getAccounts: { callers: readers },
  listAccounts: readersAndManagers,
  closeAccount: { callers: readers },
  getChart: readersAndManagers,
  openBookAccount: managers,
  postTransfers: { callers: owners },
  dryRunTransfers: { callers: owners },
  postExchange: { callers: owners },
  postForwardedTransfers: { callers: ["ledger"] },
  getTransfer: readersAndManagers,
  getBalance: readersAndManagers,
  listAccountEntries: readersAndManagers,
  listEntriesByInteraction: { callers: [...readers, "gateway"], user: "optional" },
  listEntriesByKeys: { callers: readers },
  getVolumes: { callers: readers },
  getExchangePositions: { callers: readers },
  getTrialBalance: readersAndManagers,
  listJournals: { callers: ["operator"], tenant: "none" },
  getJournalHead: { callers: ["operator"] },
  readJournal: { callers: ["operator"] },
  readJournalAccounts: { callers: ["operator"] },
  readJournalVolumes: { callers: ["operator"] },
  readJournalReversals: { callers: ["operator"] },
  readJournalPendings: { callers: ["operator"] },
  readJournalRecords: { callers: ["operator"] },
  readRefusals: { callers: ["operator"] },
  importJournal: { callers: ["operator"] },
  listJournalTransfers: managers,
  beginVerification: managers,
  getVerification: managers,
  listVerifications: managers,
};

/** Settlements are people's work; who may approve one, identity knows. */
export const settlementAccess: Access<SettlementServiceDefinition> = {
  proposeSettlement: managers,
  getSettlement: managers,
  listSettlements: managers,
  listSettlementLines: managers,
  listOpenLines: managers,
  reverseSettlement: managers,
};

/** Remittance tells which rates hold; people read and revalue. */
export const positionAccess: Access<PositionServiceDefinition> = {
  getPositions: managers,
  recordMiddleRates: { callers: ["remittance"] },
  revaluePositions: managers,
  getRevaluation: managers,
};

/** An alarm redirects nothing: one person is enough. */
export const partnerAccess: Access<PartnerServiceDefinition> = {
  listPartnerBalances: managers,
  putPartnerAlarm: managers,
};

export const manualJournalAccess: Access<ManualJournalServiceDefinition> = {
  writeManualJournal: managers,
  reverseManualJournal: managers,
  getManualJournal: managers,
  listManualJournals: managers,
  getManualJournalAttachment: managers,
};

/** A thousand transfers at most in all of a batch, as in one posting. */
export const batched: Batched<LedgerServiceDefinition> = {
  postTransfers: {
    callers: owners,
    maxCalls: maxTransfersPerCall,
    check: (requests) => checkTransfers(requests.flatMap(({ groups }) => groups)),
  },
  postForwardedTransfers: {
    callers: ["ledger"],
    maxCalls: maxTransfersPerCall,
    check: (requests) => checkTransfers(requests.flatMap(({ request }) => request?.groups ?? [])),
  },
};

/** People close books and read what proves them. */
export const periodAccess: Access<PeriodServiceDefinition> = {
  readPeriods: managers,
  closeBooks: managers,
  askReopening: managers,
  listClosings: managers,
  getClosing: managers,
};

export const packageAccess: Access<PackageServiceDefinition> = {
  readPackageFile: managers,
  getChartMapping: managers,
  putChartMapping: managers,
};
