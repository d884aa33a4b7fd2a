import { ComplianceServiceDefinition } from "../../proto/gen/compliance/v1/compliance.js";
import { EventsServiceDefinition } from "../../proto/gen/events/v1/events.js";
import { PluginServiceDefinition } from "../../proto/gen/identity/v1/plugins.js";
import { LedgerServiceDefinition } from "../../proto/gen/ledger/v1/ledger.js";
import { RemittanceServiceDefinition } from "../../proto/gen/remittance/v1/remittance.js";
import { WalletServiceDefinition } from "../../proto/gen/wallet/v1/wallet.js";
import { createAmountCeilings } from "../platform/preferences/amount-ceilings.js";
import { createApprovals, serveApprovalOutcomes } from "../platform/approvals/approvals.js";
import { batchTransactionChecks } from "../platform/neighbours/compliance-batches.js";
import { createCustomerMoves } from "../platform/neighbours/customer-moves.js";
import { batchPostings } from "../platform/neighbours/posting-batches.js";
import { createBusinessClock, type BusinessClock } from "../platform/preferences/business-clock.js";
import { systemClock, type Clock } from "../kernel/time/clock.js";
import { createDataKeys } from "../kernel/keys/data-keys.js";
import { createEventRowCipher } from "./store/event-row-cipher.js";
import { servePersonalData } from "../platform/erasure/erasure.js";
import { createAnswerCipher, createIdempotency, createRunOnce } from "../kernel/idempotency/index.js";
import { openMasterKey } from "../kernel/keys/config.js";
import type { KeyWrapper } from "../kernel/keys/key-wrapper.js";
import { serveMasterKey } from "../kernel/keys/operations.js";
import { awaitMasterKey } from "../kernel/keys/wrapped-keys.js";
import { createOutbox } from "../kernel/outbox/index.js";
import { serveOutbox } from "../kernel/outbox/operations.js";
import { createResolve, type Resolve } from "../platform/partners/addresses.js";
import { createPinnedExchange } from "../platform/partners/exchange.js";
import { startCallLog } from "../platform/plugins/call-log.js";
import type { PluginKind } from "../platform/plugins/kinds.js";
import { createInstallations } from "../platform/plugins/installations.js";
import { createPreferences } from "../platform/preferences/preferences.js";
import { createSagas } from "../kernel/sagas/index.js";
import { startService, type Opened, type ServiceDeps } from "../kernel/startup/start-service.js";
import { processMetrics } from "../kernel/telemetry/metrics.js";
import { warmUpCalls } from "../kernel/startup/warm-up.js";
import { access } from "./access.js";
import { createFileBanks } from "./clients/bank-files/index.js";
import { createHttpConnector } from "./clients/http-connector.js";
import { connectorByPartner, createInstalledConnectors } from "./clients/installed-connectors.js";
import type { PayoutConnector } from "./clients/payout-connector.js";
import { createPayoutHolds } from "./clients/payout-holds.js";
import { createPayoutPartners } from "./clients/payout-partners.js";
import { createPeople } from "./clients/people.js";
import { preferenceOf } from "./clients/preferences.js";
import { createRateSources } from "./clients/rate-sources.js";
import { allowedOriginsOf, partnerAccessOf, type RemittanceConfig } from "./config.js";
import { corridorOutcome, rateOutcome, refundOutcome } from "./handlers/approval-outcomes.js";
import { payoutOutcome } from "./handlers/payout-outcomes.js";
import { createRemittanceHandlers } from "./handlers/index.js";
import { pluginOwnerService } from "./handlers/plugin-owner.js";
import { sandboxServices } from "./handlers/sandbox.js";
import { serveRemittanceWork } from "./handlers/work-queues.js";
import { cashSettlement } from "./jobs/cash-settlement.js";
import { startExpiry } from "./jobs/expiry.js";
import { heldRateRows } from "./jobs/held-rates.js";
import { startRateFeeds } from "./jobs/rate-feeds.js";
import { refundPosting } from "./jobs/refund-posting.js";
import { startRemittanceRelay } from "./jobs/relay.js";
import { removedRecipients } from "./jobs/removed-recipients.js";
import { startStatementReaders } from "./jobs/statement-readers.js";
import { createCreation } from "./sagas/creation.js";
import { createPayoutBatches } from "./sagas/payout-batches.js";
import { createPayoutOrders } from "./sagas/payout-orders.js";
import { createPayoutPosting } from "./sagas/payout-posting.js";
import { createPayoutSteps } from "./sagas/payout-steps.js";
import { createPayoutSaga } from "./sagas/payout.js";
import { createWalletDelivery } from "./sagas/wallet-delivery.js";
import { personalRecords } from "./store/erasure.js";
import { tellOfUnclear } from "./jobs/partner-alerts.js";
import { createRemittanceStore, type RemittanceStore } from "./store/index.js";
import { migrations } from "./store/migrations.js";
import { createPartyCipher } from "./store/party-cipher.js";
import { createPriceBooks } from "./store/price-books.js";

