import { ComplianceServiceDefinition } from "../../proto/gen/compliance/v1/compliance.js";
import { LedgerServiceDefinition } from "../../proto/gen/ledger/v1/ledger.js";
import { RemittanceServiceDefinition } from "../../proto/gen/remittance/v1/remittance.js";
import { WalletServiceDefinition } from "../../proto/gen/wallet/v1/wallet.js";
import { startAdmin } from "../shared/admin.js";
import { createAmountCeilings } from "../shared/amount-ceilings.js";
import { createApprovals, serveApprovalOutcomes } from "../shared/approvals.js";
import { createBusinessClock } from "../shared/clocks/business-clock.js";
import { keyFilesOf } from "../shared/config.js";
import { systemClock, type Clock } from "../shared/clocks/clock.js";
import { crashPoint as realCrashPoint } from "../shared/crash-point.js";
import { servePersonalData } from "../shared/erasure/erasure.js";
import { createClient } from "../shared/grpc/client.js";
import { startGrpcServer } from "../shared/grpc/server.js";
import { batchPaymentChecks } from "../shared/clients/compliance-batches.js";
import { batchCredentialChecks } from "../shared/clients/credential-batches.js";
import { batchPostings } from "../shared/clients/posting-batches.js";
import { createServiceAuth } from "../shared/grpc/service-auth.js";
import { createIdempotency } from "../shared/idempotency/index.js";
import { createLogger, type Logger } from "../shared/log.js";
import { openDatabase } from "../shared/mongo/open-database.js";
import { createOutbox } from "../shared/outbox/index.js";
import { serveOutbox } from "../shared/outbox/operations.js";
import { bankAccessOf } from "../shared/partner/config.js";
import { createRedis } from "../shared/redis.js";
import { createSagas } from "../shared/sagas.js";
import { loadServiceKeys, type ServiceKeys } from "../shared/tokens/service-tokens.js";
import type { UserTokenVerifier } from "../shared/tokens/user-tokens.js";
import type { WalletConfig } from "./config.js";
import { createHttpBankConnector } from "./clients/http-connector.js";
import { createCreditBooking } from "./jobs/credit-booking.js";
import { startCreditReaders } from "./jobs/credit-readers.js";
import { createDayLimits } from "./store/day-limit.js";
import { createDepositSaga } from "./sagas/deposit.js";
import { cashInOutcome } from "./handlers/cash-in.js";
import { createWalletHandlers, walletAccess } from "./handlers/index.js";
import { createHeldArrivals } from "./sagas/held-arrivals.js";
import { limitOutcome } from "./handlers/limits.js";
import { refundOutcome } from "./handlers/refunds.js";
import { sandboxServices } from "./handlers/sandbox-register.js";
import { createLimits } from "./store/limits-cache.js";
import { migrations } from "./store/migrations.js";
import { createMovementRules } from "./sagas/movement-rules.js";
import { createMovementSaga } from "./sagas/movement.js";
import { createMoves } from "./clients/moves.js";
import { createOnce } from "./handlers/once.js";
import { createOpeningSaga } from "./sagas/opening.js";
import { createPaymentSaga } from "./sagas/payment.js";
import { createPosting } from "./clients/posting.js";
import { startWalletRelay } from "./jobs/relay.js";
import { createWalletStore } from "./store/index.js";
import { personalRecords } from "./store/erasure.js";
import { createTopUpSaga } from "./sagas/top-up.js";
import { createWithdrawals } from "./sagas/withdrawal.js";

export interface WalletServerDeps {
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
}

