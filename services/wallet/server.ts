import { ComplianceServiceDefinition } from "../../proto/gen/compliance/v1/compliance.js";
import { EventsServiceDefinition } from "../../proto/gen/events/v1/events.js";
import { PluginServiceDefinition } from "../../proto/gen/identity/v1/plugins.js";
import { LedgerServiceDefinition } from "../../proto/gen/ledger/v1/ledger.js";
import { RemittanceServiceDefinition } from "../../proto/gen/remittance/v1/remittance.js";
import { WalletServiceDefinition } from "../../proto/gen/wallet/v1/wallet.js";
import { createAmountCeilings } from "../platform/preferences/amount-ceilings.js";
import { createApprovals, serveApprovalOutcomes } from "../platform/approvals/approvals.js";
import { batchAccountReads } from "./clients/account-reads.js";
import { batchPaymentChecks } from "../platform/neighbours/compliance-batches.js";
import { batchCredentialChecks } from "./clients/credential-batches.js";
import { openBankPartners } from "../platform/banks/open-partners.js";
import { createCustomerMoves } from "../platform/neighbours/customer-moves.js";
import { batchPostings } from "../platform/neighbours/posting-batches.js";
import { createBusinessClock } from "../platform/preferences/business-clock.js";
import { systemClock, type Clock } from "../kernel/time/clock.js";
import { crashPoint as realCrashPoint } from "../kernel/process/crash-point.js";
import { servePersonalData } from "../platform/erasure/erasure.js";
import { createIdempotency, createRunOnce } from "../kernel/idempotency/index.js";
import { sandboxOrigins } from "../platform/messages/open-installed.js";
import type { Logger } from "../kernel/process/log.js";
import { createOutbox } from "../kernel/outbox/index.js";
import { serveOutbox } from "../kernel/outbox/operations.js";
import type { Resolve } from "../platform/partners/addresses.js";
import { bankAccessOf } from "../platform/partners/config.js";
import { startReleases } from "../platform/plugins/releases.js";
import { isSandbox } from "../platform/sandbox/sandbox.js";
import { createSagas } from "../kernel/sagas/index.js";
import { startService, type Opened, type ServiceDeps } from "../kernel/startup/start-service.js";
import { warmUpCalls } from "../kernel/startup/warm-up.js";
import { access } from "./access.js";
import { createPosting } from "./clients/posting.js";
import type { WalletConfig } from "./config.js";
import { cashInOutcome } from "./handlers/cash-in-approval.js";
import { createWalletHandlers } from "./handlers/index.js";
import { pluginOwnerService } from "./handlers/plugin-owner.js";
import { refundOutcome } from "./handlers/refund-approval.js";
import { sandboxServices } from "./handlers/sandbox-register.js";
import { limitOutcome } from "./handlers/wallet-limits.js";
import { serveWalletWork } from "./handlers/work-queues.js";
import { createCreditBooking } from "./jobs/credit-booking.js";
import { startCreditReaders } from "./jobs/credit-readers.js";
import { startWalletRelay } from "./jobs/relay.js";
import { createDayLimits } from "./sagas/wallet-daily-limit.js";
import { createHeldArrivals } from "./sagas/held-arrivals.js";
import { createMovementSaga } from "./sagas/movement.js";
import { createMovementRules } from "./sagas/movements/index.js";
import { createOpeningSaga } from "./sagas/opening.js";
import { createPaymentSaga } from "./sagas/payment.js";
import { createTopUpSaga } from "./sagas/top-up.js";
import { createWithdrawals } from "./sagas/withdrawal.js";
import { personalRecords } from "./store/erasure.js";
import { createWalletStore } from "./store/index.js";
import { migrations } from "./store/migrations.js";
import { createWalletLimitsCache } from "./store/wallet-limits-cache.js";

export interface WalletServerDeps extends ServiceDeps {
  clock?: Clock;
  /** Tests stop a saga here. */
  crashPoint?: (name: string) => void;
  /** How long a caller has before recovery takes over, in ms. */
  recoverAfterMs?: number;
  relayPollMs?: number;
  /** In place of the name servers, for partners of tenants. */
  resolve?: Resolve;
  /**
   * How often it is looked which partners of tenants are to go, and
   * how long they are seen to be, ms.
   */
  releases?: { everyMs: number; afterMs: number } | undefined;
}

/** Starts the wallet. Rejects when MongoDB is away or the port is taken. */
export function startWallet(config: WalletConfig, deps: WalletServerDeps = {}) {
  return startService({
    name: "wallet",
    config,
    deps,
    definition: WalletServiceDefinition,
    access,
    migrations,
    resources: (opened) => build(opened, deps),
    warmUps: ({ compliance, remittance }, self) =>
      warmUpCalls({
        compliance: (call) => compliance.checkMoves({ moves: [sampleMove] }, call),
        remittance: (call) => remittance.getExchangeRate({ fromCurrency: "USD", toCurrency: "NGN" }, call),
        listWalletAccounts: (call) => self.listWalletAccounts({}, call),
        makePayment: (call) => self.makePayment(samplePayment, call),
      }),
    handlers: (resources) => createWalletHandlers(resources),
    extraDefinitions({ db, store, outbox, idempotency, limits, movements, clock, toBank, ...parts }) {
      const outcomes = {
        LIMIT_CHANGE: limitOutcome(store, limits),
        REFUND: refundOutcome(store, movements, clock),
        CASH_IN: cashInOutcome(store, movements, clock),
      };
      return [
        serveOutbox(outbox),
        serveWalletWork(db, outbox),
        ...sandboxServices(toBank, config.NODE_ENV === "production"),
        pluginOwnerService(parts),
        serveApprovalOutcomes({ service: "wallet", db, handlers: outcomes, outbox }),
        servePersonalData({ db, ...personalRecords(db, idempotency) }),
      ];
    },
  });
}

