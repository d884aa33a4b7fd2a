import { randomBytes } from "node:crypto";
import { ComplianceServiceDefinition } from "../../proto/gen/compliance/v1/compliance.js";
import { LedgerServiceDefinition } from "../../proto/gen/ledger/v1/ledger.js";
import { RemittanceServiceDefinition } from "../../proto/gen/remittance/v1/remittance.js";
import { WalletServiceDefinition } from "../../proto/gen/wallet/v1/wallet.js";
import { createApprovals, serveApprovalOutcomes } from "../shared/approvals.js";
import { createBusinessClock } from "../shared/clocks/business-clock.js";
import { systemClock, type Clock } from "../shared/clocks/clock.js";
import { createDataKeys } from "../shared/erasure/data-keys.js";
import { servePersonalData } from "../shared/erasure/erasure.js";
import { createClient } from "../shared/grpc/client.js";
import { batchTransactionChecks } from "../shared/clients/compliance-batches.js";
import { batchPostings } from "../shared/clients/posting-batches.js";
import { createServiceAuth } from "../shared/grpc/service-auth.js";
import { startGrpcServer } from "../shared/grpc/server.js";
import { createIdempotency, createRunOnce } from "../shared/idempotency/index.js";
import { createSagas } from "../shared/sagas/index.js";
import { createLocalKms, loadMasterKey, type Kms } from "../shared/erasure/kms.js";
import { createLogger, type Logger } from "../shared/log.js";
import { openDatabase } from "../shared/mongo/open-database.js";
import { createOutbox } from "../shared/outbox/index.js";
import { serveOutbox } from "../shared/outbox/operations.js";
import { createAmountCeilings } from "../shared/amount-ceilings.js";
import { createPreferences } from "../shared/preferences.js";
import { createRedis } from "../shared/redis.js";
import { loadServiceKeys, type ServiceKeys } from "../shared/tokens/service-tokens.js";
import type { UserTokenVerifier } from "../shared/tokens/user-tokens.js";
import { startAdmin } from "../shared/admin.js";
import { keyFilesOf } from "../shared/config.js";
import { partnerAccessOf, type RemittanceConfig } from "./config.js";
import { createHttpConnector } from "./clients/http-connector.js";
import type { PayoutConnector } from "./clients/payout-connector.js";
import { createCreation } from "./sagas/creation.js";
import { personalRecords } from "./store/erasure.js";
import { startExpiry } from "./jobs/expiry.js";
import { cashSettlement } from "./jobs/cash-settlement.js";
import { refundPosting } from "./jobs/refund-posting.js";
import { corridorOutcome, refundOutcome } from "./handlers/approval-outcomes.js";
import { sandboxServices } from "./handlers/sandbox.js";
import { access } from "./access.js";
import { createRemittanceHandlers } from "./handlers/index.js";
import { migrations } from "./store/migrations.js";
import { createPayoutBatches } from "./sagas/payout-batches.js";
import { createPayoutPosting } from "./sagas/payout-posting.js";
import { createPayoutSaga } from "./sagas/payout.js";
import { createPayoutSteps } from "./sagas/payout-steps.js";
import { createPeople } from "./clients/people.js";
import { createPriceBooks } from "./store/price-books.js";
import { preferenceOf } from "./clients/preferences.js";
import { startRemittanceRelay } from "./jobs/relay.js";
import { startStatementReaders } from "./jobs/statement-readers.js";
import { createPartyCipher } from "./store/party-cipher.js";
import { createRemittanceStore } from "./store/index.js";
import { createWalletDelivery } from "./sagas/wallet-delivery.js";

export interface RemittanceServerDeps {
  log?: Logger;
  clock?: Clock;
  /** Read from the config's files when absent. */
  keys?: ServiceKeys;
  /** In place of the one that asks identity for keys and revocations. */
  verifyUserToken?: UserTokenVerifier;
  /** How often the outbox is looked at without being woken. */
  pollMs?: number;
  /** How often overdue transactions are looked for. */
  expiryEveryMs?: number;
  /** In place of the partner's HTTP API. */
  connector?: PayoutConnector;
  /** In place of the master key's file. */
  kms?: Kms;
}

/** How long a request itself has before its recovery row takes over. */
const recoverAfterMs = 10_000;

