import type { LedgerServiceDefinition } from "../../proto/gen/ledger/v1/ledger.js";
import type { ServiceName } from "../shared/grpc/context.js";
import type { Access } from "../shared/grpc/server.js";
import { accountOwners } from "./domain/chart.js";

const owners: readonly ServiceName[] = accountOwners;
const readers: readonly ServiceName[] = [...owners, "operator"];

/** Who may call what; what may be debited by whom is decided per account, by its code. */
export const access: Access<LedgerServiceDefinition> = {
  createAccounts: { callers: owners },
  getAccount: { callers: readers },
  getAccounts: { callers: readers },
  listAccounts: { callers: readers },
  closeAccount: { callers: readers },
  getChart: { callers: readers },
  postTransfers: { callers: owners },
  postBatched: { callers: owners },
  dryRunTransfers: { callers: owners },
  postExchange: { callers: owners },
  postForwardedTransfers: { callers: ["ledger"] },
  postForwardedBatched: { callers: ["ledger"] },
  getTransfer: { callers: readers },
  getBalance: { callers: readers },
  listAccountEntries: { callers: readers },
  listEntriesByInteraction: { callers: [...readers, "gateway"], user: "optional" },
  getVolumes: { callers: readers },
  getExchangePositions: { callers: readers },
  getTrialBalance: { callers: readers },
  closePeriod: { callers: ["operator"] },
  listJournals: { callers: ["operator"], tenant: "none" },
  getJournalHead: { callers: ["operator"] },
  readJournal: { callers: ["operator"] },
  readJournalAccounts: { callers: ["operator"] },
  readJournalVolumes: { callers: ["operator"] },
  readJournalReversals: { callers: ["operator"] },
  readRefusals: { callers: ["operator"] },
  importJournal: { callers: ["operator"] },
};
