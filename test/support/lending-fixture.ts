import { randomUUID } from "node:crypto";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  ComplianceServiceDefinition,
  type Decision,
  type MoveVerdict,
} from "../../proto/gen/compliance/v1/compliance.js";
import { ApprovalOutcomeServiceDefinition, type Approval } from "../../proto/gen/identity/v1/approvals.js";
import { IdentityServiceDefinition } from "../../proto/gen/identity/v1/identity.js";
import { LedgerServiceDefinition } from "../../proto/gen/ledger/v1/ledger.js";
import { LendingServiceDefinition, type ReconcileLoansResponse } from "../../proto/gen/lending/v1/lending.js";
import type { Loan } from "../../proto/gen/lending/v1/loan.js";
import type { LoanProduct } from "../../proto/gen/lending/v1/product.js";
import { WalletServiceDefinition } from "../../proto/gen/wallet/v1/wallet.js";
import { startPartner } from "../../deploy/partner/server.js";
import { ledgerEnv } from "../../services/ledger/config.js";
import { startLedger } from "../../services/ledger/server.js";
import { lendingEnv } from "../../services/lending/config.js";
import { startLending, type LendingServerDeps } from "../../services/lending/server.js";
import { outgoing, type Client } from "../../services/shared/grpc/client.js";
import type { Role } from "../../services/shared/grpc/context.js";
import type { WirePartial } from "../../services/shared/grpc/definition.js";
import { Refusal } from "../../services/shared/refusal.js";
import { testDatabase, testRedisUrl, testTenant } from "./index.js";
import { createEraser } from "./erasure.js";
import { createServiceNetwork, stateUser, statedUsers } from "./service-network.js";

const apiKey = "test-key-of-the-sandbox";

export interface LendingPerson {
  tenantId: string;
  userId: string;
  customerId: string;
  token: string;
}

export type LendingFixture = Awaited<ReturnType<typeof createLendingFixture>>;

/** A plain product: 30/360, declining, equal instalments, no fees, a penalty after 5 days. */
export const plainProduct: WirePartial<LoanProduct> = {
  productId: "personal",
  name: "Personal loan",
  currency: "USD",
  minimumAmount: "10",
  maximumAmount: "1000000",
  minimumInstalments: 1,
  maximumInstalments: 360,
  frequency: "MONTH",
  annualRate: "12",
  interestMethod: "DECLINING",
  amortisation: "EQUAL_INSTALMENTS",
  dayCount: "THIRTY_360",
  penaltyGraceDays: 5,
  penalty: "10",
  approvedAtOnce: true,
};

/**
 * Lending on real MongoDB, Redis and gRPC, on a real ledger and the sandbox's bank, between stand-ins of identity, compliance and wallet. The
 * wallet posts to the real ledger, so that every test can compare the books.
 */
