import { randomUUID } from "node:crypto";
import { ApprovalOutcomeServiceDefinition } from "../../proto/gen/identity/v1/approvals.js";
import { LedgerServiceDefinition } from "../../proto/gen/ledger/v1/ledger.js";
import { ReportServiceDefinition } from "../../proto/gen/operations/v1/reports.js";
import { LendingServiceDefinition, type ReconcileLoansResponse } from "../../proto/gen/lending/v1/lending.js";
import type { Loan } from "../../proto/gen/lending/v1/loan.js";
import type { LoanProduct } from "../../proto/gen/lending/v1/product.js";
import { ledgerEnv } from "../../services/ledger/config.js";
import { startLedger } from "../../services/ledger/server.js";
import { lendingEnv } from "../../services/lending/config.js";
import { startLending, type LendingServerDeps } from "../../services/lending/server.js";
import { outgoing, type Client } from "../../services/kernel/grpc/client.js";
import type { Role } from "../../services/kernel/grpc/context.js";
import type { WirePartial } from "../../services/kernel/grpc/definition.js";
import { createCrashSwitch } from "./crash-switch.js";
import { testDatabase, testRedisUrl, testTenant } from "./index.js";
import { createEraser } from "./erasure.js";
import { createLendingBank } from "./lending-bank.js";
import { createLendingNeighbours, type LendingPerson } from "./lending-neighbours.js";
import { createServiceNetwork, stateUser, statedUsers } from "./service-network.js";
import { decideAsForeseen } from "./foreseen.js";
import { utcBusinessClock } from "./utc-clock.js";
import { asksIdentityAnew, identityCacheMs } from "./time.js";

export type { LendingPerson } from "./lending-neighbours.js";

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
 * Lending on real MongoDB, Redis and gRPC, on a real ledger and the sandbox's bank, between
 * stand-ins of identity, compliance and wallet. The wallet posts to the real ledger, so that every
 * test can compare the books.
 */
export async function createLendingFixture(
  name: string,
  given: Partial<LendingServerDeps> = {},
  env: Record<string, string> = {},
) {
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
  const bank = await createLendingBank();
  const ledger = await startLedger(
    ledgerEnv.parse({ ...common, PORT: "0", MONGODB_DATABASE: ledgerDb.database, IDENTITY_ADDRESS: "127.0.0.1:1" }),
    {
      keys: network.keysOf("ledger"),
      log: network.log,
      verifyUserToken: statedUsers,
      businessClock: utcBusinessClock(),
    },
  );
  const ledgerAs = (as: "wallet" | "operator") => network.client(LedgerServiceDefinition, "ledger", ledger.port, as);
  const [walletLedger, readLedger] = [ledgerAs("wallet"), ledgerAs("operator")];

  const neighbours = await createLendingNeighbours(network, walletLedger);
  const { customers, wallets, bankAccounts, today, approvals, ceilings, state } = neighbours;
  const { crashPoint, ...crashes } = createCrashSwitch();
  const config = lendingEnv.parse({
    ...common,
    HOST: "127.0.0.1",
    PORT: "0",
    MONGODB_DATABASE: lendingDb.database,
    ...neighbours.addresses,
    LEDGER_ADDRESS: `127.0.0.1:${ledger.port}`,
    PARTNER_URL: bank.url,
    PARTNER_API_KEY: bank.apiKey,
    BANK_TIMEOUT_MS: "500",
    PLUGIN_SANDBOX_ORIGINS: "http://127.0.0.1:*",
    ...env,
  });
  const start = (more: Partial<LendingServerDeps> = {}) =>
    startLending(config, {
      log: network.log,
      keys: network.keysOf("lending"),
      verifyUserToken: statedUsers,
      identityCacheMs,
      recoverAfterMs: 60_000,
      pollMs: 50,
      everyMs: 0,
      releases: { everyMs: 100, afterMs: 0 },
      crashPoint,
      ...given,
      ...more,
    });
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
    config,
    service,
    start,
    lendingDb,
    events: neighbours.events,
    plugins: neighbours.plugins,
    bankKnows: bank.knows,
    bankControl: bank.control,
    erase: createEraser(network, "lending", service.port),
    gateway,
    operator,
    reports: network.client(ReportServiceDefinition, "lending", service.port, "gateway"),
    calls,
    state,
    ceilings,
    approvals,
    customers,
    wallets,

    ...crashes,

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
    /** Moves business time, as identity tells it. */
    async moveTo(tenantId: string, date: string): Promise<void> {
      today.set(tenantId, date);
      await asksIdentityAnew();
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
    async approve(approvalId: string, status: "APPROVED" | "REFUSED" = "APPROVED") {
      const requested = approvals.get(approvalId);
      if (requested === undefined) throw new Error("no such approval");
      const approval = {
        ...requested.approval,
        status,
        decidedBy: "another-manager",
        decidedBecause: "looked at it",
        decidedAt: new Date(),
      };
      return decideAsForeseen(
        outcomes,
        { approval, payloadJson: requested.payloadJson },
        calls({ tenantId: requested.tenantId }),
      );
    },
    credit: bank.credit,
    bankRule: bank.rule,
    storeCard: bank.storeCard,
    settleCard: bank.settleCard,
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
      await bank.stop();
      await network.close();
      await lendingDb.close();
      await ledgerDb.close();
    },
  };
  return fixture;
}
