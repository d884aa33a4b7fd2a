import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Cluster } from "../../deploy/local/cluster.js";
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

/** What makes a service pass its crash points, by the second word of their names. */
const paysFor = (name: string) => !/refused|release|deposit|expire/.test(name);

jest.setTimeout(120_000);

describe("a payment whose services are killed with -9", () => {
  const dataDir = mkdtempSync(join(tmpdir(), "manilla-crash-"));
  let cluster: Cluster;
  let demo: Demo;
  let amina: DemoUser;
  let accountId: string;
  let client: EdgeClient;
  let manager: EdgeClient;

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
  });

  afterAll(async () => {
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
    expect((await client.pay(amina, payment, headers)).text).toBe(paid.text);
    expect((await client.createTransaction(amina, order, createKey)).text).toBe(created.text);
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
    const entries = (await manager.ledgerOf(interactionId)).body.data as {
      ledgerType: string;
      kind: string;
      accountId: string;
    }[];
    const debits = entries.filter((entry) => entry.ledgerType === "DEBIT" && entry.accountId === accountId);
    expect(debits.map(({ kind }) => kind)).toEqual(["wallet_payment", "fee", "tax"]);
  }

  const points = ["wallet", "remittance", "ledger"].flatMap((service) =>
    declaredCrashPoints(service)
      .filter(paysFor)
      .map((name) => ({ service, name })),
  );

  test("there are crash points in each of the three services", () => {
    expect(new Set(points.map(({ service }) => service)).size).toBe(3);
  });

  test.each(points)("at $name ends paid, moved once, with one answer", async ({ service, name }) => {
    const victim = cluster.process(service);
    await victim.restart({ envOnce: { CRASH_POINT: name } });
    const armed = victim.pid();
    const before = await waitFor(() => client.balanceOf(accountId).catch(() => undefined), { timeoutMs: 30_000 });
    const job = await createAndPay();
    // A point that nobody passed would prove nothing.
    await waitFor(() => victim.pid() !== armed, { timeoutMs: 30_000, what: `${service} to be killed at ${name}` });
    await victim.whenReady(30_000);
    await expectMovedOnce(before, job);
  });
});
