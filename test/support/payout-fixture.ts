import { randomBytes, randomUUID } from "node:crypto";
import { ApprovalOutcomeServiceDefinition, type Approval } from "../../proto/gen/identity/v1/approvals.js";
import { OutboxServiceDefinition } from "../../proto/gen/operations/v1/outbox.js";
import {
  RemittanceServiceDefinition,
  type CreateTransactionRequest,
} from "../../proto/gen/remittance/v1/remittance.js";
import { PluginOwnerServiceDefinition } from "../../proto/gen/plugins/v1/owner.js";
import { OutcomesServiceDefinition, PayoutsServiceDefinition } from "../../proto/gen/sandbox/v1/sandbox.js";
import type { Rule } from "../../deploy/partner/behaviours.js";
import { remittanceEnv } from "../../services/remittance/config.js";
import { startRemittance, type RemittanceServerDeps } from "../../services/remittance/server.js";
import { createRemittanceStore } from "../../services/remittance/store/index.js";
import type { Transaction, TransactionStatus } from "../../services/remittance/domain/transaction.js";
import { createLocalKey } from "../../services/kernel/keys/file-keys.js";
import type { WirePartial } from "../../services/kernel/grpc/definition.js";
import { testDatabase, waitFor } from "./index.js";
import { insist } from "./insist.js";
import { startCallbackServer } from "./payout-callbacks.js";
import { move, startPayoutLedger } from "./payout-ledger.js";
import { createPayoutNeighbours } from "./payout-neighbours.js";
import { callbackSecret, partnerKey, signedCallback, startSandboxPartner } from "./payout-partner.js";
import { serverEnv } from "./payout-server-env.js";
import { ada, on } from "./remittance-calls.js";
import { beneficiary, corridor, openTenant, order } from "./remittance-samples.js";
import { createServiceNetwork, statedUsers } from "./service-network.js";
import { createStandInEvents } from "./stand-in-events.js";
import { decideAsForeseen } from "./foreseen.js";
import { identityCacheMs } from "./time.js";

/** A paid transaction and the wallet that paid it. */
export interface Paid {
  tenantId: string;
  transactionId: string;
  walletId: string;
  paymentId: string;
}

export type PayoutWorld = Awaited<ReturnType<typeof createPayoutWorld>>;

/**
 * Remittance, ledger and the sandbox partner for real, over MongoDB, gRPC and HTTP, with stand-ins
 * for identity, compliance and wallet. The partner's callbacks go through a server that can lose
 * them.
 */
