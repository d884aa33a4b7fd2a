import { ComplianceServiceDefinition } from "../../proto/gen/compliance/v1/compliance.js";
import { InvestmentServiceDefinition } from "../../proto/gen/investment/v1/investment.js";
import { LedgerServiceDefinition } from "../../proto/gen/ledger/v1/ledger.js";
import { RemittanceServiceDefinition } from "../../proto/gen/remittance/v1/remittance.js";
import { WalletServiceDefinition } from "../../proto/gen/wallet/v1/wallet.js";
import { startAdmin } from "../shared/admin.js";
import { createBusinessClock, type BusinessClock } from "../shared/clocks/business-clock.js";
import { systemClock } from "../shared/clocks/clock.js";
import { keyFilesOf } from "../shared/config.js";
import { crashPoint as realCrashPoint } from "../shared/crash-point.js";
import { createClient } from "../shared/grpc/client.js";
import { startGrpcServer } from "../shared/grpc/server.js";
import { createServiceAuth } from "../shared/grpc/service-auth.js";
import { createIdempotency, createRunOnce } from "../shared/idempotency/index.js";
import { createLogger, type Logger } from "../shared/log.js";
import { openDatabase } from "../shared/mongo/open-database.js";
import { createOutbox } from "../shared/outbox/index.js";
import { serveOutbox } from "../shared/outbox/operations.js";
import { createAmountCeilings } from "../shared/amount-ceilings.js";
import { createPreferences } from "../shared/preferences.js";
import { createRedis } from "../shared/redis.js";
import { createSagas } from "../shared/sagas/index.js";
import { daysBehind } from "../shared/telemetry/days-behind.js";
import { processMetrics } from "../shared/telemetry/metrics.js";
import { loadServiceKeys, type ServiceKeys } from "../shared/tokens/service-tokens.js";
import type { UserTokenVerifier } from "../shared/tokens/user-tokens.js";
import { createKeyedMutex } from "../shared/batching/keyed-mutex.js";
import { createAccrual } from "./jobs/accrual.js";
import { createApplicationSaga } from "./sagas/application.js";
import { access } from "./access.js";
import type { InvestmentConfig } from "./config.js";
import { startDays, type Days } from "./jobs/days.js";
import { createDividends } from "./jobs/dividends.js";
import { createInvestmentHandlers } from "./handlers/index.js";
import { migrations } from "./store/migrations.js";
import { createPeople } from "./clients/people.js";
import { createPosting } from "./clients/posting.js";
import { preferenceOf } from "./clients/preferences.js";
import { startInvestmentRelay } from "./jobs/relay.js";
import { createSettlementSaga } from "./sagas/settlement.js";
import { createInvestmentStore } from "./store/index.js";
import { createUnpaidHoldings } from "./jobs/unpaid.js";
import { createProductVersions } from "./store/product-versions.js";
import { createApplicationsWaiting } from "./jobs/awaiting-compliance.js";

export interface InvestmentServerDeps {
  log?: Logger;
  /** Identity's, when absent. */
  businessClock?: BusinessClock;
  /** Read from the config's files when absent. */
  keys?: ServiceKeys;
  /** Identity's keys and revocations when absent. */
  verifyUserToken?: UserTokenVerifier;
  /** Tests stop a saga here. */
  crashPoint?: (name: string) => void;
  /** How long a caller has before recovery takes over, in ms. */
  recoverAfterMs?: number;
  relayPollMs?: number;
  /** Before compliance is asked a second time about an application, in ms. */
  recheckAfterMs?: number;
}

export interface InvestmentServer {
  port: number;
  days: Days;
  stop(): Promise<void>;
}