export async function createLendingFixture(name: string, given: Partial<LendingServerDeps> = {}) {
  const network = await createServiceNetwork();
  const [lendingDb, ledgerDb] = await Promise.all([testDatabase(name), testDatabase(`${name}_l`)]);
  const common = {
    NODE_ENV: "test",
    LOG_LEVEL: "silent",
    MONGODB_URI: lendingDb.uri,
    REDIS_URL: testRedisUrl(),
    SERVICE_KEY_FILE: "given",
    SERVICE_JWKS_FILE: "given",
  };
  const partner = await startPartner({
    host: "127.0.0.1",
    port: 0,
    apiKey,
    callbackSecret: `whsec_${Buffer.from("a secret of the sandbox").toString("base64")}`,
    settleMs: 20,
    windowMs: 1_000,
    booksFile: join(mkdtempSync(join(tmpdir(), "lending-bank-")), "books.db"),
  });
  const ledger = await startLedger(
    ledgerEnv.parse({ ...common, PORT: "0", MONGODB_DATABASE: ledgerDb.database, IDENTITY_ADDRESS: "127.0.0.1:1" }),
    { keys: network.keysOf("ledger"), log: network.log, verifyUserToken: statedUsers },
  );
  const ledgerAs = (as: "wallet" | "operator") => network.client(LedgerServiceDefinition, "ledger", ledger.port, as);
  const [walletLedger, readLedger] = [ledgerAs("wallet"), ledgerAs("operator")];

  const customers = new Map<string, LendingPerson>();
  const wallets = new Map<string, { tenantId: string; customerId: string; currency: string; status: string }>();
  const bankAccounts = new Map<string, { tenantId: string; customerId: string; currency: string; status: string }>();
  const today = new Map<string, string>();
  const approvals = new Map<string, { approval: Approval; payloadJson: string; tenantId: string }>();
  const ceilings = new Map<string, { amountMinor: bigint; currency: string }[]>();
  const state = {
    decision: "DECISION_APPROVED" as Decision,
    /** What the customers' statuses let money that goes to them do. */
    moves: "MOVE_VERDICT_PASS" as MoveVerdict,
    movesReason: "",
    pin: "",
    debitFault: "" as "" | "before" | "after",
  };

  const identityAddress = await network.standIn("identity", IdentityServiceDefinition, {
    async getCustomer({ customerId = "", userId = "" }, { tenantId }) {
      const found = customers.get(customerId) ?? [...customers.values()].find((person) => person.userId === userId);
      if (found?.tenantId !== tenantId) throw new Refusal("CUSTOMER_NOT_FOUND", "no such customer");
      const names = { firstName: "Amina", lastName: "Bello", email: "amina@test.example", agentId: "" };
      return { customer: { customerId: found.customerId, userId: found.userId, ...names } };
    },
    getOrganisationPreference: async (_request, { tenantId }) => ({
      tenant: { tenantId, preference: { agentScope: "MANAGED", amountCeilings: ceilings.get(tenantId) ?? [] } },
    }),
    async getTenantClock(_request, { tenantId }) {
      const date = today.get(tenantId) ?? "2026-11-21";
      const offsetMs = BigInt(Temporal.Instant.from(`${date}T12:00:00Z`).epochMilliseconds - Date.now());
      return { clock: { businessDate: date, timeZone: "UTC", offsetMs, sandbox: true } };
    },
    async verifyCredentials({ pin }) {
      if (state.pin !== "" && pin === "") throw new Refusal("PIN_REQUIRED", "the PIN is required");
      if (state.pin !== "" && pin !== state.pin) throw new Refusal("PIN_WRONG", "the PIN is wrong");
      return {};
    },
    async askApproval(request, call) {
      const known = [...approvals.values()].find(
        ({ approval }) => approval.subject === request.subject && approval.askedBecause === request.reason,
      );
      if (known !== undefined) return { approval: known.approval };
      const { kind, subject, summary, reason, amount } = request;
      const asked = {
        approvalId: randomUUID(),
        kind,
        subject,
        summary,
        amount,
        status: "PENDING",
        askedBy: call.user?.userId ?? "",
        askedBecause: reason,
      };
      const approval: Approval = {
        ...asked,
        askedAt: new Date(),
        expiresAt: new Date(),
        decidedBy: "",
        decidedBecause: "",
        decidedAt: undefined,
        service: "lending",
      };
      approvals.set(approval.approvalId, { approval, payloadJson: request.payloadJson, tenantId: call.tenantId });
      return { approval };
    },
  });
  const complianceAddress = await network.standIn("compliance", ComplianceServiceDefinition, {
    checkCustomerAction: async () => ({ decision: state.decision }),
    checkMoves: async ({ moves }) => ({
      answers: moves.map(() => ({ verdict: state.moves, reasonCode: state.movesReason })),
    }),
  });
  const walletHandlers = {
    async getWalletAccount({ accountId }: { accountId: string }, { tenantId }: { tenantId: string }) {
      const found = wallets.get(accountId);
      if (found?.tenantId !== tenantId) throw new Refusal("NOT_FOUND", "no such wallet");
      return { account: { accountId, ...found } };
    },
    async listWalletAccounts({ customerId }: { customerId: string }, { tenantId }: { tenantId: string }) {
      const mine = [...wallets].filter(
        ([, wallet]) => wallet.tenantId === tenantId && wallet.customerId === customerId,
      );
      return {
        accounts: mine.map(([accountId, { currency, status }]) => ({ accountId, customerId, currency, status })),
      };
    },
    async getBankAccount(
      { bankAccountId, customerId }: { bankAccountId: string; customerId: string },
      { tenantId }: { tenantId: string },
    ) {
      const found = bankAccounts.get(bankAccountId);
      if (found?.tenantId !== tenantId || found.customerId !== customerId)
        throw new Refusal("NOT_FOUND", "no such bank account");
      const { currency, status } = found;
      const named = { bankCode: "044", accountNumber: "0123456789", accountHolderName: "Amina Bello" };
      return { account: { bankAccountId, customerId, currency, status, ...named } };
    },
    async debitWallet(
      request: {
        idempotencyKey: string;
        accountId: string;
        legs: { creditAccountId: string; amountMinor: bigint; kind: string }[];
        effectiveAt?: Date;
      },
      call: { tenantId: string; interactionId: string },
    ) {
      if (state.debitFault === "before") throw new Refusal("UNAVAILABLE", "the wallet is away");
      const currency = wallets.get(request.accountId)?.currency ?? "";
      const transfers = request.legs.map((leg, index) => ({
        key: `wallet-debit:lending:${request.idempotencyKey}:${index + 1}`,
        debitAccountId: request.accountId,
        creditAccountId: leg.creditAccountId,
        amount: { amountMinor: leg.amountMinor, currency },
        kind: leg.kind,
        mode: "TRANSFER_MODE_POSTED" as const,
        ...(request.effectiveAt === undefined ? {} : { effectiveAt: request.effectiveAt }),
      }));
      const { results } = await walletLedger.postTransfers(
        { groups: [{ transfers }], createdBy: "wallet" },
        outgoing(call),
      );
      if (results[0]?.refused !== undefined) throw new Refusal("INSUFFICIENT_FUNDS", "the wallet's balance is too low");
      if (state.debitFault === "after") throw new Refusal("UNAVAILABLE", "the answer was lost");
      return { newBalanceMinor: 0n, postedAt: new Date() };
    },
  };
  const walletAddress = await network.standIn("wallet", WalletServiceDefinition, walletHandlers as never);

  let armed: string | undefined;
  const start = (more: Partial<LendingServerDeps> = {}) =>
    startLending(
      lendingEnv.parse({
        ...common,
        HOST: "127.0.0.1",
        PORT: "0",
        MONGODB_DATABASE: lendingDb.database,
        IDENTITY_ADDRESS: identityAddress,
        COMPLIANCE_ADDRESS: complianceAddress,
        WALLET_ADDRESS: walletAddress,
        LEDGER_ADDRESS: `127.0.0.1:${ledger.port}`,
        PARTNER_URL: `http://127.0.0.1:${partner.port}`,
        PARTNER_API_KEY: apiKey,
        BANK_TIMEOUT_MS: "500",
      }),
      {
        log: network.log,
        keys: network.keysOf("lending"),
        verifyUserToken: statedUsers,
        recoverAfterMs: 60_000,
        relayPollMs: 50,
        everyMs: 0,
        crashPoint(point) {
          if (point !== armed) return;
          armed = undefined;
          throw new Error(`crashed at ${point}`);
        },
        ...given,
        ...more,
      },
    );
  const service = await start();
  const clientOf = (as: "gateway" | "operator"): Client<LendingServiceDefinition> =>
    network.client(LendingServiceDefinition, "lending", service.port, as);
  const [gateway, operator] = [clientOf("gateway"), clientOf("operator")];
  const outcomes = network.client(ApprovalOutcomeServiceDefinition, "lending", service.port, "identity");
  const calls = (person: { tenantId: string; token?: string }) =>
    outgoing({
      tenantId: person.tenantId,
      interactionId: randomUUID(),
      ...(person.token === undefined ? {} : { userToken: person.token }),
    });

  const fixture = {
    network,
    service,
    start,
    lendingDb,
    erase: createEraser(network, "lending", service.port),
    gateway,
    operator,
    calls,
    state,
    ceilings,
    approvals,
    customers,
    wallets,

    /** The service is thrown out of the work's hands, once, where this point is. */
    crashAt(point: string): void {
      armed = point;
    },
    crashedAt: (point: string): boolean => armed !== point,

    person(tenantId = `${testTenant()}--sandbox`, role: Role = "CUSTOMER"): LendingPerson {
      const [userId, customerId] = [randomUUID(), randomUUID()];
      const token = stateUser({ tenantId, role, userId, ...(role === "CUSTOMER" ? { customerId } : {}) });
      const person = { tenantId, userId, customerId, token };
      if (role === "CUSTOMER") customers.set(customerId, person);
      return person;
    },
    setToday(tenantId: string, date: string): void {
      today.set(tenantId, date);
    },
    /** Business time is asked of identity once a second. */
    async moveTo(tenantId: string, date: string): Promise<void> {
      today.set(tenantId, date);
      await new Promise((resolve) => setTimeout(resolve, 1_050));
    },

    async wallet({ tenantId, customerId }: LendingPerson, currency: string, depositMinor: bigint): Promise<string> {
      const accountId = randomUUID();
      wallets.set(accountId, { tenantId, customerId, currency, status: "OPEN" });
      const bank = { accountId: `bank_settlement:${currency}`, code: "bank_settlement", currency, name: "Bank" };
      const flags = ["ACCOUNT_FLAG_DEBITS_MUST_NOT_EXCEED_CREDITS" as const];
      const wallet = { accountId, code: "customer_wallet", currency, name: "Wallet", ownerId: customerId, flags };
      await walletLedger.createAccounts({ accounts: [bank, wallet] }, calls({ tenantId }));
      if (depositMinor > 0n) {
        const amount = { amountMinor: depositMinor, currency };
        const deposit = {
          key: `deposit:${accountId}`,
          debitAccountId: bank.accountId,
          creditAccountId: accountId,
          amount,
          kind: "deposit",
          mode: "TRANSFER_MODE_POSTED" as const,
        };
        await walletLedger.postTransfers(
          { groups: [{ transfers: [deposit] }], createdBy: "test" },
          calls({ tenantId }),
        );
      }
      return accountId;
    },
    closeBankAccount(bankAccountId: string): void {
      const found = bankAccounts.get(bankAccountId);
      if (found !== undefined) bankAccounts.set(bankAccountId, { ...found, status: "REMOVED" });
    },
    bankAccount({ tenantId, customerId }: LendingPerson, currency = "USD", status = "VERIFIED"): string {
      const id = randomUUID();
      bankAccounts.set(id, { tenantId, customerId, currency, status });
      return id;
    },
    async product(tenantId: string, more: WirePartial<LoanProduct> = {}): Promise<void> {
      await operator.putLoanProduct({ product: { ...plainProduct, ...more } as LoanProduct }, calls({ tenantId }));
    },
    /** An active loan of 1,200 over 12 months from 1 September 2026, unless said otherwise. */
    async loan(
      person: LendingPerson,
      more: WirePartial<Parameters<typeof operator.importLoan>[0]> = {},
    ): Promise<Loan> {
      const request = {
        idempotencyKey: randomUUID(),
        customerId: person.customerId,
        productId: "personal",
        amount: "1200",
        instalments: 12,
        disbursedOn: "2026-11-01",
        loanApplicationId: randomUUID(),
        ...more,
      };
      const { loan } = await operator.importLoan(request as never, calls({ tenantId: person.tenantId }));
      if (loan === undefined) throw new Error("no loan");
      return loan;
    },
    repay(person: LendingPerson, accountId: string, repaymentAmount: string, more: object = {}) {
      const request = {
        idempotencyKey: randomUUID(),
        userId: person.userId,
        customerId: person.customerId,
        accountId,
        repaymentAmount,
        bankAccountId: "",
        ...more,
      };
      return gateway.repayLoan(request, calls(person));
    },
    async force(manager: LendingPerson, repaymentId: string, verify = true) {
      const request = { idempotencyKey: randomUUID(), repaymentId, verify, reason: "test" };
      return gateway.forceRepaymentOutcome(request, calls(manager));
    },
    async read(person: LendingPerson, loanApplicationId: string): Promise<Loan> {
      const { loan } = await gateway.getLoan({ loanApplicationId }, calls(person));
      if (loan === undefined) throw new Error("no loan");
      return loan;
    },
    /** The days that entries of an account count for, by the order in which they were posted. */
    async effectiveDays(tenantId: string, accountId: string): Promise<string[]> {
      const { entries } = await readLedger.listAccountEntries({ accountId, pageSize: 100 }, calls({ tenantId }));
      return entries.map(({ effectiveAt }) => effectiveAt?.toISOString().slice(0, 10) ?? "");
    },
    /** Identity tells of its approval, as its outbox does. */
    async approve(approvalId: string, status: "APPROVED" | "REFUSED" = "APPROVED"): Promise<void> {
      const asked = approvals.get(approvalId);
      if (asked === undefined) throw new Error("no such approval");
      const approval = {
        ...asked.approval,
        status,
        decidedBy: "another-manager",
        decidedBecause: "looked at it",
        decidedAt: new Date(),
      };
      await outcomes.decideApproval({ approval, payloadJson: asked.payloadJson }, calls({ tenantId: asked.tenantId }));
    },
    /** A bank transfer arrives at the tenant's bank. */
    async credit(tenantId: string, reference: string, amount: string, currency = "USD"): Promise<void> {
      const body = { account: tenantId, collection: "lending", reference, amount, currency, senderName: "Amina Bello" };
      const response = await fetch(`http://127.0.0.1:${partner.port}/control/bank/credits`, {
        method: "POST",
        body: JSON.stringify(body),
      });
      if (response.status !== 201) throw new Error(`the bank answered ${response.status}`);
    },
    /** How the bank treats what the tenant sends from now on. */
    async bankRule(tenantId: string, rule: { behaviour: string; delayMs?: number; reason?: string }): Promise<void> {
      const response = await fetch(`http://127.0.0.1:${partner.port}/control/rules`, {
        method: "POST",
        body: JSON.stringify({ account: tenantId, ...rule }),
      });
      if (!response.ok) throw new Error(`the bank answered ${response.status}`);
    },
    /** The card that a customer has stored at the acquirer; "" for none. */
    async storeCard({ tenantId, customerId }: LendingPerson, cardToken: string): Promise<void> {
      const response = await fetch(`http://127.0.0.1:${partner.port}/control/bank/cards`, {
        method: "POST",
        body: JSON.stringify({ account: tenantId, customer: customerId, cardToken }),
      });
      if (!response.ok) throw new Error(`the bank answered ${response.status}`);
    },
    async settleCard(tenantId: string, reference: string, status: "CAPTURED" | "REFUSED"): Promise<void> {
      const path = `/control/bank/card-charges/${tenantId}/${reference}`;
      const response = await fetch(`http://127.0.0.1:${partner.port}${path}`, {
        method: "POST",
        body: JSON.stringify({ status }),
      });
      if (!response.ok) throw new Error(`the bank answered ${response.status}`);
    },
    /** Debits less credits of a ledger account, minor units. */
    async balance(tenantId: string, accountId: string): Promise<bigint> {
      const { accounts } = await readLedger.getAccounts({ accountIds: [accountId] }, calls({ tenantId }));
      const [account] = accounts;
      return account === undefined ? 0n : account.debitsPostedMinor - account.creditsPostedMinor;
    },
    /** Every loan of the tenant agrees with the ledger, to the minor unit. Asked in every test. */
    async reconciled(tenantId: string): Promise<ReconcileLoansResponse> {
      let found = await operator.reconcileLoans({}, calls({ tenantId }));
      for (let tries = 0; found.openPostings > 0n && tries < 100; tries += 1) {
        await new Promise((resolve) => setTimeout(resolve, 50));
        found = await operator.reconcileLoans({}, calls({ tenantId }));
      }
      if (found.openPostings > 0n) throw new Error("the ledger was not asked");
      if (found.differences.length > 0)
        throw new Error(
          `loans and ledger differ: ${JSON.stringify(found.differences, (_k, v: unknown) => (typeof v === "bigint" ? `${v}` : v))}`,
        );
      return found;
    },
    async close(): Promise<void> {
      if (process.env["SHOW_LOG"] !== undefined) {
        const shown = network.lines
          .filter((line) => /"level":(40|50)/.test(line))
          .map((line) => line.replace(/^.*?"service"/, "").slice(0, 700));
        console.error([...new Set(shown)].slice(0, 5).join(" | "));
      }
      await service.stop();
      await ledger.stop();
      await partner.stop();
      await network.close();
      await lendingDb.close();
      await ledgerDb.close();
    },
  };
  return fixture;
}
