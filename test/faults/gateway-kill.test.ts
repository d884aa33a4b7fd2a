import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Cluster } from "../../deploy/local/cluster.js";
import { createEdgeClient, demoUser, readDemo, services, type EdgeClient } from "../support/edge-client.js";
import { seedDemo, startBuiltCluster } from "../support/global-setup-e2e.js";
import { insist } from "./payment-jobs.js";
import { runsFor } from "../support/time.js";

jest.setTimeout(240_000);

const dataDir = mkdtempSync(join(tmpdir(), "manilla-gateway-kill-"));
const order = { sendAmount: "1.00", sendCurrency: "USD", originCountry: "USA", to: "NGA" };
// A hundred of them are tried in test/e2e/edge.test.ts, at an edge that was never killed.
const keys = 20;
const parallel = 50;
let cluster: Cluster;
let client: EdgeClient;
let amina: ReturnType<typeof demoUser>;

beforeAll(async () => {
  const limit = "99999999";
  const limits = { RATE_LIMIT_PER_ADDRESS: limit, RATE_LIMIT_PER_USER: limit, RATE_LIMIT_PER_TENANT: limit };
  const backoff = { firstMs: 20, maxMs: 20 };
  const processEnv = { gateway: { ...limits, LOG_LEVEL: "warn" } };
  cluster = (await startBuiltCluster({ dataDir, port: 0, quiet: true, processEnv, backoff })) as Cluster;
  seedDemo(dataDir);
  const demo = readDemo(dataDir);
  amina = demoUser(demo, "CUSTOMER", { email: "amina" });
  client = createEdgeClient(demo.baseUrl);
  await client.login(amina);
});
afterAll(async () => {
  await cluster?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

const accountId = () => amina.wallets!.find(({ currency }) => currency === "USD")!.accountId;
async function balance(): Promise<string> {
  const { body } = await insist(() => client.send("GET", `${services}/paymentmanagement/wallet-accounts`));
  return body.data.find((one: { accountId: string }) => one.accountId === accountId()).availableBalance;
}

test("the gateway is killed with -9 while requests are under way: a retry gets the stored answer, and each was done once", async () => {
  const before = Number(await balance());
  const jobs = Array.from({ length: 12 }, async () => {
    const key = { "x-idempotency-key": randomUUID() };
    const created = await insist(() => client.createTransaction(amina, order, key));
    expect([created.status, created.body.code]).toEqual([200, undefined]);
    const { id, totalAmount } = created.body.data;
    const paymentGatewayRef = `ref-${randomUUID()}`;
    const pay = () =>
      client.pay(amina, { payAbleId: id, accountId: accountId(), total: totalAmount, paymentGatewayRef });
    const paid = await insist(pay);
    expect([paid.status, paid.body.code]).toEqual([200, undefined]);
    // Whatever was answered to whom before: it stays the answer.
    expect((await insist(() => client.createTransaction(amina, order, key))).text).toBe(created.text);
    expect((await insist(pay)).text).toBe(paid.text);
    return Number(totalAmount);
  });
  const gateway = cluster.process("gateway");
  for (let kill = 0; kill < 4; kill++) {
    await runsFor(150 + 250 * kill);
    await gateway.kill();
    await gateway.restart();
  }
  const paid = await Promise.all(jobs);
  const spent = paid.reduce((sum, one) => sum + one, 0);
  expect((before - Number(await balance())).toFixed(2)).toBe(spent.toFixed(2));
});

test(`of ${parallel} identical requests at once under each of ${keys} keys one is done, and all get its bytes; other content is refused`, async () => {
  const ids = new Set<string>();
  for (let at = 0; at < keys; at += 4) {
    await Promise.all(
      [0, 1, 2, 3].map(async () => {
        const key = { "x-idempotency-key": randomUUID() };
        const send = () => insist(() => client.createTransaction(amina, order, key));
        const answers = await Promise.all(Array.from({ length: parallel }, send));
        const texts = new Set(answers.map(({ status, text }) => `${status} ${text}`));
        expect(texts.size).toBe(1);
        const [answer] = answers;
        expect([answer!.status, answer!.body.code]).toEqual([200, undefined]);
        ids.add(answer!.body.data.id);
        const other = await insist(() => client.createTransaction(amina, { ...order, sendAmount: "1.01" }, key));
        expect([other.status, other.body.code]).toEqual([422, "IDEMPOTENCY_KEY_REUSED"]);
      }),
    );
  }
  expect(ids.size).toBe(keys);
});

test("the same key is another request's in the sandbox and for another person", async () => {
  const demo = readDemo(dataDir);
  const key = { "x-idempotency-key": randomUUID() };
  const mine = await insist(() => client.createTransaction(amina, order, key));
  expect(mine.status).toBe(200);
  const kofi = demoUser(demo, "CUSTOMER", { email: "kofi" });
  const theirs = createEdgeClient(demo.baseUrl);
  await theirs.login(kofi);
  const other = await insist(() => theirs.createTransaction(kofi, order, key));
  expect(other.body?.data?.id).not.toBe(mine.body.data.id);
  expect(other.body?.code).not.toBe("IDEMPOTENCY_KEY_REUSED");
  const manager = demoUser(demo, "MANAGER");
  const advance = async (prefix: string) => {
    const side = createEdgeClient(demo.baseUrl, "localhost", prefix);
    await side.login(manager);
    const path = `${services}/admin/organisation-preference-management/change-organisation-preference`;
    const body = { reason: "same key", corsOrigins: ["https://app.demo.example"] };
    return side.send("PUT", path, { headers: key, body });
  };
  const [live, sandbox] = [await advance(""), await advance("/sandbox")];
  // Whose pages may call is for a second manager to say.
  expect([live.status, sandbox.status]).toEqual([202, 202]);
  expect(live.body.data.organisationId).not.toBe(sandbox.body.data.organisationId);
});
