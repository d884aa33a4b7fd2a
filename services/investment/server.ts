import { InvestmentServiceDefinition } from "../../proto/gen/investment/v1/investment.js";
import { createBusinessClock, type BusinessClock } from "../platform/preferences/business-clock.js";
import { systemClock } from "../kernel/time/clock.js";
import { crashPoint as realCrashPoint } from "../kernel/process/crash-point.js";
import { serveOutbox } from "../kernel/outbox/operations.js";
import { serveCloseBlockers } from "../platform/closing/close-blockers.js";
import { serveOpenMoney } from "../platform/erasure/open-money.js";
import { serveWorkQueues } from "../platform/work-queues/work-queues.js";
import { createCommits } from "../kernel/startup/commits.js";
import { startService, type Opened, type ServiceDeps } from "../kernel/startup/start-service.js";
import { createAmountCeilings } from "../platform/preferences/amount-ceilings.js";
import { createPreferences } from "../platform/preferences/preferences.js";
import { createSagas } from "../kernel/sagas/index.js";
import { daysBehind } from "../kernel/telemetry/days-behind.js";
import { processMetrics } from "../kernel/telemetry/metrics.js";
import { createKeyedMutex } from "../kernel/batching/keyed-mutex.js";
import { createAccrual } from "./jobs/accrual.js";
import { createApplicationSaga } from "./sagas/application.js";
import { warmUpCalls } from "../kernel/startup/warm-up.js";
import { access } from "./access.js";
import type { InvestmentConfig } from "./config.js";
import { startDays, type Days } from "./jobs/days.js";
import { createDividends } from "./jobs/dividends.js";
import { investmentHandlers } from "./handlers/index.js";
import { migrations } from "./store/migrations.js";
import { countOpenHoldings } from "./store/open-money.js";
import { connectNeighbours } from "./clients/neighbours.js";
import { neighbourCalls } from "../platform/neighbours/warm-ups.js";
import { createPeople } from "./clients/people.js";
import { createPosting } from "./clients/posting.js";
import { preferenceOf } from "./clients/preferences.js";
import { startInvestmentRelay } from "./jobs/relay.js";
import { createSettlementSaga } from "./sagas/settlement.js";
import { rowKinds } from "./row-kinds.js";
import { createInvestmentStore } from "./store/index.js";
import { createUnpaidHoldings } from "./jobs/unpaid.js";
import { createProductVersions } from "./store/product-versions.js";
import { createApplicationsWaiting } from "./jobs/awaiting-compliance.js";

export interface InvestmentServerDeps extends Omit<ServiceDeps, "clock"> {
  /** Identity's, when absent. */
  businessClock?: BusinessClock;
  /** Tests stop a saga here. */
  crashPoint?: (name: string) => void;
  /** How long a caller has before recovery takes over, in ms. */
  recoverAfterMs?: number;
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
  const { port, resources, stop } = await startService({
    name: "investment",
    config,
    deps,
    definition: InvestmentServiceDefinition,
    access,
    migrations,
    resources: (opened: Opened<InvestmentConfig>) => openResources(opened, deps),
    warmUps: ({ compliance, ledger, remittance, wallet }, self) =>
      warmUpCalls({
        ...neighbourCalls({ compliance, ledger, remittance, wallet }),
        listProducts: (call) => self.listProducts({}, call),
        listHoldings: (call) => self.listHoldings({}, call),
        apply: (call) => self.apply(sampleApplication, call),
      }),
    handlers: (resources) => investmentHandlers(resources),
    extraDefinitions: ({ db, outbox }) => [
      serveOutbox(outbox),
      serveWorkQueues("investment", outbox),
      serveCloseBlockers(outbox),
      serveOpenMoney(countOpenHoldings(db)),
    ],
  });
  return { port, days: resources.days, stop };
}

const sampleApplication = {
  idempotencyKey: "warm-up",
  productId: "warm-up",
  units: 1n,
  walletAccountId: "warm-up",
  customerId: "warm-up",
  customerName: "warm-up",
};

function openResources(opened: Opened<InvestmentConfig>, deps: InvestmentServerDeps) {
  const { config, db, identity, log, started, onClose } = opened;
  const { crashPoint = realCrashPoint, recoverAfterMs = 3_000, recheckAfterMs = 2_000, pollMs } = deps;
  const neighbours = connectNeighbours(opened);
  const store = createInvestmentStore(db);
  const commits = createCommits(opened, { kinds: rowKinds, keepForMs: "for ever" });
  const preferences = createPreferences({ identity, read: preferenceOf });
  const parts = {
    ...commits,
    store,
    sagas: createSagas({ store, ...commits, clock: systemClock, recoverAfterMs }),
    posting: createPosting(neighbours.ledger),
    businessClock: deps.businessClock ?? createBusinessClock({ identity }),
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
  const driven = { applications, applicationsWaiting, settlements, accrual, dividends };
  started(startInvestmentRelay({ ...parts, ...driven, pollMs }));
  onClose(
    processMetrics.watchAccrual(async () => {
      const oldest = await store.oldestDayDone();
      return oldest === undefined ? 0 : daysBehind([oldest], systemClock.now());
    }),
  );
  const unpaid = createUnpaidHoldings({ ...parts, accrual });
  const everyMs = config.INVESTMENT_DAY_EVERY_S * 1_000;
  const days = started(startDays({ ...parts, accrual, unpaid, everyMs }));
  return { ...parts, ...driven, days };
}