export async function createPayoutWorld(
  name: string,
  env: Record<string, string> = {},
  deps: RemittanceServerDeps = {},
) {
  const network = await createServiceNetwork();
  const [database, ledgerDatabase] = await Promise.all([testDatabase(`rem_${name}`), testDatabase(`led_${name}`)]);
  let offsetMs = 0;
  const clock = { now: () => new Date(Date.now() + offsetMs) };

  const neighbours = await createPayoutNeighbours(network);
  const ledger = await startPayoutLedger(network, ledgerDatabase, neighbours.identity);
  const { balance } = ledger;
  const events = await createStandInEvents(network);
  const callbacks = await startCallbackServer();
  const partner = await startSandboxPartner();

  const config = remittanceEnv.parse({
    ...serverEnv(database),
    IDENTITY_ADDRESS: neighbours.identity,
    COMPLIANCE_ADDRESS: neighbours.compliance,
    LEDGER_ADDRESS: `127.0.0.1:${ledger.port}`,
    WALLET_ADDRESS: await neighbours.standInWallet(ledger.books),
    EVENTS_ADDRESS: events.address,
    PARTNER_URL: partner.url,
    PARTNER_API_KEY: partnerKey,
    PARTNER_CALLBACK_SECRET: callbackSecret,
    PARTNER_CALLBACK_BASE_URL: callbacks.url,
    PARTNER_TIMEOUT_MS: "400",
    PAYOUT_BATCH_S: "1",
    PARTNER_STATEMENT_EVERY_S: "1",
    PLUGIN_SANDBOX_ORIGINS: "http://127.0.0.1:*",
    ...env,
  });
  // Started again it opens what it has sealed.
  const wrapper = createLocalKey(randomBytes(32));
  const start = () =>
    startRemittance(config, {
      wrapper,
      log: network.log,
      clock,
      keys: network.keysOf("remittance"),
      verifyUserToken: statedUsers,
      identityCacheMs,
      pollMs: 50,
      ...deps,
    });
  let service = await start();
  config.PORT = service.port;
  const client = (as: "operator" | "gateway" | "wallet" | "compliance") =>
    network.client(RemittanceServiceDefinition, "remittance", service.port, as);
  const clients = {
    operator: client("operator"),
    gateway: client("gateway"),
    wallet: client("wallet"),
    compliance: client("compliance"),
  };
  const outcomes = network.client(ApprovalOutcomeServiceDefinition, "remittance", service.port, "identity");
  const pluginOwner = network.client(PluginOwnerServiceDefinition, "remittance", service.port, "gateway");
  callbacks.deliverTo(clients.gateway);
  callbacks.deliverPluginsTo(pluginOwner, neighbours.plugins.tenantOf);
  const store = createRemittanceStore(database.db);

  const find = async (tenantId: string, transactionId: string): Promise<Transaction> =>
    (await store.forTenant(tenantId).findTransaction(transactionId))!;

  async function create(tenantId: string, part: WirePartial<CreateTransactionRequest> = {}): Promise<string> {
    const requested = order(part);
    const made = await insist(() => clients.gateway.createTransaction(requested, on(tenantId, ada)));
    return made.transaction!.transactionId;
  }

  /** Claims and debits as the wallet does, without telling remittance yet. */
  async function debit(tenantId: string, transactionId: string, tillId = ""): Promise<Paid> {
    const paymentId = randomUUID();
    const { price } = await find(tenantId, transactionId);
    const { currency, minor: amountMinor } = price.total;
    const payer = tillId === "" ? { accountNumber: "1000000008" } : { tillId, funding: "CASH" };
    const ask = { transactionId, paymentId, customerId: "c1", totalAmount: { amountMinor, currency }, ...payer };
    const due = await insist(() => clients.wallet.claimTransaction(ask, on(tenantId, ada)));
    const open = tillId === "" ? ledger.openWallet : ledger.openCounter;
    const walletId = await open(tenantId, currency);
    const parts = [
      ["principal", due.clearingAccountId, due.principal, "wallet_payment"],
      ["fee", due.feeIncomeAccountId, due.totalFees, "fee"],
      ["tax", due.taxPayableAccountId, due.totalTaxes, "tax"],
    ] as const;
    const transfers = parts
      .filter(([, , amount]) => amount!.amountMinor > 0n)
      .map(([part, to, amount, kind]) =>
        move(`payment:${paymentId}:${part}`, walletId, to, amount!.amountMinor, currency, kind),
      );
    await ledger.post(tenantId, transfers);
    return { tenantId, transactionId, walletId, paymentId };
  }

  const markPaid = ({ tenantId, transactionId, paymentId }: Paid) => {
    const payment = { transactionId, paymentId, paidAt: clock.now() };
    return insist(() => clients.wallet.markTransactionPaid(payment, on(tenantId)));
  };

  return {
    ...clients,
    db: database.db,
    store,
    told: neighbours.told,
    people: neighbours.people,
    plugins: neighbours.plugins,
    partner,
    pluginOwner,
    events,
    clock,
    find,
    balance,
    create,
    debit,
    markPaid,
    callbacks,
    network,
    outbox: network.client(OutboxServiceDefinition, "remittance", service.port, "operator"),
    /** As identity tells how something that remittance asked for was decided. */
    decide: (tenantId: string, approval: WirePartial<Approval>, payload: object) =>
      decideAsForeseen(
        outcomes,
        { approval: { kind: "REFUND", service: "remittance", ...approval }, payloadJson: JSON.stringify(payload) },
        on(tenantId),
      ),
    outboxAs: (as: "gateway") => network.client(OutboxServiceDefinition, "remittance", service.port, as),
    books: ledger.books,
    beneficiary,
    /**
     * An empty wallet of c2, as the wallet service makes it, and an order of ada's that is
     * delivered into it.
     */
    async recipientWallet(tenantId: string, currency = "NGN") {
      const accountNumber = String(1_000_000_000 + Math.floor(Math.random() * 1_000_000_000));
      const accountId = await ledger.openEmptyWallet(tenantId, currency, {
        ownerId: "c2",
        metadata: { accountNumber },
      });
      const creditParty = [{ key: "walletaccountno", value: accountNumber }];
      const code = `B-${accountId.slice(2, 10)}`;
      const deliveryMethods = ["DELIVERY_METHOD_WALLET" as const];
      const recipient = { ...beneficiary, idempotencyKey: code, code, deliveryMethods, creditParty };
      await insist(() => clients.operator.createBeneficiary(recipient, on(tenantId)));
      const part = { type: "DELIVERY_METHOD_WALLET" as const, recipientCustomerCode: code, creditParty };
      return { accountId, accountNumber, part };
    },
    spend: ledger.spend,
    closeWallet: ledger.closeWallet,
    trialBalance: ledger.trialBalance,
    money: ledger.money,
    /** Of a tenant with a corridor, a rate and a beneficiary. */
    async tenant(id?: string): Promise<string> {
      const tenantId = await insist(() => openTenant(clients, id));
      const more = ["DELIVERY_METHOD_CASH_PICKUP", "DELIVERY_METHOD_WALLET"] as const;
      const deliveryMethods = [...corridor.deliveryMethods, ...more];
      const put = () => clients.operator.putCorridor({ corridor: { ...corridor, deliveryMethods } }, on(tenantId));
      await insist(put);
      return tenantId;
    },
    /** As paid, for cash in a till. */
    async sold(
      tenantId: string,
      rule?: Omit<Rule, "reference" | "account">,
      part: WirePartial<CreateTransactionRequest> = {},
    ) {
      const transactionId = await create(tenantId, part);
      if (rule !== undefined) await partner.force({ ...rule, reference: transactionId });
      const made = await debit(tenantId, transactionId, "till-1");
      await markPaid(made);
      return made;
    },
    /** A transaction, paid for. Rules by reference are forced before the partner hears of it. */
    async paid(
      tenantId: string,
      rule?: Omit<Rule, "reference" | "account">,
      part: WirePartial<CreateTransactionRequest> = {},
    ) {
      const transactionId = await create(tenantId, part);
      if (rule !== undefined) await partner.force({ ...rule, reference: transactionId });
      const made = await debit(tenantId, transactionId);
      await markPaid(made);
      return made;
    },
    until: (
      { tenantId, transactionId }: Paid | { tenantId: string; transactionId: string },
      status: TransactionStatus,
    ) =>
      waitFor(
        async () => {
          const now = await find(tenantId, transactionId);
          return now.status === status ? now : undefined;
        },
        { timeoutMs: 60_000, everyMs: 30, what: `${transactionId} to be ${status}` },
      ),
    openRows: (tenantId: string) =>
      database.db.collection("outbox").countDocuments({ tenantId, state: { $in: ["DUE", "PARKED"] } }),
    cancel: ({ tenantId, transactionId }: { tenantId: string; transactionId: string }, key: string = randomUUID()) =>
      clients.gateway.cancelTransaction({ transactionId, idempotencyKey: key, reason: "" }, on(tenantId, ada)),
    /** As the partner would call back, whatever is true. */
    callback: (paid: Paid, status: string) =>
      clients.gateway.receivePayoutCallback(signedCallback(paid, status), on(paid.tenantId)),
    force: partner.force,
    unforce: partner.unforce,
    sendBack: partner.sendBack,
    atPartner: partner.atPartner,
    statement: partner.statement,
    forgetAtPartner: partner.forgetAtPartner,
    /** As a sandbox's manager forces them, by the gateway. */
    sandbox: {
      outcomes: network.client(OutcomesServiceDefinition, "remittance", service.port, "gateway"),
      payouts: network.client(PayoutsServiceDefinition, "remittance", service.port, "gateway"),
    },
    async restart(changed: { PARTNER_CALLBACK_BASE_URL?: string } = {}) {
      await service.stop();
      Object.assign(config, changed);
      service = await start();
    },
    losePartnersBooks: partner.loseBooks,
    stopPartner: partner.stopPartner,
    startPartner: partner.startPartner,
    /** Moves business time on. */
    pass: (ms: number) => void (offsetMs += ms),
    async reset() {
      offsetMs = 0;
      neighbours.reset();
      callbacks.lose(false);
      await partner.unforce();
    },
    async close() {
      await service.stop();
      await ledger.stop();
      await partner.stopPartner();
      await callbacks.stop();
      await network.close();
      await Promise.all([database.close(), ledgerDatabase.close()]);
      await partner.removeBooks();
    },
  };
}
