import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Cluster } from "../../deploy/local/cluster.js";
import { killedAt } from "../support/crash-points.js";
import {
  createEdgeClient,
  demoUser,
  readDemo,
  services,
  type DemoUser,
  type EdgeAnswer,
  type EdgeClient,
} from "../support/edge-client.js";
import { seedDemo, startBuiltCluster } from "../support/global-setup-e2e.js";
import { waitFor } from "../support/index.js";
import { cents, insist } from "./payment-jobs.js";

jest.setTimeout(180_000);

const patience = { timeoutMs: 100_000, everyMs: 200 };
const compliance = "/api/v6/services/compliance";
const desk = `${services}/transactionmanagement`;
// 20.00, fee 2.00 + 50 bps, tax 750 bps on the fee.
const totalMinor = 22_26n;

// What an order passes that waits for details of its recipient, from the change of them on.
const points = [
  "remittance.recipient.revised",
  "compliance.transparency.revised",
  "compliance.transaction.reconsidered",
  "remittance.decision.stored",
] as const;

describe("a process killed with -9 while an order that waits for data goes on", () => {
  const dataDir = mkdtempSync(join(tmpdir(), "manilla-waiting-"));
  const fileOf = (name: string) => join(dataDir, "crash-points", name.split(".")[0]!);
  const edge = {} as Record<"amina" | "author" | "publisher", EdgeClient>;
  let cluster: Cluster;
  let amina: DemoUser;
  let accountId: string;

  beforeAll(async () => {
    const processEnv = Object.fromEntries(["remittance", "compliance"].map((name) => [name, killedAt(fileOf(name))]));
    const backoff = { firstMs: 20, maxMs: 20 };
    cluster = (await startBuiltCluster({ dataDir, port: 0, quiet: true, processEnv, backoff })) as Cluster;
    seedDemo(dataDir);
    mkdirSync(join(dataDir, "crash-points"));
    const demo = readDemo(dataDir);
    amina = demoUser(demo, "CUSTOMER", { email: "amina" });
    accountId = amina.wallets!.find(({ currency }) => currency === "USD")!.accountId;
    const [author, publisher] = demo.tenants[0]!.users.filter(({ role }) => role === "MANAGER");
    for (const [name, user] of Object.entries({ amina, author: author!, publisher: publisher! })) {
      const client = createEdgeClient(demo.baseUrl);
      await client.login(user);
      edge[name as keyof typeof edge] = client;
    }
    await askForAddresses();
  });

  afterAll(async () => {
    await cluster?.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  /** From 10.00 USD on the recipient's town and country are asked for. */
  async function askForAddresses(): Promise<void> {
    const { data: begun } = good(await edge.author.send("GET", `${compliance}/policy-draft`));
    const rows = [{ amount: { amount: "10.00", currency: "USD" }, members: ["RECIPIENT_ADDRESS"] }];
    const transparencyProfiles = [{ profile: "OWN", originCountries: ["USA"], currency: "USD", rows }];
    const { revision: read, knowYourCustomerRules, transactionRules, dailyLimits } = begun;
    const body = { revision: read, knowYourCustomerRules, transactionRules, dailyLimits, transparencyProfiles };
    const saved = good(await edge.author.send("PUT", `${compliance}/policy-draft/save`, { body }));
    const { revision } = saved.data;
    good(await edge.publisher.send("POST", `${compliance}/policy-draft/publish`, { body: { revision } }));
  }

  const good = (answer: EdgeAnswer) => {
    expect([answer.status, answer.status === 200 ? "" : answer.text]).toEqual([200, ""]);
    return answer.body as { data: Record<string, unknown> };
  };
  /** In one step: the process reads it at every point. */
  function arm(name: string): void {
    writeFileSync(`${fileOf(name)}.new`, name);
    renameSync(`${fileOf(name)}.new`, fileOf(name));
  }
  const statusOf = async (id: string): Promise<string> =>
    (await insist(() => edge.amina.readTransaction(id))).body?.data?.status;
  const until = (id: string, status: string) =>
    waitFor(async () => (await statusOf(id)) === status, { ...patience, what: `${id} to be ${status}` });
  const balance = async () => cents(await edge.amina.balanceOf(accountId));
  /** How often the partner has the order in its books. */
  function timesAtPartner(id: string): number {
    const file = new DatabaseSync(join(dataDir, "partner", "books.db"), { readOnly: true, timeout: 5_000 });
    const found = file.prepare("SELECT count(*) AS times FROM payouts WHERE reference = ?").get(id);
    file.close();
    return Number(found!["times"]);
  }

  test.each(points)("at %s it goes on once, and nothing of it reached its partner before", async (point) => {
    const before = await balance();
    const recipient = amina.beneficiaries!.find(({ country }) => country === "NGA")!;
    const headers = () => ({ "x-idempotency-key": randomUUID() });
    // Of a recipient without an address.
    const { deliveryMethods, country, currency, creditParty } = recipient;
    const person = { firstName: "Ngozi", lastName: "Okafor", relationship: "SISTER" };
    const body = { ...person, country, currency, deliveryMethods, creditParty };
    const key = headers();
    const beneficiaries = `${services}/usermanagement/beneficiaries`;
    const saved = good(await insist(() => edge.amina.send("POST", beneficiaries, { headers: key, body })));
    const code = saved.data["code"] as string;
    const order = {
      sendAmount: "20.00",
      sendCurrency: "USD",
      originCountry: "USA",
      to: "NGA",
      body: { preExistingRecipientCustomerCode: code },
    };
    const created = good(await insist(() => edge.amina.createTransaction(amina, order, key)));
    const { id, totalAmount, status } = created.data as { id: string; totalAmount: string; status: string };
    expect(status).toBe("AWAITING_COMPLIANCE");
    const payment = { payAbleId: id, accountId, total: totalAmount };
    const pay = (paymentGatewayRef: string) => insist(() => edge.amina.pay(amina, { ...payment, paymentGatewayRef }));
    // It passes by itself, and says so: not insisted on.
    expect((await edge.amina.pay(amina, { ...payment, paymentGatewayRef: randomUUID() })).status).toBe(409);
    expect([timesAtPartner(id), await balance()]).toEqual([0, before]);

    arm(point);
    const details = { kind: "PERSON", address: { lines: [], city: "Lagos", country: "NGA" } };
    const change = { ...body, ...details };
    const changeKey = headers();
    good(await insist(() => edge.amina.send("PUT", `${beneficiaries}/${code}`, { headers: changeKey, body: change })));
    await waitFor(() => !existsSync(fileOf(point)), { ...patience, what: "the process to be killed" });
    await until(id, "AWAITING_PAYMENT");
    expect([timesAtPartner(id), await balance()]).toEqual([0, before]);

    const ref = randomUUID();
    const paid = await pay(ref);
    expect([paid.status, (await pay(ref)).text]).toEqual([200, paid.text]);
    await until(id, "COMPLETED");
    expect([timesAtPartner(id), await balance()]).toEqual([1, before - totalMinor]);
    const told = await insist(() => edge.author.send("GET", `${desk}/transactions/${id}/transparency`));
    expect(told.body.data).toMatchObject({
      missingMembers: [],
      sent: { beneficiary: { name: "Ngozi Okafor", address: { city: "Lagos" } } },
    });
  });
});
