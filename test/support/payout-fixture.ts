import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { DatabaseSync } from "node:sqlite";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ComplianceServiceDefinition, Decision } from "../../proto/gen/compliance/v1/compliance.js";
import { ApprovalOutcomeServiceDefinition, type Approval } from "../../proto/gen/identity/v1/approvals.js";
import { IdentityServiceDefinition } from "../../proto/gen/identity/v1/identity.js";
import { AccountFlag, LedgerServiceDefinition, TransferMode } from "../../proto/gen/ledger/v1/ledger.js";
import { OutboxServiceDefinition } from "../../proto/gen/operations/v1/outbox.js";
import {
  RemittanceServiceDefinition,
  type CreateTransactionRequest,
} from "../../proto/gen/remittance/v1/remittance.js";
import { WalletServiceDefinition, type MarkPaymentRefundedRequest } from "../../proto/gen/wallet/v1/wallet.js";
import type { Rule } from "../../deploy/partner/behaviours.js";
import { signCallback } from "../../deploy/partner/callbacks.js";
import { startPartner } from "../../deploy/partner/server.js";
import { verdictOn, type CustomerStatus } from "../../services/compliance/domain/moves.js";
import { moveFromWire, verdictToWire } from "../../services/compliance/wire/moves.js";
import { ledgerEnv } from "../../services/ledger/config.js";
import { startLedger } from "../../services/ledger/server.js";
import { remittanceEnv } from "../../services/remittance/config.js";
import { startRemittance, type RemittanceServerDeps } from "../../services/remittance/server.js";
import { createRemittanceStore } from "../../services/remittance/store/index.js";
import type { Transaction, TransactionStatus } from "../../services/remittance/domain/transaction.js";
import type { WirePartial } from "../../services/shared/grpc/definition.js";
import { Refusal } from "../../services/shared/refusal.js";
import { takeBackDelivery } from "../../services/wallet/handlers/take-back-delivery.js";
import { testDatabase, testRedisUrl, waitFor } from "./index.js";
import { ada, beneficiary, corridor, identityHandlers, on, openTenant, order } from "./remittance-fixture.js";
import { createServiceNetwork, statedUsers } from "./service-network.js";

export const partnerKey = "key-of-the-test-partner";
export const callbackSecret = `whsec_${Buffer.from("a secret of the payout tests").toString("base64")}`;

/** A paid transaction and the wallet that paid it. */
export interface Paid {
  tenantId: string;
  transactionId: string;
  walletId: string;
  paymentId: string;
}

export type PayoutWorld = Awaited<ReturnType<typeof createPayoutWorld>>;

const openingBalance = 1_000_000_00n;

/**
 * Remittance, ledger and the sandbox partner for real, over MongoDB, gRPC and HTTP, with stand-ins for identity, compliance and wallet. The
 * partner's callbacks go through a server that can lose them.
 */
