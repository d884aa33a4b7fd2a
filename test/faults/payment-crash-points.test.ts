import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Cluster } from "../../deploy/local/cluster.js";
import { createOperatorClients, type OperatorClients } from "../../deploy/local/operator-clients.js";
import { outgoing } from "../../services/shared/grpc/client.js";
import { declaredCrashPoints } from "../support/crash-points.js";
import {
  createEdgeClient,
  demoUser,
  readDemo,
  type Demo,
  type DemoUser,
  type EdgeAnswer,
  type EdgeClient,
} from "../support/edge-client.js";
import { seedDemo, startBuiltCluster } from "../support/global-setup-e2e.js";
import { waitFor } from "../support/index.js";

const order = { sendAmount: "20.00", sendCurrency: "USD", originCountry: "USA", to: "NGA" };
// 20.00, fee 2.00 + 50 bps, tax 750 bps on the fee rounded half-even.
const total = "22.26";
const cents = (text: string) => BigInt(text.replace(".", ""));

/** What makes a service pass a crash point. Every declared point belongs to one job, so none goes untested. */
type Job = "pay" | "refuse" | "expire" | "open" | "deposit";

function jobOf(name: string): Job {
  if (/^wallet\.payment\.(refused|released)$|^remittance\.release\./.test(name)) return "refuse";
  if (name.startsWith("remittance.expired.")) return "expire";
  if (name.startsWith("wallet.account.")) return "open";
  if (name.startsWith("wallet.deposit.")) return "deposit";
  return "pay";
}

jest.setTimeout(120_000);

