import type { LedgerServiceDefinition } from "../../../proto/gen/ledger/v1/ledger.js";
import type { Call, ServiceName } from "../../shared/grpc/context.js";
import type { Access, Handlers } from "../../shared/grpc/server.js";
import { createAccountHandlers } from "./accounts.js";
import { createAuditHandlers } from "./audit.js";
import { owners, type LedgerHandlersDeps } from "./deps.js";
import { createPostingHandlers } from "./postings.js";
import { createReadHandlers } from "./reads.js";
import { isStoreAway, storeAway } from "../store/away.js";

const readers: ServiceName[] = [...owners, "operator"];

/** Who may call what; what may be debited by whom is decided per account, by its code. */
export const ledgerAccess: Access<LedgerServiceDefinition> = {
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
  getJournalHead: { callers: ["operator"] },
  readJournal: { callers: ["operator"] },
  readJournalAccounts: { callers: ["operator"] },
  readJournalVolumes: { callers: ["operator"] },
  readJournalReversals: { callers: ["operator"] },
  readRefusals: { callers: ["operator"] },
  importJournal: { callers: ["operator"] },
};

export function createLedgerHandlers(deps: LedgerHandlersDeps): Handlers<LedgerServiceDefinition> {
  const all: Handlers<LedgerServiceDefinition> = {
    ...createAccountHandlers(deps),
    ...createPostingHandlers(deps),
    ...createReadHandlers(deps),
    ...createAuditHandlers(deps),
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