export interface RemittanceServerDeps extends ServiceDeps {
  clock?: Clock;
  /** How often the outbox is looked at without being woken. */
  pollMs?: number;
  /** How often overdue transactions are looked for. */
  expiryEveryMs?: number;
  /** In place of the operator's partner's HTTP API. */
  connector?: PayoutConnector;
  /** Whether the operator's partner serves a tenant, in place of what the config says. */
  hasDefault?: (tenantId: string) => boolean;
  /** In place of the name servers, for partners of tenants. */
  resolve?: Resolve;
  /** How long a tenant's partner is seen to be on its way out before it is let go. */
  releaseAfterMs?: number;
  /** How often it is looked which sources of rates are due. */
  rateLookMs?: number;
  /** How long a bank's file has not been written to before it is taken for whole, ms. */
  fileRestMs?: number;
  /** In place of the config's master key. */
  wrapper?: KeyWrapper;
}

const sampleMove = { customerId: "warm-up", kind: "MOVE_KIND_TRANSACTION" as const };
const sampleTransaction = {
  idempotencyKey: "warm-up",
  sendAmount: "1.00",
  sendCurrency: "USD",
  receivingCurrency: "NGN",
  type: "DELIVERY_METHOD_ACCOUNTPAYMENT" as const,
  senderCustomerCode: "warm-up",
  recipientCustomerCode: "warm-up",
  creditParty: [{ key: "bankaccountno", value: "0000000000" }],
  internationalTransferInformation: {
    originCountry: "USA",
    receivingCountry: "NGA",
    remittancePurpose: "FAMILY_SUPPORT",
    sourceOfFunds: "SALARY",
  },
  processingMode: "PROCESSING_MODE_REAL_TIME" as const,
  ipAddress: "192.0.2.1",
};

/** How long a request itself has before its recovery row takes over. */
const recoverAfterMs = 10_000;

/** Starts remittance. Rejects when MongoDB is away or the port is taken. */
export const startRemittance = (config: RemittanceConfig, deps: RemittanceServerDeps = {}) =>
  startService({
    name: "remittance",
    config,
    deps,
    definition: RemittanceServiceDefinition,
    access,
    migrations,
    resources: async (opened: Opened<RemittanceConfig>) => startJobs(await createParts(opened, deps), opened, deps),
    warmUps: ({ compliance, ledger }, self) =>
      warmUpCalls({
        compliance: (call) => compliance.checkMoves({ moves: [sampleMove] }, call),
        ledger: (call) => ledger.getAccount({ accountId: "warm-up" }, call),
        listBeneficiaries: (call) => self.listBeneficiaries({}, call),
        listTransactions: (call) => self.listTransactions({}, call),
        getTransaction: (call) => self.getTransaction({ transactionId: "warm-up" }, call),
        createTransaction: (call) => self.createTransaction(sampleTransaction, call),
      }),
    handlers: (parts) =>
      createRemittanceHandlers({
        ...parts,
        quoteForMs: config.QUOTE_HOLDS_S * 1_000,
        callbackSecretOf: (tenantId) => partnerAccessOf(config)(tenantId)?.callbackSecret,
      }),
    extraDefinitions: ({ db, idempotency, outbox, dataKeys, ...parts }) => [
      serveMasterKey(dataKeys.wrapped),
      serveOutbox(outbox),
      serveRemittanceWork(db, outbox),
      serveApprovalOutcomes({ service: "remittance", db, handlers: outcomesOf(parts), outbox }),
      servePersonalData({ db, ...personalRecords(db, idempotency) }),
      ...sandboxServices(parts.store, partnerOf(config), parts.installed),
      pluginOwnerService({ ...parts, outbox, watchAfterMs: config.PARTNER_STATEMENT_EVERY_S * 1_000 }),
    ],
  });

