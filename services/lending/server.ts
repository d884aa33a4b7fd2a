import { ComplianceServiceDefinition } from "../../proto/gen/compliance/v1/compliance.js";
import { EventsServiceDefinition } from "../../proto/gen/events/v1/events.js";
import { PluginServiceDefinition } from "../../proto/gen/identity/v1/plugins.js";
import { LedgerServiceDefinition } from "../../proto/gen/ledger/v1/ledger.js";
import { LendingServiceDefinition } from "../../proto/gen/lending/v1/lending.js";
import { WalletServiceDefinition } from "../../proto/gen/wallet/v1/wallet.js";
import { createAmountCeilings } from "../platform/preferences/amount-ceilings.js";
import { createApprovals, serveApprovalOutcomes } from "../platform/approvals/approvals.js";
import { openBankPartners } from "../platform/banks/open-partners.js";
import { createCustomerMoves } from "../platform/neighbours/customer-moves.js";
import { createBusinessClock } from "../platform/preferences/business-clock.js";
import { systemClock, type Clock } from "../kernel/time/clock.js";
import { crashPoint as realCrashPoint } from "../kernel/process/crash-point.js";
import { servePersonalData } from "../platform/erasure/erasure.js";
import { createIdempotency, createRunOnce } from "../kernel/idempotency/index.js";
import { sandboxOrigins } from "../platform/messages/open-installed.js";
import { createOutbox } from "../kernel/outbox/index.js";
import { serveOutbox } from "../kernel/outbox/operations.js";
import type { Resolve } from "../platform/partners/addresses.js";
import { bankAccessOf } from "../platform/partners/config.js";
import { startReleases } from "../platform/plugins/releases.js";
import { isSandbox } from "../platform/sandbox/sandbox.js";
import { createSagas } from "../kernel/sagas/index.js";
import { startService, type Opened, type ServiceDeps } from "../kernel/startup/start-service.js";
import { daysBehind } from "../kernel/telemetry/days-behind.js";
import { processMetrics } from "../kernel/telemetry/metrics.js";
import { warmUpCalls } from "../kernel/startup/warm-up.js";
import { access } from "./access.js";
import { createLedgerPostings } from "./clients/ledger-postings.js";
import { createMoneyIn } from "./clients/money-in.js";
import { createMoneyOut } from "./clients/money-out.js";
import { createPeople } from "./clients/people.js";
import type { LendingConfig } from "./config.js";
import { approvalOutcomes } from "./handlers/approval-outcomes.js";
import { createLendingHandlers } from "./handlers/index.js";
import { serveLendingWork } from "./handlers/work-queues.js";
import { createAccruals } from "./jobs/accrual.js";
import { createBankFeed } from "./jobs/bank-feed.js";
import { createCreditMatching } from "./jobs/credit-matching.js";
import { startDayThread } from "./jobs/day-thread.js";
import { createDays } from "./jobs/days.js";
import { createPacing } from "./jobs/pacing.js";
import { createReconciliation } from "./jobs/reconciliation.js";
import { startLendingRelay } from "./jobs/relay.js";
import { resuming } from "./jobs/resuming.js";
import { createReviews } from "./jobs/reviews.js";
import { createSuspense } from "./jobs/suspense.js";
import { repeat } from "./jobs/timers.js";
import { createDisbursements } from "./sagas/disbursement.js";
import { createDisbursementReturns } from "./sagas/disbursement-return.js";
import { createLoanBook } from "./sagas/loan-book.js";
import { createOverpaymentRefunds } from "./sagas/overpayment-refund.js";
import { createPayoffs } from "./sagas/payoff.js";
import { createPayoffSettlement } from "./sagas/payoff-settlement.js";
import { createVerification } from "./sagas/verification.js";
import { personalRecords } from "./store/erasure.js";
import { createLendingStore } from "./store/index.js";
import { migrations } from "./store/migrations.js";