/** Starts remittance. Rejects when MongoDB is away or the port is taken. */
export async function startRemittance(
  config: RemittanceConfig,
  deps: RemittanceServerDeps = {},
): Promise<{ port: number; stop(): Promise<void> }> {
  const log = deps.log ?? createLogger({ service: "remittance", level: config.LOG_LEVEL });
  const clock = deps.clock ?? systemClock;
  const admin = config.ADMIN_PORT === undefined ? undefined : await startAdmin(config.ADMIN_PORT, config.HOST);
  const keys = deps.keys ?? (await loadServiceKeys(keyFilesOf(config)));
  const { db, close: closeMongo } = await openDatabase(config, { migrations, log });
  const redis = createRedis({ url: config.REDIS_URL, log });
  const auth = createServiceAuth({ service: "remittance", keys, redis, identityAddress: config.IDENTITY_ADDRESS });
  const { signer } = auth;
  const compliance = batchTransactionChecks(
    createClient(ComplianceServiceDefinition, {
      address: config.COMPLIANCE_ADDRESS,
      audience: "compliance",
      signer,
    }),
  );
  const ledger = batchPostings(
    createClient(LedgerServiceDefinition, { address: config.LEDGER_ADDRESS, audience: "ledger", signer }),
  );
  const wallet = createClient(WalletServiceDefinition, { address: config.WALLET_ADDRESS, audience: "wallet", signer });
  const connector = deps.connector ?? createHttpConnector(partnerOf(config));
  const dataKeys = createDataKeys({ db, kms: deps.kms ?? (await kmsOf(config, log)), purpose: "personal-data" });
  const cipher = createPartyCipher(dataKeys);
  const store = createRemittanceStore(db, cipher);
  const outbox = createOutbox({ db, clock, log, service: "remittance" });
  const idempotency = createIdempotency({ db, redis, clock: systemClock, log });
  const preferences = createPreferences({ identity: auth.identity, read: preferenceOf });
  const people = createPeople({ identity: auth.identity, preferences });
  const times = createBusinessClock({ identity: auth.identity, clock });
  const prices = createPriceBooks(store);
  const ceilings = createAmountCeilings({ identity: auth.identity, configured: config.AMOUNT_CEILINGS });
  const runOnce = createRunOnce({ db, idempotency });
  const sagas = createSagas({ store, idempotency, outbox, clock, recoverAfterMs });
  const parts = { store, people, prices, ceilings, compliance, ledger, idempotency, runOnce, outbox, clock, times };
  const creation = createCreation({ ...parts, sagas, payableForMs: config.PAYMENT_WINDOW_S * 1_000 });
  const steps = createPayoutSteps(parts);
  const reading = { store, steps, connector, clock, log };
  const readers = startStatementReaders({ ...reading, everyMs: config.PARTNER_STATEMENT_EVERY_S * 1_000 });
  const batches = createPayoutBatches({ ...parts, steps, connector, closeAfterMs: config.PAYOUT_BATCH_S * 1_000 });
  const posting = createPayoutPosting(ledger);
  const walletDelivery = createWalletDelivery({ posting, compliance });
  const payouts = createPayoutSaga({ store, steps, batches, connector, posting, walletDelivery, readers, clock });

  const booking = { store, steps, posting, clock };
  const changing = corridorOutcome(booking);
  const outcomes = {
    REFUND: refundOutcome(booking),
    REVERSAL: refundOutcome(booking),
    LIMIT_CHANGE: changing,
    PARTNER_CHANGE: changing,
    CORRIDOR_CHANGE: changing,
  };
  const moreRows = { ...cashSettlement(booking), ...refundPosting({ ...booking, wallet }) };

  await auth.reachIdentity(config.BOOT_WAIT_S);
  const server = await startGrpcServer({
    service: "remittance",
    definition: RemittanceServiceDefinition,
    handlers: createRemittanceHandlers({
      ...parts,
      creation,
      quoteForMs: config.QUOTE_HOLDS_S * 1_000,
      steps,
      connector,
      approvals: createApprovals({ identity: auth.identity }),
      callbackSecretOf: (tenantId) => partnerAccessOf(config)(tenantId)?.callbackSecret,
    }),
    access,
    extraDefinitions: [
      serveOutbox(outbox),
      serveApprovalOutcomes({ service: "remittance", db, handlers: outcomes, outbox }),
      servePersonalData({ db, ...personalRecords(db, idempotency) }),
      ...sandboxServices(partnerOf(config)),
    ],
    host: config.HOST,
    port: config.PORT,
    healthPort: config.HEALTH_PORT,
    tls: keys.tls,
    verifyServiceToken: auth.verifyServiceToken,
    verifyUserToken: deps.verifyUserToken ?? auth.verifyUserToken,
    log,
  });
  const relay = startRemittanceRelay({ ...parts, wallet, creation, payouts, batches, moreRows, pollMs: deps.pollMs });
  const sweeping = deps.expiryEveryMs === undefined ? {} : { everyMs: deps.expiryEveryMs };
  const expiry = startExpiry({ store, outbox, clock, times, log, ...sweeping });
  admin?.setReady(true);
  log.info({ port: server.port }, "remittance is listening");
  return {
    port: server.port,
    async stop() {
      admin?.setReady(false);
      await server.stop();
      await expiry.stop();
      await readers.stop();
      await relay.stop();
      for (const client of [compliance, ledger, wallet, auth]) client.close();
      redis.disconnect();
      await closeMongo();
      await admin?.stop();
    },
  };
}

/** Throws where the key file cannot be read, and in production where none is named. */
async function kmsOf({ MASTER_KEY_FILE: file, NODE_ENV }: RemittanceConfig, log: Logger): Promise<Kms> {
  if (file !== undefined) return createLocalKms(await loadMasterKey(file));
  if (NODE_ENV === "production") throw new Error("MASTER_KEY_FILE is required in production");
  log.warn("without MASTER_KEY_FILE personal data is sealed with a key that ends with this process");
  return createLocalKms(randomBytes(32));
}

function partnerOf(config: RemittanceConfig) {
  return {
    accessOf: partnerAccessOf(config),
    callbackBaseUrl: config.PARTNER_CALLBACK_BASE_URL.replace(/\/+$/, ""),
    timeoutMs: config.PARTNER_TIMEOUT_MS,
  };
}