type Parts = Awaited<ReturnType<typeof createParts>>;

/** Store, neighbours and sagas; nothing of it runs by itself. */
async function createParts(opened: Opened<RemittanceConfig>, deps: RemittanceServerDeps) {
  const { config, db, redis, wakeUps, identity, log, connect, onClose } = opened;
  const clock = deps.clock ?? systemClock;
  const compliance = batchTransactionChecks(
    connect(ComplianceServiceDefinition, "compliance", config.COMPLIANCE_ADDRESS),
  );
  const ledger = batchPostings(connect(LedgerServiceDefinition, "ledger", config.LEDGER_ADDRESS));
  const { EVENTS_ADDRESS: at } = config;
  const events = at === undefined ? undefined : connect(EventsServiceDefinition, "events", at);
  const wrapper = deps.wrapper ?? (await openMasterKey(config, log));
  const dataKeys = createDataKeys({ db, wrapper, service: "remittance", purpose: "personal-data" });
  await awaitMasterKey(dataKeys.openAll, config.BOOT_WAIT_S, log);
  onClose(processMetrics.watchWrappedKeys(dataKeys.wrapped.countBehind));
  const store = createRemittanceStore(db, createPartyCipher(dataKeys));
  const times = createBusinessClock({ identity, clock, keepForMs: deps.identityKeptForMs });
  const own = openPlugins(opened, { ...deps, clock, times }, store);
  const connector = connectorByPartner(deps.connector ?? createHttpConnector(partnerOf(config)), own.installed);
  const cipher = createEventRowCipher(dataKeys);
  const outbox = createOutbox({ db, clock, log, service: "remittance", wakeUps, cipher });
  const idempotency = createIdempotency({ db, redis, clock: systemClock, cipher: createAnswerCipher(dataKeys), log });
  const sagas = createSagas({ store, idempotency, outbox, clock, recoverAfterMs });
  const people = createPeople({ identity, preferences: createPreferences({ identity, read: preferenceOf }) });
  const steps = createPayoutSteps({ store, outbox, clock, times });
  const payableForMs = config.PAYMENT_WINDOW_S * 1_000;
  return {
    db,
    clock,
    times,
    store,
    dataKeys,
    outbox,
    idempotency,
    runOnce: createRunOnce({ db, idempotency }),
    identity,
    people,
    prices: createPriceBooks(store),
    ceilings: createAmountCeilings({ identity, configured: config.AMOUNT_CEILINGS }),
    approvals: createApprovals({ identity }),
    compliance,
    ledger,
    wallet: connect(WalletServiceDefinition, "wallet", config.WALLET_ADDRESS),
    events,
    connector,
    ...own,
    orders: createPayoutOrders(store),
    holds: createPayoutHolds({ compliance }),
    steps,
    creation: createCreation({ store, compliance, idempotency, sagas, clock, times, payableForMs }),
    posting: createPayoutPosting(ledger),
  };
}