export interface LendingServerDeps extends ServiceDeps {
  clock?: Clock;
  /** Tests stop a saga here. */
  crashPoint?: (name: string) => void;
  /** How long a caller has before recovery takes over, in ms. */
  recoverAfterMs?: number;
  relayPollMs?: number;
  /**
   * How often days and the bank are looked at, in ms, in place of the config's seconds; 0 means
   * never.
   */
  everyMs?: number;
  /** In place of the name servers, for partners of tenants. */
  resolve?: Resolve;
  /**
   * How often it is looked which partners of tenants are to go, and
   * how long they are seen to be, ms.
   */
  releases?: { everyMs: number; afterMs: number };
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
    resources: (opened: Opened<LendingConfig>) => startJobs(opened, createParts(opened, deps), deps),
    warmUps: ({ compliance, ledger, wallet }, self) =>
      warmUpCalls({
        compliance: (call) => compliance.checkMoves({ moves: [sampleMove] }, call),
        ledger: (call) => ledger.getAccount({ accountId: "warm-up" }, call),
        wallet: (call) => wallet.getWalletAccount({ accountId: "warm-up" }, call),
        listLoanHistory: (call) => self.listLoanHistory({ customerId: "warm-up", page: 1, pageSize: 20 }, call),
        quoteLoan: (call) => self.quoteLoan({ productId: "warm-up", amount: "1.00", instalments: 6 }, call),
      }),
    handlers: (parts) => createLendingHandlers(parts),
    extraDefinitions: (parts) => [
      serveOutbox(parts.outbox),
      serveLendingWork(parts.db, parts.outbox),
      serveApprovalOutcomes({
        service: "lending",
        db: parts.db,
        handlers: approvalOutcomes(parts),
        outbox: parts.outbox,
      }),
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

const sampleMove = { customerId: "warm-up", kind: "MOVE_KIND_PAYMENT" as const };

type Parts = ReturnType<typeof createParts>;

/** What handlers and jobs are made of: the store, neighbours and sagas. */
function createParts(opened: Opened<LendingConfig>, deps: LendingServerDeps) {
  const { config, db, redis, wakeUps, log, identity, connect, onClose } = opened;
  const { clock = systemClock, crashPoint = realCrashPoint, recoverAfterMs = 3_000 } = deps;
  const ledger = connect(LedgerServiceDefinition, "ledger", config.LEDGER_ADDRESS);
  const compliance = connect(ComplianceServiceDefinition, "compliance", config.COMPLIANCE_ADDRESS);
  const wallet = connect(WalletServiceDefinition, "wallet", config.WALLET_ADDRESS);
  const { EVENTS_ADDRESS: at } = config;
  const plugins = connect(PluginServiceDefinition, "identity", config.IDENTITY_ADDRESS);
  const partners = openBankPartners({
    plugins,
    operator: { accessOf: bankAccessOf(config), timeoutMs: config.BANK_TIMEOUT_MS },
    collection: "lending",
    allowedOf: sandboxOrigins(config.PLUGIN_SANDBOX_ORIGINS, isSandbox),
    resolve: deps.resolve,
    keepForMs: deps.identityKeptForMs,
    onClose,
  });

  const store = createLendingStore(db);
  const outbox = createOutbox({ db, clock: systemClock, log, service: "lending", wakeUps });
  const idempotency = createIdempotency({ db, redis, clock: systemClock, keepForMs: "for ever", log });
  const sagas = createSagas({
    store: { transaction: (work, readBack) => store.transaction(work, readBack) },
    idempotency,
    outbox,
    clock: systemClock,
    recoverAfterMs,
  });
  const book = createLoanBook({ store, outbox });
  const verification = createVerification({ store, book, outbox });
  const settlement = createPayoffSettlement({ store, book, verification, clock });
  const postings = createLedgerPostings({ ledger, store });
  const moves = createCustomerMoves({ compliance });
  const moneyIn = createMoneyIn({ wallet, card: partners.card, postings });
  const moneyOut = createMoneyOut({ wallet, bank: partners.bank, moves });
  const businessClock = createBusinessClock({ identity, clock, keepForMs: deps.identityKeptForMs });
  const ceilings = createAmountCeilings({ identity, configured: config.AMOUNT_CEILINGS });
  const common = { store, sagas, book, outbox, businessClock, clock, crashPoint, log };
  const payments = { ...common, verification, settlement, postings, moneyIn, moneyOut, ...partners, idempotency };
  return {
    ...payments,
    db,
    identity,
    compliance,
    ledger,
    wallet,
    events: at === undefined ? undefined : connect(EventsServiceDefinition, "events", at),
    moves,
    plugins,
    people: createPeople({ identity }),
    approvals: createApprovals({ identity }),
    ceilings,
    runOnce: createRunOnce({ db, idempotency }),
    payoffs: createPayoffs(payments),
    disbursements: createDisbursements(payments),
    returns: createDisbursementReturns(payments),
    overpaymentRefunds: createOverpaymentRefunds(payments),
    suspense: createSuspense({ ...payments, ceilings }),
    matching: createCreditMatching(payments),
    reconciliation: createReconciliation({ store, ledger }),
    payoffQuoteS: config.PAYOFF_QUOTE_S,
    collection: {
      bankName: config.COLLECTION_BANK_NAME,
      bankCode: config.COLLECTION_BANK_CODE,
      accountNumber: config.COLLECTION_ACCOUNT_NUMBER,
    },
  };
}

/**
 * Starts what runs by itself: the relay, the daily accrual, the reader of the bank and the asking
 * of compliance.
 */
function startJobs({ config, redis, log, onClose }: Opened<LendingConfig>, parts: Parts, deps: LendingServerDeps) {
  const { outbox, store } = parts;
  const atOnce = config.ACCRUAL_AT_ONCE;
  const wake = () => outbox.wake();
  const feed = createBankFeed(parts);
  const reviews = createReviews(parts);
  const accruals = createAccruals({ ...parts, wake, pacing: createPacing({ redis, atOnce }) });
  const place = {
    mongoUri: config.MONGODB_URI,
    database: config.MONGODB_DATABASE,
    redisUrl: config.REDIS_URL,
    atOnce,
    logLevel: config.LOG_LEVEL,
  };
  const days = createDays({ ...parts, start: () => startDayThread(place, { log, onWork: wake }) });
  const pollMs = deps.relayPollMs;
  const relay = startLendingRelay({ ...parts, resume: resuming(parts), ...(pollMs === undefined ? {} : { pollMs }) });
  onClose(() => relay.stop());
  const releases = startReleases({
    plugins: parts.plugins,
    kinds: ["BANK", "CARD"],
    async isUnderWayAt(tenantId, installationId) {
      const tenant = store.forTenant(tenantId);
      if (await tenant.isPayingAt(installationId)) return true;
      return (await tenant.isRefundingAt(installationId)) || (await tenant.isChargingAt(installationId));
    },
    clock: systemClock,
    log,
    ...deps.releases,
  });
  onClose(() => releases.stop());
  onClose(
    processMetrics.watchAccrual(async () => {
      const tenants = await store.listTenants();
      return daysBehind(
        tenants.map(({ accruedThrough = "" }) => accruedThrough),
        systemClock.now(),
      );
    }),
  );
  const every = (seconds: number, what: string, work: Parameters<typeof repeat>[3]): void => {
    if (deps.everyMs === 0) return;
    const timer = repeat(deps.everyMs ?? seconds * 1_000, log, what, work);
    onClose(() => timer.stop());
  };
  every(config.BANK_CREDITS_EVERY_S, "reading what arrived at the bank", () => feed.readAll());
  every(config.REVIEWS_EVERY_S, "asking compliance again", (isStopping) => reviews.runDue(isStopping));
  every(config.ACCRUAL_EVERY_S, "accrual", () => days.runAll());
  // Runs before the timers stop: each waits for its turn, and the
  // day's turn ends when it is told to.
  onClose(() => days.stop());
  return { ...parts, feed, reviews, accruals };
}
