import { ComplianceServiceDefinition } from "../../proto/gen/compliance/v1/compliance.js";
import { LedgerServiceDefinition } from "../../proto/gen/ledger/v1/ledger.js";
import { LendingServiceDefinition } from "../../proto/gen/lending/v1/lending.js";
import { WalletServiceDefinition } from "../../proto/gen/wallet/v1/wallet.js";
import { startAdmin } from "../shared/admin.js";
import { createAmountCeilings } from "../shared/amount-ceilings.js";
import { createApprovals, serveApprovalOutcomes } from "../shared/approvals.js";
import { createBusinessClock } from "../shared/clocks/business-clock.js";
import { systemClock, type Clock } from "../shared/clocks/clock.js";
import { keyFilesOf } from "../shared/config.js";
import { crashPoint as realCrashPoint } from "../shared/crash-point.js";
import { servePersonalData } from "../shared/erasure/erasure.js";
import { createClient } from "../shared/grpc/client.js";
import { startGrpcServer } from "../shared/grpc/server.js";
import { createServiceAuth } from "../shared/grpc/service-auth.js";
import { createIdempotency, createRunOnce } from "../shared/idempotency/index.js";
import { createLogger, type Logger } from "../shared/log.js";
import { openDatabase } from "../shared/mongo/open-database.js";
import { createOutbox } from "../shared/outbox/index.js";
import { serveOutbox } from "../shared/outbox/operations.js";
import { createRedis } from "../shared/redis.js";
import { daysBehind } from "../shared/telemetry/days-behind.js";
import { processMetrics } from "../shared/telemetry/metrics.js";
import { loadServiceKeys, type ServiceKeys } from "../shared/tokens/service-tokens.js";
import type { UserTokenVerifier } from "../shared/tokens/user-tokens.js";
import { createAccruals } from "./jobs/accrual.js";
import { createBankFeed } from "./jobs/bank-feed.js";
import { bankAccessOf } from "../shared/partner/config.js";
import type { LendingConfig } from "./config.js";
import { createHttpBankConnector } from "./clients/http-connector.js";
import { startDayThread } from "./jobs/day-thread.js";
import { createDays } from "./jobs/days.js";
import { createDisbursements } from "./sagas/disbursement.js";
import { createDisbursementReturns } from "./sagas/disbursement-return.js";
import { access } from "./access.js";
import { createLendingHandlers } from "./handlers/index.js";
import { createLedgerPostings } from "./clients/ledger-postings.js";
import { createLoanBook } from "./sagas/loan-book.js";
import { migrations } from "./store/migrations.js";
import { approvalOutcomes } from "./handlers/approval-outcomes.js";
import { createMoneyOut } from "./clients/money-out.js";
import { createPacing } from "./jobs/pacing.js";
import { createOverpaymentRefunds } from "./sagas/overpayment-refund.js";
import { createPayoffs } from "./sagas/payoff.js";
import { createPeople } from "./clients/people.js";
import { createReconciliation } from "./jobs/reconciliation.js";
import { startLendingRelay } from "./jobs/relay.js";
import { createReviews } from "./jobs/reviews.js";
import { createLendingStore } from "./store/index.js";
import { personalRecords } from "./store/erasure.js";
import { repeat } from "./jobs/timers.js";
import { createVerification } from "./sagas/verification.js";

export interface LendingServerDeps {
  log?: Logger;
  clock?: Clock;
  /** Read from the config's files when absent. */
  keys?: ServiceKeys;
  /** Identity's keys and revocations when absent. */
  verifyUserToken?: UserTokenVerifier;
  /** Tests stop a saga here. */
  crashPoint?: (name: string) => void;
  /** How long a caller has before recovery takes over, in ms. */
  recoverAfterMs?: number;
  relayPollMs?: number;
  /** How often days and the bank are looked at, in ms, in place of the config's seconds; 0 means never. */
  everyMs?: number;
}