/** Starts investment. Rejects when MongoDB is away or the port is taken. */
export async function startInvestment(
  config: InvestmentConfig,
  deps: InvestmentServerDeps = {},
): Promise<InvestmentServer> {
  const log = deps.log ?? createLogger({ service: "investment", level: config.LOG_LEVEL });
  const admin = config.ADMIN_PORT === undefined ? undefined : await startAdmin(config.ADMIN_PORT, config.HOST);
  const keys = deps.keys ?? (await loadServiceKeys(keyFilesOf(config)));
  const { db, close: closeMongo } = await openDatabase(config, { migrations, log });
  const redis = createRedis({ url: config.REDIS_URL, log });
  const auth = createServiceAuth({ service: "investment", keys, redis, identityAddress: config.IDENTITY_ADDRESS });
  const neighbours = createNeighbours(config, auth.signer);
  const { compliance, ledger, remittance, wallet } = neighbours;
  const { identity } = auth;

  const { crashPoint = realCrashPoint, recoverAfterMs = 3_000, relayPollMs, recheckAfterMs = 2_000 } = deps;
  const store = createInvestmentStore(db);
  const outbox = createOutbox({ db, clock: systemClock, log, service: "investment" });
  const idempotency = createIdempotency({ db, redis, clock: systemClock, keepForMs: "for ever", log });
  const businessClock = deps.businessClock ?? createBusinessClock({ identity });
  const sagas = createSagas({ store, idempotency, outbox, clock: systemClock, recoverAfterMs });
  const posting = createPosting(ledger);
  const preferences = createPreferences({ identity, read: preferenceOf });
  const parts = {
    db,
    store,
    outbox,
    idempotency,
    runOnce: createRunOnce({ db, idempotency }),
    sagas,
    posting,
    businessClock,
    preferences,
    ceilings: createAmountCeilings({ identity, configured: config.AMOUNT_CEILINGS }),
    versions: createProductVersions(store),
    productMutex: createKeyedMutex(),
    people: createPeople({ identity, preferences }),
    crashPoint,
    log,
    ...neighbours,
  };
  const applications = createApplicationSaga(parts);
  const applicationsWaiting = createApplicationsWaiting({ ...parts, applications, recheckAfterMs });
  const settlements = createSettlementSaga(parts);
  const accrual = createAccrual(parts);
  const dividends = createDividends(parts);
  const relay = startInvestmentRelay({
    outbox,
    applications,
    applicationsWaiting,
    settlements,
    accrual,
    dividends,
    posting,
    crashPoint,
    ...(relayPollMs === undefined ? {} : { pollMs: relayPollMs }),
  });
  await auth.reachIdentity(config.BOOT_WAIT_S);
  const unpaid = createUnpaidHoldings({ ...parts, accrual });
  const days = startDays({ ...parts, accrual, unpaid, everyMs: config.INVESTMENT_DAY_EVERY_S * 1_000 });
  const unwatchAccrual = processMetrics.watchAccrual(async () => {
    const oldest = await store.oldestDayDone();
    return oldest === undefined ? 0 : daysBehind([oldest], systemClock.now());
  });
  const server = await startGrpcServer({
    service: "investment",
    definition: InvestmentServiceDefinition,
    handlers: createInvestmentHandlers({ ...parts, applications, applicationsWaiting, settlements }),
    access,
    extraDefinitions: [serveOutbox(outbox)],
    host: config.HOST,
    port: config.PORT,
    healthPort: config.HEALTH_PORT,
    tls: keys.tls,
    verifyServiceToken: auth.verifyServiceToken,
    verifyUserToken: deps.verifyUserToken ?? auth.verifyUserToken,
    log,
  });
  admin?.setReady(true);
  log.info({ port: server.port }, "investment is listening");
  return {
    port: server.port,
    days,
    async stop() {
      admin?.setReady(false);
      await server.stop();
      await days.stop();
      unwatchAccrual();
      await relay.stop();
      for (const client of [compliance, ledger, remittance, wallet, auth]) client.close();
      redis.disconnect();
      await closeMongo();
      await admin?.stop();
    },
  };
}

function createNeighbours(config: InvestmentConfig, signer: Parameters<typeof createClient>[1]["signer"]) {
  const { COMPLIANCE_ADDRESS, LEDGER_ADDRESS, REMITTANCE_ADDRESS, WALLET_ADDRESS } = config;
  return {
    compliance: createClient(ComplianceServiceDefinition, {
      address: COMPLIANCE_ADDRESS,
      audience: "compliance",
      signer,
    }),
    ledger: createClient(LedgerServiceDefinition, { address: LEDGER_ADDRESS, audience: "ledger", signer }),
    remittance: createClient(RemittanceServiceDefinition, {
      address: REMITTANCE_ADDRESS,
      audience: "remittance",
      signer,
    }),
    wallet: createClient(WalletServiceDefinition, { address: WALLET_ADDRESS, audience: "wallet", signer }),
  };
}