describe("a payment whose services are killed with -9", () => {
  const dataDir = mkdtempSync(join(tmpdir(), "manilla-crash-"));
  let cluster: Cluster;
  let demo: Demo;
  let amina: DemoUser;
  let accountId: string;
  let client: EdgeClient;
  let manager: EdgeClient;
  let operator: OperatorClients;

  beforeAll(async () => {
    cluster = (await startBuiltCluster({ dataDir, port: 0, quiet: true })) as Cluster;
    seedDemo(dataDir);
    demo = readDemo(dataDir);
    amina = demoUser(demo, "CUSTOMER", { email: "amina" });
    accountId = amina.wallets?.find(({ currency }) => currency === "USD")?.accountId ?? "";
    client = createEdgeClient(demo.baseUrl);
    manager = createEdgeClient(demo.baseUrl);
    await client.login(amina);
    await manager.login(demoUser(demo, "MANAGER"));
    const { identity = "", compliance = "", remittance = "", wallet = "", ledger = "" } = cluster.file.addresses;
    const { operatorKeyFile } = cluster.file.keys;
    operator = await createOperatorClients({ identity, compliance, remittance, wallet, ledger, operatorKeyFile });
  });

  afterAll(async () => {
    operator?.close();
    await cluster?.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  /** As a client that has lost its answer: the same request with the same key until it is answered for good. */
  async function insist(send: () => Promise<EdgeAnswer>): Promise<EdgeAnswer> {
    return waitFor(
      async () => {
        const answer = await send().catch(() => undefined);
        if (answer === undefined || answer.status >= 500 || answer.body?.code === "IDEMPOTENCY_IN_FLIGHT") {
          await sleep(200);
          return undefined;
        }
        return answer;
      },
      { timeoutMs: 60_000, what: "a final answer" },
    );
  }

  /** Creates and pays one transaction, insisting on each answer. */
  async function createAndPay() {
    const interactionId = randomUUID();
    const headers = { "x-fapi-interaction-id": interactionId };
    const createKey = { ...headers, "x-idempotency-key": randomUUID() };
    const created = await insist(() => client.createTransaction(amina, order, createKey));
    expect(created).toMatchObject({ status: 200, body: { data: { totalAmount: total } } });
    const { id } = created.body.data;
    const payment = { payAbleId: id, accountId, total, paymentGatewayRef: `ref-${randomUUID()}` };
    const paid = await insist(() => client.pay(amina, payment, headers));
    expect(paid).toMatchObject({ status: 200, body: { data: { status: "SUCCESS", payableStatus: "PAID" } } });
    // Once more: the one answer.
    expect((await insist(() => client.pay(amina, payment, headers))).text).toBe(paid.text);
    expect((await insist(() => client.createTransaction(amina, order, createKey))).text).toBe(created.text);
    return { id, interactionId };
  }

  async function expectMovedOnce(balanceBefore: string, { id, interactionId }: { id: string; interactionId: string }) {
    await waitFor(
      async () => {
        const { body } = await client.readTransaction(id);
        return !["AWAITING_PAYMENT", "PAYING"].includes(body?.data?.status);
      },
      { timeoutMs: 60_000, what: "the transaction to be paid" },
    );
    expect(cents(balanceBefore) - cents(await client.balanceOf(accountId))).toBe(cents(total));
    const { body } = await insist(() => manager.ledgerOf(interactionId));
    const entries = body.data as {
      ledgerType: string;
      kind: string;
      accountId: string;
    }[];
    const debits = entries.filter((entry) => entry.ledgerType === "DEBIT" && entry.accountId === accountId);
    expect(debits.map(({ kind }) => kind)).toEqual(["wallet_payment", "fee", "tax"]);
  }

  /** A payment that the wallet cannot bear: refused for good, and the transaction can be paid again. */
  async function createAndFail(): Promise<void> {
    const large = await insist(() => client.createTransaction(amina, { ...order, sendAmount: "9000.00" }));
    const { id, totalAmount } = large.body.data;
    const payment = { payAbleId: id, accountId, total: totalAmount, paymentGatewayRef: `ref-${randomUUID()}` };
    const before = await client.balanceOf(accountId);
    const refused = await insist(() => client.pay(amina, payment));
    expect(refused).toMatchObject({ status: 422, body: { code: "INSUFFICIENT_FUNDS" } });
    expect((await insist(() => client.pay(amina, payment))).text).toBe(refused.text);
    expect(await client.balanceOf(accountId)).toBe(before);
    await waitFor(async () => (await client.readTransaction(id)).body?.data?.status === "AWAITING_PAYMENT", {
      timeoutMs: 30_000,
      what: "the claim to be released",
    });
  }

  /** A transaction that nobody pays: expired, and its share of the daily limit given back. */
  async function createAndWait(): Promise<void> {
    const created = await insist(() => client.createTransaction(amina, order, { "x-idempotency-key": randomUUID() }));
    const { id } = created.body.data;
    await waitFor(async () => (await client.readTransaction(id)).body?.data?.status === "EXPIRED", {
      timeoutMs: 30_000,
      what: "the transaction to expire",
    });
    const payment = { payAbleId: id, accountId, total };
    expect(await insist(() => client.pay(amina, payment))).toMatchObject({
      status: 409,
      body: { code: "TRANSACTION_EXPIRED" },
    });
  }

  async function openAccount(): Promise<void> {
    const call = { tenantId: "demo", interactionId: randomUUID() };
    const email = `${randomUUID()}@demo.example`;
    const { customer } = await operator.identity.registerCustomer(
      { idempotencyKey: email, email, password: "A-Long-Pass-1", firstName: "New", lastName: "Person", country: "USA" },
      outgoing(call),
    );
    const request = { idempotencyKey: randomUUID(), customerId: customer?.customerId ?? "", currency: "USD" };
    const open = () => operator.wallet.openWalletAccount(request, outgoing(call));
    const opened = await insistOnRpc(open);
    expect((await insistOnRpc(open)).account?.accountId).toBe(opened.account?.accountId);
    const listed = await operator.wallet.listWalletAccounts({ customerId: request.customerId }, outgoing(call));
    expect(listed.accounts.map((account) => account.accountId)).toEqual([opened.account?.accountId]);
  }

  async function deposit(): Promise<void> {
    const call = { tenantId: "demo", interactionId: randomUUID() };
    const before = cents(await client.balanceOf(accountId));
    const amount = { amountMinor: 1_234n, currency: "USD" };
    const request = { idempotencyKey: randomUUID(), accountId, amount, reference: "wire" };
    const record = () => operator.wallet.recordDeposit(request, outgoing(call));
    const recorded = await insistOnRpc(record);
    expect((await insistOnRpc(record)).depositId).toBe(recorded.depositId);
    expect(cents(await client.balanceOf(accountId)) - before).toBe(1_234n);
  }

  function insistOnRpc<T extends object>(send: () => Promise<T>): Promise<T> {
    return waitFor(() => send().catch(() => sleep(200).then(() => undefined)), {
      timeoutMs: 60_000,
      what: "an answer",
    });
  }

  const points = ["wallet", "remittance", "ledger"].flatMap((service) =>
    declaredCrashPoints(service).map((name) => ({ service, name, job: jobOf(name) })),
  );

  test("there are crash points in each of the three services", () => {
    expect(new Set(points.map(({ service }) => service)).size).toBe(3);
  });

  test.each(points)(
    "at $name ends decided, moved once or not at all, with one answer",
    async ({ service, name, job }) => {
      const victim = cluster.process(service);
      const window = job === "expire" ? { PAYMENT_WINDOW_S: "1" } : {};
      await victim.restart({ envOnce: { CRASH_POINT: name, ...window } });
      const armed = victim.pid();
      const before = await waitFor(() => client.balanceOf(accountId).catch(() => undefined), { timeoutMs: 30_000 });
      const paid = job === "pay" ? await createAndPay() : undefined;
      if (job === "refuse") await createAndFail();
      if (job === "expire") await createAndWait();
      if (job === "open") await openAccount();
      if (job === "deposit") await deposit();
      // A point that nobody passed would prove nothing.
      await waitFor(() => victim.pid() !== armed, { timeoutMs: 30_000, what: `${service} to be killed at ${name}` });
      await victim.whenReady(30_000);
      if (paid !== undefined) await expectMovedOnce(before, paid);
    },
  );
});
