import { WalletServiceDefinition } from "../../proto/gen/wallet/v1/wallet.js";
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
import { createSender } from "../platform/partners/sender.js";
import { createPartnerOutcomes, serveOutcomes } from "../platform/sandbox/sandbox-outcomes.js";
import { createSagas } from "../kernel/sagas/index.js";
import { createTransferParties } from "../platform/banks/transfer-parties.js";
import { serveCloseBlockers } from "../platform/closing/close-blockers.js";
import { serveSuspense } from "../platform/reports/suspense.js";
import { createCommits } from "../kernel/startup/commits.js";
import { startService, type Opened, type ServiceDeps } from "../kernel/startup/start-service.js";
import { warmUpCalls } from "../kernel/startup/warm-up.js";
import { access } from "./access.js";
import { connectNeighbours } from "./clients/neighbours.js";
import { createPosting } from "./clients/posting.js";
import type { WalletConfig } from "./config.js";
import { approvalOutcomes } from "./handlers/approval-outcomes.js";
import { serveCash, servePluginOwner, serveRegister, walletHandlers } from "./handlers/index.js";
import { countOpenWallets } from "./handlers/open-money.js";
import { serveWalletWork } from "./handlers/work-queues.js";
import { createCreditBooking } from "./jobs/credit-booking.js";
import { startJobs } from "./jobs/index.js";
import { createWalletSagas } from "./sagas/index.js";
import { createDayLimits } from "./sagas/wallet-daily-limit.js";
import { rowKinds } from "./row-kinds.js";
import { personalRecords } from "./store/erasure.js";
import { createWalletStore } from "./store/index.js";
import { migrations } from "./store/migrations.js";
import { createWalletLimitsCache } from "./store/wallet-limits-cache.js";
import { countWalletBlockers } from "./store/close-blockers.js";
import { readWalletSuspense } from "./store/suspense.js";

export interface WalletServerDeps extends ServiceDeps {
  /** Tests stop a saga here. */
  crashPoint?: (name: string) => void;
  /** How long a caller has before recovery takes over, in ms. */
  recoverAfterMs?: number;
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
        ...neighbourCalls({ compliance, remittance }),
        listWalletAccounts: (call) => self.listWalletAccounts({}, call),
        makePayment: (call) => self.makePayment(samplePayment, call),
      }),
    handlers: (resources) => walletHandlers(resources),
    extraDefinitions(resources) {
      const { db, store, outbox, idempotency, limits, movements, clock, toBank } = resources;
      const outcomes = approvalOutcomes({ store, limits, movements, clock, outbox });
      const send = createSender(toBank);
      return [
        serveOutbox(outbox),
        serveWalletWork(db, outbox),
        serveCloseBlockers(outbox, countWalletBlockers(db)),
        serveSuspense("wallet", resources.businessClock, readWalletSuspense(db)),
        serveOutcomes(createPartnerOutcomes(send, ["BANK_TRANSFER", "CARD_CHARGE", "ACCOUNT_CHECK", "BVN_LOOKUP"])),
        serveRegister({ send, accessOf: toBank.accessOf, isProduction: config.NODE_ENV === "production" }),
        servePluginOwner(resources),
        ...serveCash(resources),
        serveApprovalOutcomes({ service: "wallet", db, handlers: outcomes, outbox }),
        serveOpenMoney(countOpenWallets(resources)),
        servePersonalData({ db, ...personalRecords(db, idempotency) }),
      ];
    },
  });
}

const samplePayment = {
  idempotencyKey: "warm-up",
  payableType: "PAYABLE_TYPE_WALLET_CUSTOMER" as const,
  payableId: "warm-up",
  accountId: "warm-up",
  totalCheckoutAmount: "1.00",
  paymentGatewayRef: "warm-up",
};

/**
 * What the handlers run on. What waits and what recovers goes by real time, business rules by
 * `clock`.
 */
function build(opened: Opened<WalletConfig>, deps: WalletServerDeps) {
  const { config, db, log } = opened;
  const {
    clock = systemClock,
    crashPoint = realCrashPoint,
    recoverAfterMs = 3_000,
    identityCacheMs: identityKeptForMs,
  } = deps;
  const store = createWalletStore(db);
  const commits = createCommits(opened, { kinds: rowKinds, keepForMs: "for ever" });
  const neighbours = connectNeighbours(opened);
  const { identity, ledger, compliance } = neighbours;
  const limits = createWalletLimitsCache({ store });
  const businessClock = createBusinessClock({ identity, clock, keepForMs: identityKeptForMs });
  const partners = openBankPartners(opened, deps, "wallet");
  const parts = {
    ...commits,
    ...neighbours,
    ...partners,
    store,
    limits,
    sagas: createSagas({ store, ...commits, clock: systemClock, recoverAfterMs }),
    posting: createPosting({ ledger, ...partners }),
    moves: createCustomerMoves({ compliance }),
    ceilings: createAmountCeilings({ identity, configured: config.AMOUNT_CEILINGS }),
    approvals: createApprovals({ identity }),
    partiesOf: createTransferParties(identity),
    businessClock,
    dayLimits: createDayLimits({ store, limits, businessClock }),
    clock,
    crashPoint,
    log,
  };
  const sagas = createWalletSagas(parts);
  const all = { ...parts, ...sagas, credits: createCreditBooking({ ...parts, ...sagas }) };
  return { ...all, ...startJobs(opened, all, deps) };
}
