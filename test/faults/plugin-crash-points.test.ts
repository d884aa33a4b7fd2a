import { approveShown } from "../support/approve-shown.js";
import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Cluster } from "../../deploy/local/cluster.js";
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
import { outlast } from "../support/time.js";

jest.setTimeout(240_000);

const patience = { timeoutMs: 120_000, everyMs: 200 };
const base = `${services}/admin/plugin-management`;
// As long as a replica may go by what it knew before.
const knownForMs = 1_200;
type Killed = "identity" | "remittance";

/** Each is killed in below. */
const points = [...declaredCrashPoints("identity"), ...declaredCrashPoints("remittance")].filter((name) =>
  /^(identity|remittance)\.plugin\.|^remittance\.payee\.|^identity\.approval\.|^remittance\.payout\.(started|submitted)$/.test(
    name,
  ),
);

describe("plugins whose services are killed with -9", () => {
  const dataDir = mkdtempSync(join(tmpdir(), "manilla-plugins-"));
  const pointFile = (service: Killed) => join(dataDir, "crash-points", service);
  const died = new Set<string>();
  let cluster: Cluster;
  let partner: { url: string; apiKey: string; callbackSecret: string };
  let amina: DemoUser;
  let first: EdgeClient;
  let second: EdgeClient;
  let customer: EdgeClient;

  beforeAll(async () => {
    const envOf = (service: Killed) => killedAt(pointFile(service));
    const processEnv = {
      identity: envOf("identity"),
      remittance: { ...envOf("remittance"), PARTNER_STATEMENT_EVERY_S: "1" },
    };
    const backoff = { firstMs: 20, maxMs: 20 };
    cluster = (await startBuiltCluster({ dataDir, port: 0, quiet: true, processEnv, backoff })) as Cluster;
    seedDemo(dataDir);
    mkdirSync(join(dataDir, "crash-points"));
    const { addresses, keys } = cluster.file;
    const secrets = JSON.parse(readFileSync(keys.partnerFile, "utf8")) as { apiKey: string; callbackSecret: string };
    partner = { url: `http://${addresses["partner"]}`, ...secrets };
    const demo = readDemo(dataDir);
    amina = demoUser(demo, "CUSTOMER", { email: "amina" });
    const inSandbox = () => createEdgeClient(demo.baseUrl, "localhost", "/sandbox");
    [first, second, customer] = [inSandbox(), inSandbox(), inSandbox()];
    await first.login(demoUser(demo, "MANAGER"));
    await second.login(demoUser(demo, "MANAGER", { email: "manager2" }));
    await customer.login(amina);
  });

  afterAll(async () => {
    await cluster?.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  /** In one step: the process reads it at every point. */
  function arm(name: string): void {
    const file = pointFile(name.split(".")[0] as Killed);
    writeFileSync(`${file}.new`, name);
    renameSync(`${file}.new`, file);
  }
  async function wasKilled(name: string): Promise<void> {
    const file = pointFile(name.split(".")[0] as Killed);
    await waitFor(() => !existsSync(file), { ...patience, what: `a death at ${name}` });
    died.add(name);
  }

  /** The same request with the same key until it is answered. */
  function post(path: string, body: object) {
    const headers = { "x-idempotency-key": randomUUID() };
    return () => insist(() => first.send("POST", `${base}/${path}`, { headers, body }));
  }
  const of = (id: string, action: string, body: object = {}) =>
    post(`plugins/${id}/${action}`, { reason: "as agreed", ...body });
  const approve = (approvalId: string) => insist(() => approveShown(second, approvalId, { reason: "looked at it" }));
  const read = async (id: string) => (await insist(() => first.send("GET", `${base}/plugins/${id}`))).body.data;
  const statusIs = (id: string, status: string) =>
    waitFor(async () => (await read(id)).status === status, { ...patience, what: `plugin ${id} to be ${status}` });
  const decided = (id: string) =>
    waitFor(async () => (await read(id)).pendingApprovalId === undefined, { ...patience, what: "nothing to wait" });
  /** How often it was done. */
  async function doneTimes(id: string, action: string): Promise<number> {
    const { changes } = (await insist(() => first.send("GET", `${base}/plugins/${id}/changes`))).body.data;
    return (changes as { action: string }[]).filter((one) => one.action === action).length;
  }
  const approvalsOf = async (id: string): Promise<{ id: string; status: string }[]> =>
    (await insist(() => first.send("GET", `${services}/admin/approvals?subject=plugin:${id}`))).body.data.approvals;

  const payees = () => ({
    type: "payee-http",
    name: "payees",
    configuration: { url: partner.url },
    secrets: { apiKey: partner.apiKey },
  });
  const draft = (name: string, priority: number) => ({
    type: "manilla-http",
    name,
    configuration: { url: partner.url, account: `${name}--sandbox` },
    secrets: { apiKey: partner.apiKey, callbackSecret: partner.callbackSecret },
    routes: [{ receivingCountry: "NGA", priority }],
  });
  async function tested(id: string): Promise<void> {
    const testOf = () => first.send("POST", `${base}/plugins/${id}/test`, { body: {} });
    await insist(testOf);
    await waitFor(async () => {
      const { lastTest, status } = await read(id);
      if (lastTest?.hasPassed === false) await insist(testOf);
      return status === "TESTED";
    }, patience);
  }
  const enabled = (name: string, priority: number) => enabledOf(draft(name, priority));
  async function enabledOf(plugin: object): Promise<string> {
    const { installationId: id } = (await post("plugins", plugin)()).body.data;
    await tested(id);
    await approve((await of(id, "enable")()).body.data.pendingApprovalId);
    await statusIs(id, "ENABLED");
    return id;
  }

  /** Asked once more with the same key after the death, it is the same. */
  async function through(point: string, ask: () => Promise<{ status: number; body: any }>) {
    arm(point);
    const answer = await ask();
    await wasKilled(point);
    expect((await ask()).body).toEqual(answer.body);
    return answer.body.data;
  }

  const toGo: string[] = [];

  test("an installation is made, enabled, changed and removed once, through a death at each step", async () => {
    const other = await enabled("no-deaths", 8);
    const name = "through-deaths";
    const made = await through("identity.plugin.created", post("plugins", draft(name, 9)));
    const id = made.installationId as string;
    const listed = (await insist(() => first.send("GET", `${base}/plugins`))).body.data.plugins as { name: string }[];
    expect(listed.filter((one) => one.name === name)).toHaveLength(1);
    await tested(id);

    const requested = await through("identity.plugin.changed", of(id, "enable"));
    expect(await approvalsOf(id)).toMatchObject([{ id: requested.pendingApprovalId, status: "PENDING" }]);
    expect((await read(id)).status).toBe("TESTED");
    await through("identity.approval.decided", () => approve(requested.pendingApprovalId));
    await statusIs(id, "ENABLED");
    expect(await approvalsOf(id)).toMatchObject([{ status: "APPROVED" }]);
    expect([await doneTimes(id, "plugin.enable.ask"), await doneTimes(id, "plugin.enable")]).toEqual([1, 1]);

    const { revision } = await read(id);
    const rotation = await through(
      "identity.plugin.changed",
      of(id, "rotate-secret", { secrets: { callbackSecret: partner.callbackSecret } }),
    );
    expect((await read(id)).revision).toBe(revision);
    arm("identity.plugin.carried-out");
    await approve(rotation.pendingApprovalId);
    await wasKilled("identity.plugin.carried-out");
    await decided(id);
    expect(await doneTimes(id, "plugin.rotate-secret")).toBe(1);
    expect((await read(id)).revision).toBe(revision + 1);

    await of(other, "remove")();
    const removed = await through("identity.plugin.changed", of(id, "remove"));
    expect(removed.status).toBe("REMOVING");
    expect(await doneTimes(id, "plugin.remove")).toBe(1);
    toGo.push(other, id);
  });

  test("a payout has gone to one installation, whoever would take it after the death", async () => {
    // Those that are removed are let go meanwhile: one death of
    // identity at it, and one of remittance.
    for (const point of ["identity.plugin.released", "remittance.plugin.released"]) arm(point);
    const [one, other] = [await enabled("one", 1), await enabled("other", 2)];
    await outlast(knownForMs);
    await wasKilled("remittance.plugin.released");
    const accounts = ["one--sandbox", "other--sandbox", `${readDemo(dataDir).tenants[0]!.id}--sandbox`];
    for (const [point, taker, at] of [
      ["remittance.payout.started", one, "one--sandbox"],
      ["remittance.payout.submitted", other, "other--sandbox"],
    ] as const) {
      arm(point);
      const id = await paid();
      await wasKilled(point);
      // From now on anybody else would be chosen.
      expect((await of(taker, "pause")()).body.data.status).toBe("PAUSED");
      await waitFor(
        async () => (await insist(() => customer.readTransaction(id))).body.data?.status === "COMPLETED",
        patience,
      );
      const known = await Promise.all(accounts.map((account) => statusAt(account, id)));
      expect(known).toEqual(accounts.map((account) => (account === at ? 200 : 404)));
    }
  });

  test("a payee is asked about once for each key, through a death between the partner's answer and ours", async () => {
    await enabledOf(payees());
    const corridors = `${services}/transactionmanagement/corridors`;
    const listed = (await insist(() => first.send("GET", corridors))).body.data as Record<string, any>[];
    const { version: _version, ...corridor } = listed.find(
      (one) => one["sendCurrency"] === "USD" && one["receivingCountry"] === "NGA",
    )!;
    const checked = { type: "ACCOUNTPAYMENT", estimateMinutes: 60, payeeCheck: "AT_TRANSACTION" };
    const others = corridor["deliveries"].filter((one: { type: string }) => one.type !== checked.type);
    const put = () => first.send("PUT", corridors, { body: { ...corridor, deliveries: [...others, checked] } });
    await approve((await insist(put)).body.data.approval.approvalId);
    await outlast(knownForMs);

    const { creditParty } = amina.beneficiaries!.find(
      ({ country, deliveryMethods: [way] }) => country === "NGA" && way === checked.type,
    )!;
    const named = creditParty.map(({ key, value }) =>
      key === "accountholdername" ? { key, value: `${value} Differs` } : { key, value },
    );
    const order = { sendAmount: "10.00", sendCurrency: "USD", originCountry: "USA", to: "NGA" };
    const create = (body: object) => {
      const key = { "x-idempotency-key": randomUUID() };
      return () =>
        insist(() => customer.createTransaction(amina, { ...order, body: { creditParty: named, ...body } }, key));
    };
    const ask = create({});
    arm("remittance.payee.checked");
    const warned = await ask();
    await wasKilled("remittance.payee.checked");
    expect([warned.status, warned.body.code]).toEqual([409, "PAYEE_NAME_DIFFERS"]);
    expect((await ask()).body).toEqual(warned.body);
    const { payeeCheckId } = warned.body.figures;
    expect((await create({ dynamicFields: { payeeCheckId } })()).status).toBe(200);
  });

  test("what is removed is let go once", async () => {
    await wasKilled("identity.plugin.released");
    for (const id of toGo) {
      await statusIs(id, "REMOVED");
      expect(await doneTimes(id, "plugin.release")).toBe(1);
      expect((await read(id)).secrets).toEqual([]);
    }
  });

  test("no point is left out", () => {
    expect([...died].toSorted()).toEqual(points.toSorted());
  });

  async function statusAt(account: string, reference: string): Promise<number> {
    const headers = { authorization: `Bearer ${partner.apiKey}`, "x-account": account };
    return (await fetch(`${partner.url}/v1/payouts/${reference}`, { headers })).status;
  }

  async function paid(): Promise<string> {
    const key = { "x-idempotency-key": randomUUID() };
    const order = { sendAmount: "10.00", sendCurrency: "USD", originCountry: "USA", to: "NGA" };
    const made = await insist(() => customer.createTransaction(amina, order, key));
    const { id, totalAmount } = made.body.data;
    const wallets = (await insist(() => customer.send("GET", `${services}/paymentmanagement/wallet-accounts`))).body;
    const { accountId } = wallets.data.find((one: { currency: string }) => one.currency === "USD");
    const payment = { payAbleId: id, accountId, total: totalAmount, paymentGatewayRef: randomUUID() };
    expect((await insist(() => customer.pay(amina, payment))).status).toBe(200);
    return id;
  }
});