/** Starts lending. Rejects when MongoDB is away or the port is taken. */
export async function startLending(config: LendingConfig, deps: LendingServerDeps = {}) {
  const log = deps.log ?? createLogger({ service: "lending", level: config.LOG_LEVEL });
  const admin = config.ADMIN_PORT === undefined ? undefined : await startAdmin(config.ADMIN_PORT, config.HOST);
  const keys = deps.keys ?? (await loadServiceKeys(keyFilesOf(config)));
  const mongo = await openDatabase(config, { migrations, log });
  const redis = createRedis({ url: config.REDIS_URL, log });
  const auth = createServiceAuth({ service: "lending", keys, redis, identityAddress: config.IDENTITY_ADDRESS });
  const { signer, identity } = auth;
  const ledger = createClient(LedgerServiceDefinition, { address: config.LEDGER_ADDRESS, audience: "ledger", signer });
  const address = config.COMPLIANCE_ADDRESS;
  const compliance = createClient(ComplianceServiceDefinition, { address, audience: "compliance", signer });
  const wallet = createClient(WalletServiceDefinition, { address: config.WALLET_ADDRESS, audience: "wallet", signer });
  const connector = createHttpBankConnector({ accessOf: bankAccessOf(config), timeoutMs: config.BANK_TIMEOUT_MS });

  const { clock = systemClock, crashPoint = realCrashPoint, recoverAfterMs = 3_000, relayPollMs, everyMs } = deps;
  const store = createLendingStore(mongo.db);
  const outbox = createOutbox({ db: mongo.db, clock: systemClock, log, service: "lending" });
  const idempotency = createIdempotency({ db: mongo.db, redis, clock: systemClock, keepForMs: "for ever", log });
  const businessClock = createBusinessClock({ identity, clock });
  const book = createLoanBook({ store, outbox });
  const postings = createLedgerPostings({ ledger, store });
  const verification = createVerification({ store, book });
  const ceilings = createAmountCeilings({ identity, configured: config.AMOUNT_CEILINGS });
  const parts = {
    store,
    ceilings,
    book,
    verification,
    postings,
    outbox,
    idempotency,
    businessClock,
    connector,
    wallet,
    clock,
    crashPoint,
    log,
  };
  const payoffs = createPayoffs({ ...parts, recoverAfterMs });
  const moneyOut = createMoneyOut({ wallet, connector, compliance });
  const disbursements = createDisbursements({ ...parts, moneyOut });
  const returns = createDisbursementReturns(parts);
  const overpaymentRefunds = createOverpaymentRefunds({ ...parts, moneyOut });
  const feed = createBankFeed({ ...parts, payoffs });
  const atOnce = config.ACCRUAL_AT_ONCE;
  const wake = () => outbox.wake();
  const accruals = createAccruals({ ...parts, wake, pacing: createPacing({ redis, atOnce }) });
  const days = createDays({
    ...parts,
    start: () =>
      startDayThread(
        {
          mongoUri: config.MONGODB_URI,
          database: config.MONGODB_DATABASE,
          redisUrl: config.REDIS_URL,
          atOnce,
          logLevel: config.LOG_LEVEL,
        },
        { log, onWork: wake },
      ),
  });
  const unwatchAccrual = processMetrics.watchAccrual(async () => {
    const tenants = await store.listTenants();
    return daysBehind(
      tenants.map(({ accruedThrough = "" }) => accruedThrough),
      systemClock.now(),
    );
  });
  const reviews = createReviews({ ...parts, compliance });
  const reconciliation = createReconciliation({ store, ledger });
  const relay = startLendingRelay({
    ...parts,
    payoffs,
    disbursements,
    returns,
    overpaymentRefunds,
    feed,
    ...(relayPollMs === undefined ? {} : { pollMs: relayPollMs }),
  });
  await auth.reachIdentity(config.BOOT_WAIT_S);
  const server = await startGrpcServer({
    service: "lending",
    definition: LendingServiceDefinition,
    handlers: createLendingHandlers({
      ...parts,
      payoffs,
      moneyOut,
      cards: connector,
      reconciliation,
      identity,
      compliance,
      runOnce: createRunOnce({ db: mongo.db, idempotency }),
      approvals: createApprovals({ identity }),
      people: createPeople({ identity }),
      payoffQuoteS: config.PAYOFF_QUOTE_S,
      collection: {
        bankName: config.COLLECTION_BANK_NAME,
        bankCode: config.COLLECTION_BANK_CODE,
        accountNumber: config.COLLECTION_ACCOUNT_NUMBER,
      },
    }),
    access,
    extraDefinitions: [
      serveOutbox(outbox),
      serveApprovalOutcomes({ service: "lending", db: mongo.db, handlers: approvalOutcomes(parts), outbox }),
      servePersonalData({ db: mongo.db, ...personalRecords(mongo.db, idempotency) }),
    ],
    host: config.HOST,
    port: config.PORT,
    healthPort: config.HEALTH_PORT,
    tls: keys.tls,
    verifyServiceToken: auth.verifyServiceToken,
    verifyUserToken: deps.verifyUserToken ?? auth.verifyUserToken,
    log,
  });
  const timers =
    everyMs === 0
      ? []
      : [
          repeat(everyMs ?? config.BANK_CREDITS_EVERY_S * 1_000, log, "reading what arrived at the bank", () =>
            feed.readAll(),
          ),
          repeat(everyMs ?? config.REVIEWS_EVERY_S * 1_000, log, "asking compliance again", (isStopping) =>
            reviews.runDue(isStopping),
          ),
          repeat(everyMs ?? config.ACCRUAL_EVERY_S * 1_000, log, "accrual", () => days.runAll()),
        ];
  admin?.setReady(true);
  log.info({ port: server.port }, "lending is listening");
  return {
    port: server.port,
    /** For tests, which say when a day is worked on, the bank is read and compliance is asked. */
    accruals,
    feed,
    reviews,
    async stop(): Promise<void> {
      admin?.setReady(false);
      await server.stop();
      unwatchAccrual();
      await Promise.all([days.stop(), ...timers.map((timer) => timer.stop())]);
      await relay.stop();
      for (const client of [ledger, compliance, wallet, auth]) client.close();
      redis.disconnect();
      await mongo.close();
      await admin?.stop();
    },
  };
}