/** Tenants' own partners: who they are, how they are called, and what is noted of it. */
function openPlugins(
  { config, connect, log, onClose }: Opened<RemittanceConfig>,
  deps: RemittanceServerDeps & { clock: Clock; times: BusinessClock },
  store: RemittanceStore,
) {
  const { clock, times, fileRestMs: restMs, identityKeptForMs: keepForMs } = deps;
  const plugins = connect(PluginServiceDefinition, "identity", config.IDENTITY_ADDRESS);
  const of = (...kinds: PluginKind[]) => createInstallations({ identity: plugins, kinds, keepForMs });
  const [installations, payers, rateInstallations] = [of("PAYOUT", "FX_RATES"), of("PAYOUT"), of("FX_RATES")];
  const notes = startCallLog({ identity: plugins });
  onClose(() => notes.stop());
  const exchange = createPinnedExchange({ resolve: deps.resolve ?? createResolve() });
  onClose(() => exchange.close());
  const { callbackBaseUrl, accessOf } = partnerOf(config);
  const allowedOf = allowedOriginsOf(config);
  const timeZoneOf = async (tenantId: string) => (await times.forTenant(tenantId)).timeZone;
  const fileBanks = createFileBanks({ root: config.PLUGIN_FILES_DIR, store, clock, timeZoneOf, log, notes, restMs });
  const reached = { exchange, allowedOf, notes, fileBanks, callbackBaseUrl };
  const installed = createInstalledConnectors({ installations: payers, ...reached });
  const hasDefault = deps.hasDefault ?? ((tenantId: string) => accessOf(tenantId) !== undefined);
  const partners = createPayoutPartners({ installations: payers, installed, hasDefault });
  const sources = createRateSources({ exchange, allowedOf, notes });
  const kept = { plugins, installations, rateInstallations, sources };
  return { ...kept, ...reached, installed, hasDefault, partners };
}

/**
 * Starts the relay with its row handlers, the expiry of what is unpaid, and the readers of the
 * partner's statements.
 */
function startJobs(
  parts: Parts,
  { config, log, onClose }: Opened<RemittanceConfig>,
  deps: RemittanceServerDeps,
): Parts {
  const { compliance, posting } = parts;
  const readers = startStatementReaders({
    ...parts,
    log,
    everyMs: config.PARTNER_STATEMENT_EVERY_S * 1_000,
    ...(deps.releaseAfterMs !== undefined && { releaseAfterMs: deps.releaseAfterMs }),
  });
  onClose(() => readers.stop());
  const batches = createPayoutBatches({ ...parts, closeAfterMs: config.PAYOUT_BATCH_S * 1_000 });
  const moves = createCustomerMoves({ compliance });
  const payouts = createPayoutSaga({
    ...parts,
    batches,
    readers,
    onUnclear: tellOfUnclear(log),
    walletDelivery: createWalletDelivery({ posting, moves }),
  });
  const moreRows = {
    ...cashSettlement(parts),
    ...refundPosting(parts),
    ...removedRecipients(parts),
    ...heldRateRows(parts),
  };
  const relay = startRemittanceRelay({ ...parts, payouts, batches, moreRows, pollMs: deps.pollMs });
  onClose(() => relay.stop());
  const sweeping = deps.expiryEveryMs === undefined ? {} : { everyMs: deps.expiryEveryMs };
  const expiry = startExpiry({ ...parts, log, ...sweeping });
  onClose(() => expiry.stop());
  const looking = deps.rateLookMs === undefined ? {} : { lookMs: deps.rateLookMs };
  const feeds = startRateFeeds({ ...parts, log, ...looking });
  onClose(() => feeds.stop());
  onClose(processMetrics.watchRateFeeds(() => parts.store.countStaleRateFeeds(parts.clock.now())));
  return parts;
}

/** What is done when identity tells how something that remittance asked for was decided. */
function outcomesOf(parts: Pick<Parts, "store" | "steps" | "clock" | "times">) {
  const [refund, corridor] = [refundOutcome(parts), corridorOutcome(parts)];
  return {
    REFUND: refund,
    REVERSAL: refund,
    LIMIT_CHANGE: corridor,
    PARTNER_CHANGE: corridor,
    CORRIDOR_CHANGE: corridor,
    RATE_CHANGE: rateOutcome(parts),
    PAYOUT_OUTCOME: payoutOutcome(parts),
  };
}

function partnerOf(config: RemittanceConfig) {
  return {
    accessOf: partnerAccessOf(config),
    callbackBaseUrl: config.PARTNER_CALLBACK_BASE_URL.replace(/\/+$/, ""),
    timeoutMs: config.PARTNER_TIMEOUT_MS,
  };
}