/** Starts the wallet. Rejects when MongoDB is away or the port is taken. */
export async function startWallet(
  config: WalletConfig,
  deps: WalletServerDeps = {},
): Promise<{ port: number; stop(): Promise<void> }> {
  const log = deps.log ?? createLogger({ service: "wallet", level: config.LOG_LEVEL });
  const admin = config.ADMIN_PORT === undefined ? undefined : await startAdmin(config.ADMIN_PORT, config.HOST);
  const keys = deps.keys ?? (await loadServiceKeys(keyFilesOf(config)));
  const mongo = await openDatabase(config, { migrations, log });
  const redis = createRedis({ url: config.REDIS_URL, log });
  const auth = createServiceAuth({ service: "wallet", keys, redis, identityAddress: config.IDENTITY_ADDRESS });
  const { signer } = auth;
  const ledger = batchPostings(
    createClient(LedgerServiceDefinition, { address: config.LEDGER_ADDRESS, audience: "ledger", signer }),
  );
  const compliance = batchPaymentChecks(
    createClient(ComplianceServiceDefinition, {
      address: config.COMPLIANCE_ADDRESS,
      audience: "compliance",
      signer,
    }),
  );
  const remittance = createClient(RemittanceServiceDefinition, {
    address: config.REMITTANCE_ADDRESS,
    audience: "remittance",
    signer,
  });

  const { clock = systemClock, crashPoint = realCrashPoint, recoverAfterMs = 3_000, relayPollMs } = deps;
  const store = createWalletStore(mongo.db);
  const outbox = createOutbox({ db: mongo.db, clock: systemClock, log, service: "wallet" });
  const idempotency = createIdempotency({ db: mongo.db, redis, clock: systemClock, keepForMs: "for ever", log });
  const sagas = createSagas({ store, idempotency, outbox, clock: systemClock, recoverAfterMs });
  const limits = createLimits({ store });
  const once = createOnce({ db: mongo.db, idempotency });
  const ceilings = createAmountCeilings({ identity: auth.identity, configured: config.AMOUNT_CEILINGS });
  const toBank = { accessOf: bankAccessOf(config), timeoutMs: config.BANK_TIMEOUT_MS };
  const bank = createHttpBankConnector(toBank);
  const posting = createPosting({ ledger });
  const approvals = createApprovals({ identity: auth.identity });
  const businessClock = createBusinessClock({ identity: auth.identity, clock });
  const moves = createMoves({ compliance });
  const heldArrivals = createHeldArrivals({ store, moves, posting, outbox, clock: systemClock, crashPoint });
  const payments = createPaymentSaga({
    store,
    sagas,
    posting,
    compliance,
    remittance,
    heldArrivals,
    outbox,
    crashPoint,
  });
  const deposits = createDepositSaga({ store, sagas, posting, heldArrivals, crashPoint });
  const openings = createOpeningSaga({ store, sagas, posting, crashPoint });
  const movements = createMovementSaga({
    store,
    sagas,
    posting,
    rules: createMovementRules({ store, compliance, moves, clock }),
    heldArrivals,
    crashPoint,
  });
  const topUps = createTopUpSaga({ store, sagas, posting, bank, crashPoint });
  const credits = createCreditBooking({ store, posting, ceilings, moves, heldArrivals, crashPoint });
  const readers = startCreditReaders({
    store,
    booking: credits,
    bank,
    clock: systemClock,
    log,
    crashPoint,
    everyMs: config.BANK_CREDITS_EVERY_S * 1_000,
    ...(relayPollMs === undefined ? {} : { lookMs: relayPollMs }),
  });
  const withdrawals = createWithdrawals({ store, posting, moves, bank, outbox, clock: systemClock, crashPoint });
  const relay = startWalletRelay({
    outbox,
    payments,
    deposits,
    openings,
    movements,
    withdrawals,
    topUps,
    credits,
    heldArrivals,
    store,
    compliance,
    remittance,
    crashPoint,
    ...(relayPollMs === undefined ? {} : { pollMs: relayPollMs }),
  });
  const identity = batchCredentialChecks(auth.identity);
  await auth.reachIdentity(config.BOOT_WAIT_S);
  const server = await startGrpcServer({
    service: "wallet",
    definition: WalletServiceDefinition,
    handlers: createWalletHandlers({
      store,
      sagas,
      payments,
      deposits,
      openings,
      movements,
      topUps,
      outbox,
      moves,
      remittance,
      readers,
      credits,
      idempotency,
      dayLimits: createDayLimits({ store, limits, businessClock }),
      once,
      ceilings,
      approvals,
      businessClock,
      bank,
      identity,
      ledger,
      clock,
    }),
    access: walletAccess,
    extraDefinitions: [
      serveOutbox(outbox),
      ...sandboxServices(toBank, config.NODE_ENV === "production"),
      serveApprovalOutcomes({
        service: "wallet",
        db: mongo.db,
        handlers: {
          LIMIT_CHANGE: limitOutcome(store, limits),
          REFUND: refundOutcome(store, () => movements, clock),
          CASH_IN: cashInOutcome(store, () => movements, clock),
        },
        outbox,
      }),
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
  admin?.setReady(true);
  log.info({ port: server.port }, "wallet is listening");
  return {
    port: server.port,
    async stop() {
      admin?.setReady(false);
      await server.stop();
      await readers.stop();
      await relay.stop();
      for (const client of [ledger, compliance, remittance, auth]) client.close();
      redis.disconnect();
      await mongo.close();
      await admin?.stop();
    },
  };
}