const sampleMove = { customerId: "warm-up", kind: "MOVE_KIND_PAYMENT" as const };
const samplePayment = {
  idempotencyKey: "warm-up",
  payableType: "PAYABLE_TYPE_WALLET_CUSTOMER" as const,
  payableId: "warm-up",
  accountId: "warm-up",
  totalCheckoutAmount: "1.00",
  paymentGatewayRef: "warm-up",
};

interface Points {
  clock: Clock;
  crashPoint: (name: string) => void;
}

/**
 * What the handlers run on. What waits and what recovers goes by real time, business rules by
 * `clock`.
 */
function build(opened: Opened<WalletConfig>, deps: WalletServerDeps) {
  const { clock = systemClock, crashPoint = realCrashPoint, recoverAfterMs = 3_000, relayPollMs } = deps;
  const points = { clock, crashPoint };
  const kept = buildStore(opened, recoverAfterMs);
  const clients = buildClients(opened, deps, clock);
  const sagas = buildSagas({ ...kept, ...clients, ...points, log: opened.log });
  const jobs = startJobs(opened, { ...kept, ...clients, ...sagas, ...points, releases: deps.releases }, relayPollMs);
  const { store, limits } = kept;
  const dayLimits = createDayLimits({ store, limits, businessClock: clients.businessClock });
  // Credentials are checked several at once; everything else is asked one by one.
  const identity = batchCredentialChecks(opened.identity);
  return { ...kept, ...clients, ...sagas, ...jobs, ...points, dayLimits, identity };
}

function buildStore({ db, redis, wakeUps, log }: Opened<WalletConfig>, recoverAfterMs: number) {
  const store = createWalletStore(db);
  const outbox = createOutbox({ db, clock: systemClock, log, service: "wallet", wakeUps });
  const idempotency = createIdempotency({ db, redis, clock: systemClock, keepForMs: "for ever", log });
  const sagas = createSagas({ store, idempotency, outbox, clock: systemClock, recoverAfterMs });
  const runOnce = createRunOnce({ db, idempotency });
  return { db, store, outbox, idempotency, sagas, runOnce, limits: createWalletLimitsCache({ store }) };
}

function buildClients(
  { config, identity, connect, onClose }: Opened<WalletConfig>,
  { resolve, identityKeptForMs: keepForMs }: WalletServerDeps,
  clock: Clock,
) {
  const ledger = batchAccountReads(batchPostings(connect(LedgerServiceDefinition, "ledger", config.LEDGER_ADDRESS)));
  const compliance = batchPaymentChecks(connect(ComplianceServiceDefinition, "compliance", config.COMPLIANCE_ADDRESS));
  const toBank = { accessOf: bankAccessOf(config), timeoutMs: config.BANK_TIMEOUT_MS };
  const plugins = connect(PluginServiceDefinition, "identity", config.IDENTITY_ADDRESS);
  const allowedOf = sandboxOrigins(config.PLUGIN_SANDBOX_ORIGINS, isSandbox);
  const partners = { plugins, operator: toBank, collection: "wallet" as const, allowedOf, resolve, keepForMs, onClose };
  const { EVENTS_ADDRESS: at } = config;
  return {
    ledger,
    compliance,
    events: at === undefined ? undefined : connect(EventsServiceDefinition, "events", at),
    remittance: connect(RemittanceServiceDefinition, "remittance", config.REMITTANCE_ADDRESS),
    toBank,
    plugins,
    ...openBankPartners(partners),
    posting: createPosting({ ledger }),
    moves: createCustomerMoves({ compliance }),
    ceilings: createAmountCeilings({ identity, configured: config.AMOUNT_CEILINGS }),
    approvals: createApprovals({ identity }),
    businessClock: createBusinessClock({ identity, clock, keepForMs }),
  };
}

function buildSagas(deps: ReturnType<typeof buildStore> & ReturnType<typeof buildClients> & Points & { log: Logger }) {
  const heldArrivals = createHeldArrivals({ ...deps, clock: systemClock });
  const all = { ...deps, heldArrivals };
  return {
    heldArrivals,
    payments: createPaymentSaga(all),
    openings: createOpeningSaga(all),
    movements: createMovementSaga({ ...all, rules: createMovementRules(all) }),
    topUps: createTopUpSaga(all),
    withdrawals: createWithdrawals({ ...all, clock: systemClock }),
    credits: createCreditBooking(all),
  };
}

function startJobs(
  { config, log, onClose }: Opened<WalletConfig>,
  deps: ReturnType<typeof buildStore> &
    ReturnType<typeof buildClients> &
    ReturnType<typeof buildSagas> &
    Pick<Points, "crashPoint"> &
    Pick<WalletServerDeps, "releases">,
  pollMs: number | undefined,
) {
  const relay = startWalletRelay({ ...deps, ...(pollMs !== undefined && { pollMs }) });
  onClose(() => relay.stop());
  const readers = startCreditReaders({
    ...deps,
    clock: systemClock,
    log,
    everyMs: config.BANK_CREDITS_EVERY_S * 1_000,
    ...(pollMs !== undefined && { lookMs: pollMs }),
  });
  onClose(() => readers.stop());
  const { store, plugins } = deps;
  const releases = startReleases({
    plugins,
    kinds: ["BANK", "CARD"],
    async isUnderWayAt(tenantId, installationId) {
      const wallet = store.forTenant(tenantId);
      return (await wallet.isSendingAt(installationId)) || (await wallet.isChargingAt(installationId));
    },
    clock: systemClock,
    log,
    ...deps.releases,
  });
  onClose(() => releases.stop());
  return { readers };
}
