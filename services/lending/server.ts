import { LendingServiceDefinition } from "../../proto/gen/lending/v1/lending.js";
import { createAmountCeilings } from "../platform/preferences/amount-ceilings.js";
import { serveApprovalOutcomes } from "../platform/approvals/approval-outcomes.js";
import { createApprovals } from "../platform/approvals/approvals.js";
import { openBankPartners } from "../platform/banks/open-partners.js";
import { createCustomerMoves } from "../platform/neighbours/customer-moves.js";
import { neighbourCalls } from "../platform/neighbours/warm-ups.js";
import { createBusinessClock } from "../platform/preferences/business-clock.js";
import { systemClock } from "../kernel/time/clock.js";
import { crashPoint as realCrashPoint } from "../kernel/process/crash-point.js";
import { servePersonalData } from "../platform/erasure/erasure.js";
import { serveOpenMoney } from "../platform/erasure/open-money.js";
import { serveOutbox } from "../kernel/outbox/operations.js";
import type { Resolve } from "../platform/partners/addresses.js";
import { createSagas } from "../kernel/sagas/index.js";
import { createCommits } from "../kernel/startup/commits.js";
import { startService, type Opened, type ServiceDeps } from "../kernel/startup/start-service.js";
import { warmUpCalls } from "../kernel/startup/warm-up.js";
import { access } from "./access.js";
import { createLedgerPostings } from "./clients/ledger-postings.js";
import { createMoneyIn } from "./clients/money-in.js";
import { createMoneyOut } from "./clients/money-out.js";
import { createTransferParties } from "../platform/banks/transfer-parties.js";
import { serveCloseBlockers } from "../platform/closing/close-blockers.js";
import { serveSuspense } from "../platform/reports/suspense.js";
import { connectNeighbours } from "./clients/neighbours.js";
import { createPeople } from "./clients/people.js";
import type { LendingConfig } from "./config.js";
import { approvalOutcomes } from "./handlers/approval-outcomes.js";
import { lendingHandlers } from "./handlers/index.js";
import { serveLendingWork } from "./handlers/work-queues.js";
import { createCreditMatching } from "./jobs/credit-matching.js";
import { startJobs, type JobTimes } from "./jobs/index.js";
import { createReconciliation } from "./jobs/reconciliation.js";
import { createSuspense } from "./jobs/suspense.js";
import { createLendingSagas } from "./sagas/index.js";
import { rowKinds } from "./row-kinds.js";
import { personalRecords } from "./store/erasure.js";
import { createLendingStore } from "./store/index.js";
import { migrations } from "./store/migrations.js";
import { countOpenLoans } from "./store/open-money.js";
import { readLendingSuspense } from "./store/suspense.js";
import { countLendingBlockers } from "./store/close-blockers.js";

export interface LendingServerDeps extends ServiceDeps, JobTimes {
  /** Tests stop a saga here. */
  crashPoint?: (name: string) => void;
  /** How long a caller has before recovery takes over, in ms. */
  recoverAfterMs?: number;
  /** In place of the name servers, for partners of tenants. */
  resolve?: Resolve;
}

/** Starts lending. Rejects when MongoDB is away or the port is taken. */
export async function startLending(config: LendingConfig, deps: LendingServerDeps = {}) {
  const { port, stop, resources } = await startService({
    name: "lending",
    config,
    deps,
    definition: LendingServiceDefinition,
    access,
    migrations,
    resources(opened: Opened<LendingConfig>) {
      const parts = createParts(opened, deps);
      return { ...parts, ...startJobs(opened, parts, deps) };
    },
    warmUps: ({ compliance, ledger, wallet }, self) =>
      warmUpCalls({
        ...neighbourCalls({ compliance, ledger, wallet }),
        listLoanHistory: (call) => self.listLoanHistory({ customerId: "warm-up", page: 1, pageSize: 20 }, call),
        quoteLoan: (call) => self.quoteLoan({ productId: "warm-up", amount: "1.00", instalments: 6 }, call),
      }),
    handlers: (parts) => lendingHandlers(parts),
    extraDefinitions: (parts) => [
      serveOutbox(parts.outbox),
      serveLendingWork(parts.db, parts.outbox),
      serveCloseBlockers(parts.outbox, countLendingBlockers(parts.db)),
      serveSuspense("lending", parts.businessClock, readLendingSuspense(parts.db)),
      serveApprovalOutcomes({
        service: "lending",
        db: parts.db,
        handlers: approvalOutcomes(parts),
        outbox: parts.outbox,
      }),
      serveOpenMoney(countOpenLoans(parts.db)),
      servePersonalData({ db: parts.db, ...personalRecords(parts.db, parts.idempotency) }),
    ],
  });
  const { accruals, feed, reviews } = resources;
  /**
   * Jobs are for tests, which say when a day is worked on, the bank is read and compliance is
   * asked.
   */
  return { port, stop, accruals, feed, reviews };
}

/** What handlers and jobs are made of: the store, neighbours and sagas. */
function createParts(opened: Opened<LendingConfig>, deps: LendingServerDeps) {
  const { config, db, log, identity } = opened;
  const { clock = systemClock, crashPoint = realCrashPoint, recoverAfterMs = 3_000 } = deps;
  const neighbours = connectNeighbours(opened);
  const { compliance, ledger, wallet } = neighbours;
  const partners = openBankPartners(opened, deps, "lending");
  const store = createLendingStore(db);
  const commits = createCommits(opened, { kinds: rowKinds, keepForMs: "for ever" });
  const postings = createLedgerPostings({ ledger, store, nameOf: partners.nameOf });
  const moves = createCustomerMoves({ compliance });
  const common = {
    ...commits,
    ...neighbours,
    ...partners,
    identity,
    store,
    sagas: createSagas({
      ...commits,
      store: { transaction: (work, readBack) => store.transaction(work, readBack) },
      clock: systemClock,
      recoverAfterMs,
    }),
    postings,
    moves,
    moneyIn: createMoneyIn({ wallet, card: partners.card, postings }),
    moneyOut: createMoneyOut({ wallet, bank: partners.bank, moves, partiesOf: createTransferParties(identity) }),
    businessClock: createBusinessClock({ identity, clock, keepForMs: deps.identityCacheMs }),
    ceilings: createAmountCeilings({ identity, configured: config.AMOUNT_CEILINGS }),
    clock,
    crashPoint,
    log,
  };
  const parts = { ...common, ...createLendingSagas(common) };
  return {
    ...parts,
    people: createPeople({ identity }),
    approvals: createApprovals({ identity }),
    suspense: createSuspense(parts),
    matching: createCreditMatching(parts),
    reconciliation: createReconciliation(parts),
    payoffQuoteS: config.PAYOFF_QUOTE_S,
    collection: {
      bankName: config.COLLECTION_BANK_NAME,
      bankCode: config.COLLECTION_BANK_CODE,
      accountNumber: config.COLLECTION_ACCOUNT_NUMBER,
    },
  };
}