export async function createPayoutWorld(
  name: string,
  env: Record<string, string> = {},
  deps: RemittanceServerDeps = {},
) {
  const network = await createServiceNetwork();
  const [database, ledgerDatabase] = await Promise.all([testDatabase(`rem_${name}`), testDatabase(`led_${name}`)]);
  const folder = await mkdtemp(join(tmpdir(), "payouts-"));
  let offsetMs = 0;
  const clock = { now: () => new Date(Date.now() + offsetMs) };

  /** What the stand-ins saw, and how they answer. */
  const told = {
    confirmed: [] as string[],
    released: [] as string[],
    givenBack: [] as string[],
    refunded: [] as MarkPaymentRefundedRequest[],
    walletIsAway: false,
    decision: Decision.DECISION_APPROVED as Decision,
    /** CONFIRMED where absent. */
    statuses: new Map<string, CustomerStatus>(),
  };
  const people = { preference: {}, asked: [] as never[] };
  const identity = await network.standIn("identity", IdentityServiceDefinition, identityHandlers(people));
  const compliance = await network.standIn("compliance", ComplianceServiceDefinition, {
    checkTransaction: async () => ({ decision: told.decision, policyVersion: 1 }),
    checkBatchedTransactions: async ({ checks }) => ({
      answers: checks.map(() => ({ response: { decision: told.decision, policyVersion: 1 } })),
    }),
    confirmReservation: async ({ transactionId }) => (told.confirmed.push(transactionId), {}),
    releaseReservation: async ({ transactionId }) => (told.released.push(transactionId), {}),
    giveBackReservation: async ({ transactionId }) => (told.givenBack.push(transactionId), {}),
    checkMoves: async ({ moves }) => ({
      answers: moves.map(({ customerId, kind }) => {
        const verdict = verdictOn(moveFromWire(kind, "kind"), told.statuses.get(customerId) ?? "CONFIRMED");
        return { verdict: verdictToWire(verdict), reasonCode: "" };
      }),
    }),
  });
  const wallet = await network.standIn("wallet", WalletServiceDefinition, {
    async markPaymentRefunded(request) {
      if (told.walletIsAway) throw new Refusal("UNAVAILABLE", "away");
      told.refunded.push(request);
      return {};
    },
    async takeBackDelivery(request, call) {
      if (told.walletIsAway) throw new Refusal("UNAVAILABLE", "away");
      const anyWallet = { forTenant: () => ({ findAccount: async () => ({}) }) } as never;
      return takeBackDelivery({ store: anyWallet, ledger: books })(request, call);
    },
  });
  const ledger = await startLedger(
    ledgerEnv.parse({
      ...serverEnv(ledgerDatabase),
      IDENTITY_ADDRESS: identity,
      LEASE_TTL_MS: "1000",
      EXPIRY_SWEEP_MS: "100",
    }),
    { keys: network.keysOf("ledger"), log: network.log, verifyUserToken: statedUsers },
  );

  const callbacks = await startCallbackServer();
  const partnerConfig = {
    host: "127.0.0.1",
    port: 0,
    booksFile: join(folder, "books.db"),
    apiKey: partnerKey,
    callbackSecret,
    settleMs: 20,
    windowMs: 1_000,
  };
  let partner = await startPartner(partnerConfig);
  partnerConfig.port = partner.port;
  const partnerUrl = `http://127.0.0.1:${partner.port}`;

  const config = remittanceEnv.parse({
    ...serverEnv(database),
    IDENTITY_ADDRESS: identity,
    COMPLIANCE_ADDRESS: compliance,
    LEDGER_ADDRESS: `127.0.0.1:${ledger.port}`,
    WALLET_ADDRESS: wallet,
    PARTNER_URL: partnerUrl,
    PARTNER_API_KEY: partnerKey,
    PARTNER_CALLBACK_SECRET: callbackSecret,
    PARTNER_CALLBACK_BASE_URL: callbacks.url,
    PARTNER_TIMEOUT_MS: "400",
    PAYOUT_BATCH_S: "1",
    PARTNER_STATEMENT_EVERY_S: "1",
    ...env,
  });
  const service = await startRemittance(config, {
    log: network.log,
    clock,
    keys: network.keysOf("remittance"),
    verifyUserToken: statedUsers,
    pollMs: 50,
    expiryEveryMs: 50,
    ...deps,
  });
  const client = (as: "operator" | "gateway" | "wallet" | "compliance") =>
    network.client(RemittanceServiceDefinition, "remittance", service.port, as);
  const clients = {
    operator: client("operator"),
    gateway: client("gateway"),
    wallet: client("wallet"),
    compliance: client("compliance"),
  };
  const outcomes = network.client(ApprovalOutcomeServiceDefinition, "remittance", service.port, "identity");
  callbacks.deliverTo(clients.gateway);
  const books = network.client(LedgerServiceDefinition, "ledger", ledger.port, "wallet");
  const store = createRemittanceStore(database.db);

  const find = async (tenantId: string, transactionId: string): Promise<Transaction> =>
    (await store.forTenant(tenantId).findTransaction(transactionId))!;

  /** Credits minus debits, minor units; 0 where there is no such account. */
  async function balance(tenantId: string, accountId: string): Promise<bigint> {
    const { accounts } = await books.getAccounts({ accountIds: [accountId] }, on(tenantId));
    return (accounts[0]?.creditsPostedMinor ?? 0n) - (accounts[0]?.debitsPostedMinor ?? 0n);
  }

  async function openWallet(tenantId: string, currency: string): Promise<string> {
    const walletId = `w-${randomUUID()}`;
    const bank = { accountId: `bank_settlement:${currency}`, code: "bank_settlement", currency, name: "Bank" };
    const flags = [AccountFlag.ACCOUNT_FLAG_DEBITS_MUST_NOT_EXCEED_CREDITS];
    const account = { accountId: walletId, code: "customer_wallet", currency, name: "Wallet", ownerId: "c1", flags };
    await insist(() => books.createAccounts({ accounts: [bank, account] }, on(tenantId)));
    await post(tenantId, [move(`deposit:${walletId}`, bank.accountId, walletId, openingBalance, currency, "deposit")]);
    return walletId;
  }

  async function post(tenantId: string, transfers: ReturnType<typeof move>[]): Promise<void> {
    const request = { groups: [{ transfers }], createdBy: "u1" };
    const { results } = await insist(() => books.postTransfers(request, on(tenantId)));
    if (results[0]?.posted === undefined) throw new Error(`not posted: ${JSON.stringify(results[0]?.refused?.code)}`);
  }

  async function create(tenantId: string, part: WirePartial<CreateTransactionRequest> = {}): Promise<string> {
    const asked = order(part);
    const made = await insist(() => clients.gateway.createTransaction(asked, on(tenantId, ada)));
    return made.transaction!.transactionId;
  }

  /** Claims and debits as the wallet does, without telling remittance yet. */
  async function debit(tenantId: string, transactionId: string): Promise<Paid> {
    const paymentId = randomUUID();
    const { price } = await find(tenantId, transactionId);
    const { currency, minor: amountMinor } = price.total;
    const ask = { transactionId, paymentId, customerId: "c1", totalAmount: { amountMinor, currency } };
    const due = await insist(() => clients.wallet.claimTransaction(ask, on(tenantId, ada)));
    const walletId = await openWallet(tenantId, currency);
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
    await post(tenantId, transfers);
    return { tenantId, transactionId, walletId, paymentId };
  }

  const markPaid = ({ tenantId, transactionId, paymentId }: Paid) => {
    const news = { transactionId, paymentId, paidAt: clock.now() };
    return insist(() => clients.wallet.markTransactionPaid(news, on(tenantId)));
  };

  async function control(method: string, path: string, body?: object): Promise<void> {
    const init = { method, ...(body && { body: JSON.stringify(body) }) };
    const response = await fetch(`${partnerUrl}/control/${path}`, init);
    if (!response.ok) throw new Error(`the partner's control answered ${response.status}`);
  }

  return {
    ...clients,
    db: database.db,
    store,
    told,
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
      outcomes.decideApproval(
        { approval: { kind: "REFUND", service: "remittance", ...approval }, payloadJson: JSON.stringify(payload) },
        on(tenantId),
      ),
    outboxAs: (as: "gateway") => network.client(OutboxServiceDefinition, "remittance", service.port, as),
    books,
    beneficiary,
    /** An empty wallet of c2, as the wallet service makes it, and an order of ada's that is delivered into it. */
    async recipientWallet(tenantId: string, currency = "NGN") {
      const accountId = `w-${randomUUID()}`;
      const accountNumber = String(1_000_000_000 + Math.floor(Math.random() * 1_000_000_000));
      const flags = [AccountFlag.ACCOUNT_FLAG_DEBITS_MUST_NOT_EXCEED_CREDITS];
      const content = { code: "customer_wallet", currency, name: "Wallet", ownerId: "c2", metadata: { accountNumber } };
      const bank = { accountId: `bank_settlement:${currency}`, code: "bank_settlement", currency, name: "Bank" };
      await insist(() => books.createAccounts({ accounts: [bank, { accountId, flags, ...content }] }, on(tenantId)));
      const creditParty = [{ key: "walletaccountno", value: accountNumber }];
      const code = `B-${accountId.slice(2, 10)}`;
      const deliveryMethods = ["DELIVERY_METHOD_WALLET" as const];
      const recipient = { ...beneficiary, idempotencyKey: code, code, deliveryMethods, creditParty };
      await insist(() => clients.operator.createBeneficiary(recipient, on(tenantId)));
      const part = { type: "DELIVERY_METHOD_WALLET" as const, recipientCustomerCode: code, creditParty };
      return { accountId, accountNumber, part };
    },
    /** The recipient spends some of it. */
    spend: (tenantId: string, walletId: string, amountMinor: bigint) =>
      post(tenantId, [
        move(`spent:${randomUUID()}`, walletId, "bank_settlement:NGN", amountMinor, "NGN", "withdrawal"),
      ]),
    closeWallet: (tenantId: string, accountId: string) => books.closeAccount({ accountId }, on(tenantId)),
    /** Debits and credits of each currency. */
    async trialBalance(tenantId: string) {
      const { lines } = await books.getTrialBalance({}, on(tenantId));
      const byCurrency = Map.groupBy(lines, ({ currency }) => currency);
      return {
        lines: [...byCurrency].map(([currency, all]) => ({
          currency,
          debits: all.reduce((sum, { debitsMinor }) => sum + BigInt(debitsMinor), 0n),
          credits: all.reduce((sum, { creditsMinor }) => sum + BigInt(creditsMinor), 0n),
        })),
      };
    },
    /** Takes a payout out of the partner's books; returns what puts it back. */
    async forgetAtPartner({ tenantId, transactionId }: Paid) {
      const file = new DatabaseSync(partnerConfig.booksFile, { timeout: 5_000 });
      const at = [tenantId, transactionId] as const;
      const [row] = file.prepare("SELECT * FROM payouts WHERE account = ? AND reference = ?").all(...at);
      file.prepare("DELETE FROM payouts WHERE account = ? AND reference = ?").run(...at);
      return async (status: string) => {
        const names = Object.keys(row!);
        const marks = names.map(() => "?").join(", ");
        const values = Object.values({ ...row, status }) as (string | number)[];
        file.prepare(`INSERT INTO payouts (${names.join(", ")}) VALUES (${marks})`).run(...values);
        file.close();
      };
    },
    /** Of a tenant with a corridor, a rate and a beneficiary. */
    async tenant(): Promise<string> {
      const tenantId = await insist(() => openTenant(clients));
      const more = ["DELIVERY_METHOD_CASH_PICKUP", "DELIVERY_METHOD_WALLET"] as const;
      const deliveryMethods = [...corridor.deliveryMethods, ...more];
      const put = () => clients.operator.putCorridor({ corridor: { ...corridor, deliveryMethods } }, on(tenantId));
      await insist(put);
      return tenantId;
    },
    /** A transaction, paid for. Rules by reference are forced before the partner hears of it. */
    async paid(
      tenantId: string,
      rule?: Omit<Rule, "reference" | "account">,
      part: WirePartial<CreateTransactionRequest> = {},
    ) {
      const transactionId = await create(tenantId, part);
      if (rule !== undefined) await control("POST", "rules", { ...rule, reference: transactionId });
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
    /** Money of the transaction that is nowhere final; what the wallet is short of; what the partner is owed. */
    async money({ tenantId, walletId }: Paid) {
      return {
        clearing: await balance(tenantId, "remittance_clearing:USD"),
        short: openingBalance - (await balance(tenantId, walletId)),
        partner: await balance(tenantId, "partner_settlement:NGN"),
        fees: await balance(tenantId, "fee_income:USD"),
        taxes: await balance(tenantId, "tax_payable:USD"),
        charges: await balance(tenantId, "bank_charges:USD"),
      };
    },
    openRows: (tenantId: string) =>
      database.db.collection("outbox").countDocuments({ tenantId, state: { $in: ["DUE", "PARKED"] } }),
    cancel: ({ tenantId, transactionId }: { tenantId: string; transactionId: string }, key: string = randomUUID()) =>
      clients.gateway.cancelTransaction({ transactionId, idempotencyKey: key, reason: "" }, on(tenantId, ada)),
    /** As the partner would call back, whatever is true. */
    callback({ tenantId, transactionId }: Paid, status: string) {
      const body = JSON.stringify({ account: tenantId, payout: { reference: transactionId, status } });
      const [id, timestampS] = [randomUUID(), Math.floor(Date.now() / 1_000)];
      return clients.gateway.receivePayoutCallback(
        {
          webhookId: id,
          webhookTimestamp: String(timestampS),
          webhookSignature: signCallback(callbackSecret, id, timestampS, body)["webhook-signature"]!,
          body: Buffer.from(body),
        },
        on(tenantId),
      );
    },
    force: (rule: Rule) => control("POST", "rules", rule),
    unforce: () => control("DELETE", "rules"),
    sendBack: ({ tenantId, transactionId }: Paid, kept: string) =>
      control("POST", `payouts/${tenantId}/${transactionId}/return`, { kept }),
    /** What the partner says of a reference. */
    async atPartner({ tenantId, transactionId }: { tenantId: string; transactionId: string }): Promise<string> {
      const headers = { authorization: `Bearer ${partnerKey}`, "x-account": tenantId };
      const response = await fetch(`${partnerUrl}/v1/payouts/${transactionId}`, { headers });
      return ((await response.json()) as { status?: string }).status ?? String(response.status);
    },
    async statement(tenantId: string): Promise<{ reference: string; kind: string; amount: string }[]> {
      const headers = { authorization: `Bearer ${partnerKey}`, "x-account": tenantId };
      const response = await fetch(`${partnerUrl}/v1/statement`, { headers });
      return ((await response.json()) as { lines: { reference: string; kind: string; amount: string }[] }).lines;
    },
    stopPartner: () => partner.stop(),
    async startPartner() {
      partner = await startPartner(partnerConfig);
    },
    /** Moves business time on. */
    pass: (ms: number) => void (offsetMs += ms),
    async reset() {
      offsetMs = 0;
      Object.assign(told, { walletIsAway: false, decision: Decision.DECISION_APPROVED, statuses: new Map() });
      callbacks.lose(false);
      await control("DELETE", "rules");
    },
    async close() {
      await service.stop();
      await ledger.stop();
      await partner.stop();
      await callbacks.stop();
      await network.close();
      await Promise.all([database.close(), ledgerDatabase.close()]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** As a caller that asks again with the same keys while a busy machine has not answered. */
async function insist<T>(ask: () => Promise<T>): Promise<T> {
  const again = ["DEADLINE_EXCEEDED", "UNAVAILABLE", "IDEMPOTENCY_IN_FLIGHT", "OVERLOADED"];
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof Refusal) || !again.includes(error.code) || attempt === 20) throw error;
      await sleep(200);
    }
  }
}

function serverEnv({ uri, database }: { uri: string; database: string }) {
  return {
    NODE_ENV: "test",
    LOG_LEVEL: "silent",
    PORT: "0",
    MONGODB_URI: uri,
    MONGODB_DATABASE: database,
    REDIS_URL: testRedisUrl(),
    SERVICE_KEY_FILE: "given",
    SERVICE_JWKS_FILE: "given",
  };
}

function move(key: string, from: string, to: string, amountMinor: bigint, currency: string, kind: string) {
  const mode = TransferMode.TRANSFER_MODE_POSTED;
  return { key, debitAccountId: from, creditAccountId: to, amount: { amountMinor, currency }, kind, mode };
}

interface Receiver {
  receivePayoutCallback(
    request: { webhookId: string; webhookTimestamp: string; webhookSignature: string; body: Uint8Array },
    options: ReturnType<typeof on>,
  ): Promise<unknown>;
}

/** Stands where the gateway takes callbacks in; it can lose them. */
async function startCallbackServer() {
  let receiver: Receiver | undefined;
  let isLosing = false;
  let taken = 0;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const header = (name: string) => String(request.headers[name] ?? "");
      const tenantId = (request.url ?? "").split("/").at(-1) ?? "";
      const callback = {
        webhookId: header("webhook-id"),
        webhookTimestamp: header("webhook-timestamp"),
        webhookSignature: header("webhook-signature"),
        body: Buffer.concat(chunks),
      };
      const done =
        isLosing || receiver === undefined ? undefined : receiver.receivePayoutCallback(callback, on(tenantId));
      Promise.resolve(done).then(
        () => {
          if (!isLosing) taken += 1;
          response.writeHead(204).end();
        },
        () => response.writeHead(500).end(),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    deliverTo: (to: Receiver) => void (receiver = to),
    lose: (losing: boolean) => void (isLosing = losing),
    taken: () => taken,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
