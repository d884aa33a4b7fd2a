import { RemittanceServiceDefinition } from "../../proto/gen/remittance/v1/remittance.js";
import { createAmountCeilings } from "../platform/preferences/amount-ceilings.js";
import { serveApprovalOutcomes } from "../platform/approvals/approval-outcomes.js";
import { createApprovals } from "../platform/approvals/approvals.js";
import { neighbourCalls } from "../platform/neighbours/warm-ups.js";
import { createBusinessClock } from "../platform/preferences/business-clock.js";
import { systemClock } from "../kernel/time/clock.js";
import { createEventRowCipher } from "./store/event-row-cipher.js";
import { servePersonalData } from "../platform/erasure/erasure.js";
import { createAnswerCipher } from "../kernel/idempotency/index.js";
import type { KeyWrapper } from "../kernel/keys/key-wrapper.js";
import { serveMasterKey } from "../kernel/keys/operations.js";
import { serveOutbox } from "../kernel/outbox/operations.js";
import { createPreferences } from "../platform/preferences/preferences.js";
import { createSagas } from "../kernel/sagas/index.js";
import { createCommits } from "../kernel/startup/commits.js";
import { openDataKeys } from "../kernel/startup/open-data-keys.js";
import { startService, type Opened, type ServiceDeps } from "../kernel/startup/start-service.js";
import { warmUpCalls } from "../kernel/startup/warm-up.js";
import { access } from "./access.js";
import { connectNeighbours } from "./clients/neighbours.js";
import { createPartiesOf } from "./clients/originators.js";
import { openPayoutPartners, type OpenPayoutPartnersDeps } from "./clients/open-partners.js";
import { createPayoutHolds } from "./clients/payout-holds.js";
import { createPeople } from "./clients/people.js";
import { preferenceOf } from "./clients/preferences.js";
import { partnerAccessOf, partnerOf, type RemittanceConfig } from "./config.js";
import { approvalOutcomes } from "./handlers/approval-outcomes.js";
import { createPayeeDesk } from "./handlers/payee-desk.js";
import * as served from "./handlers/index.js";
import { serveRemittanceWork } from "./handlers/work-queues.js";
import { countPromises } from "./jobs/promise-counts.js";
import { startJobs, type JobTimes } from "./jobs/index.js";
import { createCreation } from "./sagas/creation.js";
import { createOrderFreezing } from "./sagas/order-freezing.js";
import { createPayoutOrders } from "./sagas/payout-orders.js";
import { createPayoutPosting } from "./sagas/payout-posting.js";
import { createPayoutSteps } from "./sagas/payout-steps.js";
import { openTransparency } from "./sagas/transparency-facts.js";
import { rowKinds } from "./row-kinds.js";
import { personalRecords } from "./store/erasure.js";
import { createRemittanceStore } from "./store/index.js";
import { migrations } from "./store/migrations.js";
import { createPartyCipher } from "./store/party-cipher.js";
import { createPriceBooks } from "./store/price-books.js";

export interface RemittanceServerDeps extends ServiceDeps, OpenPayoutPartnersDeps, JobTimes {
  /** In place of the config's master key. */
  wrapper?: KeyWrapper;
}

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
    async resources(opened: Opened<RemittanceConfig>) {
      const parts = await createParts(opened, deps);
      startJobs(opened, parts, deps);
      return parts;
    },
    warmUps: ({ compliance, ledger }, self) =>
      warmUpCalls({
        ...neighbourCalls({ compliance, ledger }, "MOVE_KIND_TRANSACTION"),
        listBeneficiaries: (call) => self.listBeneficiaries({}, call),
        listTransactions: (call) => self.listTransactions({}, call),
        getTransaction: (call) => self.getTransaction({ transactionId: "warm-up" }, call),
        createTransaction: (call) => self.createTransaction(sampleTransaction, call),
      }),
    handlers: (parts) =>
      served.remittanceHandlers({
        ...parts,
        quoteForMs: config.QUOTE_HOLDS_S * 1_000,
        callbackSecretOf: (tenantId) => partnerAccessOf(config)(tenantId)?.callbackSecret,
      }),
    extraDefinitions: ({ db, idempotency, outbox, dataKeys, ...parts }) => [
      serveMasterKey(dataKeys.wrapped),
      serveOutbox(outbox),
      ...serveRemittanceWork(db, outbox),
      serveApprovalOutcomes({ service: "remittance", db, handlers: approvalOutcomes({ ...parts, outbox }), outbox }),
      servePersonalData({ db, ...personalRecords(db, idempotency) }),
      served.serveDayReports(parts),
      ...served.serveSandbox({ ...parts, partner: partnerOf(config) }),
      served.servePluginOwner({ ...parts, outbox, watchAfterMs: config.PARTNER_STATEMENT_EVERY_S * 1_000 }),
    ],
  });

/** Store, neighbours and sagas; nothing of it runs by itself. */
async function createParts(opened: Opened<RemittanceConfig>, deps: RemittanceServerDeps) {
  const { config, db, identity } = opened;
  const { clock = systemClock } = deps;
  const dataKeys = await openDataKeys(opened, "personal-data", deps.wrapper);
  const ciphers = { answerCipher: createAnswerCipher(dataKeys), rowCipher: createEventRowCipher(dataKeys) };
  const commits = createCommits(opened, { kinds: rowKinds, clock, ...ciphers });
  const store = createRemittanceStore(db, createPartyCipher(dataKeys));
  const times = createBusinessClock({ identity, clock, keepForMs: deps.identityCacheMs });
  const neighbours = connectNeighbours(opened);
  const partiesOf = createPartiesOf({ identity, clock });
  const common = { ...commits, ...neighbours, store, clock, times, partiesOf };
  const sagas = createSagas({ ...common, recoverAfterMs });
  const payableForMs = config.PAYMENT_WINDOW_S * 1_000;
  const prices = createPriceBooks(store);
  const { payeePartners, ...partners } = openPayoutPartners(opened, deps, common);
  const offered = openTransparency({ ...common, ...partners, prices, keepForMs: deps.identityCacheMs });
  return {
    ...common,
    ...offered,
    ...partners,
    payees: createPayeeDesk({ store, times, partners: payeePartners }),
    dataKeys,
    identity,
    log: opened.log,
    people: createPeople({ identity, preferences: createPreferences({ identity, read: preferenceOf }) }),
    ceilings: createAmountCeilings({ identity, configured: config.AMOUNT_CEILINGS }),
    approvals: createApprovals({ identity }),
    oneOfFew: served.createReportTurns(),
    orders: createPayoutOrders(store),
    freeze: createOrderFreezing({ partiesOf }),
    holds: createPayoutHolds(neighbours),
    steps: createPayoutSteps({ ...common, onCompleted: countPromises(times, opened.log) }),
    creation: createCreation({ ...common, sagas, facts: offered.transparencyFacts, payableForMs }),
    posting: createPayoutPosting(neighbours.ledger, partners.accounts),
  };
}
