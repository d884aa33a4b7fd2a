import { approveShown } from "../support/approve-shown.js";
import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Cluster } from "../../deploy/local/cluster.js";
import { createOperatorClients, type OperatorClients } from "../../deploy/local/operator-clients.js";
import { outgoing } from "../../services/kernel/grpc/client.js";
import { declaredCrashPoints, killedAt } from "../support/crash-points.js";
import {
  createEdgeClient,
  demoUser,
  readDemo,
  services,
  type DemoUser,
  type EdgeClient,
} from "../support/edge-client.js";
import { seedDemo, startBuiltCluster } from "../support/global-setup-e2e.js";
import { waitFor } from "../support/index.js";
import { insist } from "./payment-jobs.js";

jest.setTimeout(120_000);

const user = "/api/v1/services/user";
const staff = "/api/v1/services/staff";
const patience = { timeoutMs: 60_000, everyMs: 200 };
const points = declaredCrashPoints("lending");

describe("lending killed with -9", () => {
  const dataDir = mkdtempSync(join(tmpdir(), "manilla-lend-"));
  const pointFile = join(dataDir, "crash-points", "lending");
  let cluster: Cluster;
  let operator: OperatorClients;
  let amina: DemoUser;
  let live: EdgeClient;
  let [managers, sandboxManager, sandboxAmina]: [EdgeClient[], EdgeClient | undefined, EdgeClient | undefined] = [
    [],
    undefined,
    undefined,
  ];
  const sandboxTenant = "demo--sandbox";

  beforeAll(async () => {
    const often = { ACCRUAL_EVERY_S: "1", BANK_CREDITS_EVERY_S: "1" };
    const processEnv = { lending: { ...killedAt(pointFile), ...often } };
    const backoff = { firstMs: 20, maxMs: 20 };
    cluster = (await startBuiltCluster({ dataDir, port: 0, quiet: true, processEnv, backoff })) as Cluster;
    seedDemo(dataDir);
    mkdirSync(join(dataDir, "crash-points"));
    const { identity = "", compliance = "", remittance = "", wallet = "", ledger = "" } = cluster.file.addresses;
    const { lending = "", investment = "" } = cluster.file.addresses;
    const addresses = { identity, compliance, remittance, wallet, ledger, lending, investment };
    operator = await createOperatorClients({ ...addresses, operatorKeyFile: cluster.file.keys.operatorKeyFile });
    const demo = readDemo(dataDir);
    amina = demoUser(demo, "CUSTOMER", { email: "amina" });
    const as = async (who: DemoUser, prefix = "") => {
      const client = createEdgeClient(demo.baseUrl, "localhost", prefix);
      expect((await client.login(who)).status).toBe(200);
      return client;
    };
    live = await as(amina);
    managers = [
      await as(demoUser(demo, "MANAGER", { email: "manager@" })),
      await as(demoUser(demo, "MANAGER", { email: "manager2" })),
    ];
    sandboxManager = await as(demoUser(demo, "MANAGER", { email: "manager@" }), "/sandbox");
    sandboxAmina = await as(amina, "/sandbox");
  });

  afterAll(async () => {
    operator?.close();
    await cluster?.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  /** In one step: the process reads it at every point. */
  function arm(name: string): void {
    writeFileSync(`${pointFile}.new`, name);
    renameSync(`${pointFile}.new`, pointFile);
  }
  const approve = async (approvalId: string) => {
    const approved = await insist(() => approveShown(managers[1]!, approvalId, { reason: "seen" }));
    expect([approved.status, approved.text]).toEqual([200, expect.any(String)]);
  };
  /** The process was killed there: it takes the file away first. */
  const wasKilled = () => waitFor(() => !existsSync(pointFile), { ...patience, what: "the process to be killed" });

  const fapi = () => ({
    "x-idempotency-key": randomUUID(),
    "x-fapi-interaction-id": randomUUID(),
    "x-fapi-auth-date": new Date().toISOString(),
    "x-fapi-customer-ip-address": "203.0.113.7",
  });
  const call = (tenantId = "demo") => outgoing({ tenantId, interactionId: randomUUID() }, { timeoutMs: 20_000 });

  async function loanOf(customerId: string, tenantId = "demo") {
    const disbursedOn = Temporal.Now.plainDateISO("UTC").subtract({ days: 3 }).toString();
    const plan = {
      productId: "personal",
      amount: "300",
      instalments: 6,
      disbursedOn,
      loanApplicationId: randomUUID(),
      repayments: [],
    };
    const { loan } = await operator.lending.importLoan(
      { idempotencyKey: randomUUID(), customerId, ...plan },
      call(tenantId),
    );
    if (loan === undefined) throw new Error("no loan");
    return loan;
  }
  const control = async (path: string, body: object) => {
    const answer = await fetch(`http://${cluster.file.addresses["partner"]}${path}`, {
      method: "POST",
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`the partner answered ${answer.status}`);
  };
  const arrive = (reference: string, amount: string) =>
    control("/control/bank/credits", {
      account: "demo",
      collection: "lending",
      reference,
      amount,
      currency: "USD",
      senderName: "Amina Bello",
    });
  async function booksAgree(tenantId = "demo"): Promise<void> {
    const agree = async () => {
      const found = await operator.lending.reconcileLoans({}, call(tenantId)).catch(() => undefined);
      return found !== undefined && found.openPostings === 0n && found.differences.length === 0;
    };
    await waitFor(agree, { ...patience, what: "loans and ledger to agree" });
  }
  const usdOfWallet = async () => {
    const { accounts } = await operator.wallet.listWalletAccounts({ customerId: amina.customerId ?? "" }, call());
    return accounts.find(({ currency }) => currency === "USD")?.availableBalanceMinor ?? 0n;
  };
  const statusOf = async (client: EdgeClient, id: string) =>
    (await insist(() => client.send("GET", `${user}/schedule/${id}`))).body.data.status as string;

  test.each(points.filter((name) => name.startsWith("lending.payoff")))("at %s a payoff happens once", async (name) => {
    const loan = await loanOf(amina.customerId ?? "");
    const before = await usdOfWallet();
    arm(name);
    const headers = fapi();
    const body = { loanApplicationId: loan.loanApplicationId, paymentMethod: "WALLET" };
    const paid = await insist(() => live.send("POST", `${user}/payoff-loan`, { headers, body }));
    await wasKilled();
    expect([paid.status, paid.body.data.loanStatus, paid.body.data.remainingBalance]).toEqual([200, "PAID_OFF", 0]);
    const amountMinor = BigInt(Math.round(Number(paid.body.data.payoffAmount) * 100));
    expect(await usdOfWallet()).toBe(before - amountMinor);
    await booksAgree();
  });

  test.each(points.filter((name) => name.startsWith("lending.disbursement")))(
    "at %s a disbursement happens once",
    async (name) => {
      const applied = { productId: "personal", amount: "120", instalments: 6, monthlyIncome: "2000" };
      const { body } = await insist(() => live.send("POST", `${user}/apply`, { headers: fapi(), body: applied }));
      const id = body.data.loanApplicationId as string;
      const wallet = amina.wallets?.find(({ currency }) => currency === "USD")?.accountId ?? "";
      const to = { headers: fapi(), body: { walletAccountId: wallet } };
      await insist(() => live.send("POST", `${user}/loan-applications/${id}/accept`, to));
      const before = await usdOfWallet();
      const ask = { headers: fapi(), body: { reason: "signed" } };
      const requested = await insist(() => managers[0]!.send("POST", `${staff}/loan-applications/${id}/disburse`, ask));
      arm(name);
      await approve(requested.body.data.approvalId);
      await wasKilled();
      await waitFor(async () => (await statusOf(live, id)) === "ACTIVE", { ...patience, what: "the loan to begin" });
      expect(await usdOfWallet()).toBe(before + 118_80n);
      await booksAgree();
    },
  );

  test("at lending.credit.taken what arrives at the bank counts once", async () => {
    const loan = await loanOf(amina.customerId ?? "");
    const { accounts } = await operator.wallet.listBankAccounts({ customerId: amina.customerId ?? "" }, call());
    const instructions = await insist(() =>
      live.send("GET", `${user}/repayment-instructions/${loan.loanApplicationId}`),
    );
    const body = {
      repaymentAmount: 25,
      customerId: amina.customerId,
      accountId: loan.accountId,
      bankAccountId: accounts[0]?.bankAccountId,
    };
    const recorded = await insist(() =>
      live.send("POST", `${user}/repay-loan/${amina.userId}`, { headers: fapi(), body }),
    );
    expect(recorded.body.data.verificationStatus).toBe("PENDING_VERIFICATION");
    arm("lending.credit.taken");
    await arrive(instructions.body.data.repaymentReference as string, "25.00");
    await wasKilled();
    const repaid = async () => {
      const { body: read } = await live.send("GET", `${user}/repaid-transactions/${amina.userId}`);
      return ((read.data ?? []) as { repaymentId: string }[]).filter(
        ({ repaymentId }) => repaymentId === recorded.body.data.id,
      );
    };
    await waitFor(async () => (await repaid()).length === 1, { ...patience, what: "the repayment to be verified" });
    await booksAgree();
    const after = await insist(() => live.send("GET", `${user}/schedule/${loan.loanApplicationId}`));
    expect(Number(after.body.data.totalPayable)).toBeCloseTo(Number(loan.totalPayableMinor) / 100 - 25, 2);
  });

  /** Pays a loan of 120.00 out to Amina's account in a loan's currency. */
  async function payOutToBank(beforeApproval: () => Promise<void>): Promise<string> {
    const bank = { country: "USA", currency: "USD", accountNumber: String(Date.now()).slice(-8) };
    const added = await insist(() =>
      live.send("POST", `${services}/paymentmanagement/bank-accounts`, { headers: fapi(), body: bank }),
    );
    const applied = { productId: "personal", amount: "120", instalments: 6, monthlyIncome: "2000" };
    const { body } = await insist(() => live.send("POST", `${user}/apply`, { headers: fapi(), body: applied }));
    const id = body.data.loanApplicationId as string;
    const to = { headers: fapi(), body: { bankAccountId: added.body.data.bankAccountId } };
    await insist(() => live.send("POST", `${user}/loan-applications/${id}/accept`, to));
    const ask = { headers: fapi(), body: { reason: "signed" } };
    const requested = await insist(() => managers[0]!.send("POST", `${staff}/loan-applications/${id}/disburse`, ask));
    await beforeApproval();
    await approve(requested.body.data.approvalId);
    return id;
  }

  test("at lending.return.booked a disbursement that the bank returns is undone once", async () => {
    const id = await payOutToBank(async () => {
      await control("/control/rules", { account: "demo", behaviour: "RETURN", delayMs: 0, times: 1 });
      arm("lending.return.booked");
    });
    await wasKilled();
    await waitFor(async () => (await statusOf(live, id)) === "CANCELLED", { ...patience, what: "the loan to end" });
    await booksAgree();
  });

  test.each(points.filter((name) => name.startsWith("lending.payback")))(
    "at %s what was overpaid goes back once",
    async (name) => {
      const disbursedOn = Temporal.Now.plainDateISO("UTC").subtract({ days: 3 }).toString();
      const plan = {
        productId: "personal",
        amount: "300",
        instalments: 6,
        disbursedOn,
        loanApplicationId: randomUUID(),
      };
      const repayments = [{ paidOn: disbursedOn, amount: "350" }];
      const customerId = amina.customerId ?? "";
      const { loan } = await operator.lending.importLoan(
        { idempotencyKey: randomUUID(), customerId, ...plan, repayments },
        call(),
      );
      const before = await usdOfWallet();
      const walletAccountId = amina.wallets?.find(({ currency }) => currency === "USD")?.accountId ?? "";
      const ask = { headers: fapi(), body: { walletAccountId, reason: "paid too much" } };
      const path = `${staff}/loans/${loan?.accountId}/payback`;
      const requested = await insist(() => managers[0]!.send("POST", path, ask));
      expect(requested.status).toBe(202);
      arm(name);
      await approve(requested.body.data.approvalId);
      await wasKilled();
      const isOver = async () => {
        const { body } = await live.send("GET", `${user}/schedule/${plan.loanApplicationId}`);
        return body.data?.paybacks?.[0]?.status === "DONE";
      };
      await waitFor(isOver, { ...patience, what: "the payback to end" });
      expect(await usdOfWallet()).toBe(before + (loan?.overpaidMinor ?? 0n));
      await booksAgree();
    },
  );

  test("every crash point of lending has its test here", () => {
    const tested = /^lending\.(payoff|disbursement|payback|accrual)\.|^lending\.(posted|credit\.taken|return\.booked)$/;
    expect(points.filter((name) => !tested.test(name))).toEqual([]);
  });

  test.each(["lending.posted"])("at %s a repayment that was verified happens once", async (name) => {
    const { customer } = await operator.identity.getCustomer({ customerCode: "C-AMINA" }, call(sandboxTenant));
    const { customerId = "", userId = "" } = customer ?? {};
    const loan = await loanOf(customerId, sandboxTenant);
    const { accounts } = await operator.wallet.listBankAccounts({ customerId }, call(sandboxTenant));
    const body = {
      repaymentAmount: 25,
      customerId,
      accountId: loan.accountId,
      bankAccountId: accounts[0]?.bankAccountId,
    };
    const recorded = await insist(() =>
      sandboxAmina!.send("POST", `${user}/repay-loan/${userId}`, { headers: fapi(), body }),
    );
    expect([recorded.status, recorded.text]).toEqual([200, expect.any(String)]);
    arm(name);
    const force = { headers: fapi(), body: { verify: true, reason: "a test" } };
    const forced = await insist(() =>
      sandboxManager!.send("POST", `${staff}/repayments/${recorded.body.data.id}/force`, force),
    );
    await wasKilled();
    expect(forced.body.data.verificationStatus).toBe("VERIFIED");
    await booksAgree(sandboxTenant);
    const after = await insist(() => sandboxAmina!.send("GET", `${user}/schedule/${loan.loanApplicationId}`));
    expect(Number(after.body.data.totalPayable)).toBeCloseTo(Number(loan.totalPayableMinor) / 100 - 25, 2);
  });

  test.each(points.filter((name) => name.startsWith("lending.accrual")))("at %s a day is booked once", async (name) => {
    arm(name);
    const advance = { headers: { "x-idempotency-key": randomUUID() }, body: { days: 1 } };
    await insist(() => sandboxManager!.send("POST", `${services}/admin/business-clock/advance`, advance));
    await wasKilled();
    const isDone = async () => {
      const clock = await sandboxManager!.send("GET", `${services}/admin/business-clock`);
      const progress = await operator.lending.getAccrualProgress({}, call(sandboxTenant)).catch(() => undefined);
      return progress?.date === clock.body.data.businessDate && progress?.rangesDone === progress?.ranges;
    };
    await waitFor(isDone, { ...patience, what: "the day to be done" });
    await booksAgree(sandboxTenant);
  });
});
