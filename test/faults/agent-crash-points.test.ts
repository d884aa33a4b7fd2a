import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compareWallet } from "../../deploy/cli/reconcile-wallet.js";
import type { Cluster } from "../../deploy/local/cluster.js";
import { createOperatorClients, type OperatorClients } from "../../deploy/local/operator-clients.js";
import { outgoing } from "../../services/kernel/grpc/client.js";
import { approveShown } from "../support/approve-shown.js";
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
import { cents, insist } from "./payment-jobs.js";
import { patience, pm } from "./wallet-people.js";

jest.setTimeout(240_000);

const agentsBase = `${services}/admin/agent-management`;
const desk = `${services}/transactionmanagement`;
// 20.00, fee 2.00 + 50 bps, tax 750 bps on the fee.
const soldMinor = 22_26n;

type Job = "sale" | "topUp" | "transfer" | "pickup" | "payable";

/** What comes before the step that is cut off. */
const unarmed = "";

const steps = (saga: string, names: string) => names.split(" ").map((step) => `wallet.${saga}.${step}`);
// A second manager's word begins a top-up, in whose transaction nothing else is passed.
const cases: (readonly [string, Job])[] = [
  ...steps("payment", "recorded claimed posted marked succeeded").map((name) => [name, "sale"] as const),
  ...steps("movement", "posted ended").map((name) => [name, "topUp"] as const),
  ...steps("movement", "recorded posted ended").map((name) => [name, "transfer"] as const),
  ...steps("pickup", "recorded claimed ended").map((name) => [name, "pickup"] as const),
  ["wallet.agent-pickup.noted", "pickup"],
  ["remittance.pickup.handed-out", "pickup"],
  ...steps("movement", "recorded posted ended").map((name) => [name, "payable"] as const),
];

describe("wallet and remittance killed with -9 while agents sell and pay out of their own", () => {
  const dataDir = mkdtempSync(join(tmpdir(), "manilla-agents-"));
  const pointFiles = {
    remittance: join(dataDir, "crash-points", "remittance"),
    wallet: join(dataDir, "crash-points", "wallet"),
  };
  let armed = pointFiles.wallet;
  let cluster: Cluster;
  let operator: OperatorClients;
  let sender: DemoUser;
  const edge = {} as Record<"sender" | "agent" | "other" | "manager" | "second", EdgeClient>;
  const ids = { agent: "", other: "" };

  beforeAll(async () => {
    const processEnv = { remittance: killedAt(pointFiles.remittance), wallet: killedAt(pointFiles.wallet) };
    const backoff = { firstMs: 20, maxMs: 20 };
    cluster = (await startBuiltCluster({ dataDir, port: 0, quiet: true, processEnv, backoff })) as Cluster;
    seedDemo(dataDir);
    mkdirSync(join(dataDir, "crash-points"));
    const { identity = "", compliance = "", remittance = "", wallet = "", ledger = "" } = cluster.file.addresses;
    const { lending = "", investment = "" } = cluster.file.addresses;
    const { operatorKeyFile } = cluster.file.keys;
    const addresses = { identity, compliance, remittance, wallet, ledger, lending, investment };
    operator = await createOperatorClients({ ...addresses, operatorKeyFile });
    const demo = readDemo(dataDir);
    sender = demoUser(demo, "CUSTOMER", { email: "amina" });
    const [manager, second] = demo.tenants[0]!.users.filter(({ role }) => role === "MANAGER");
    const agent = demoUser(demo, "AGENT");
    const users = { sender, agent, manager: manager!, second: second! };
    for (const [name, user] of Object.entries(users)) {
      const client = createEdgeClient(demo.baseUrl);
      await client.login(user);
      edge[name as keyof typeof edge] = client;
    }
    await openCashPoint();
    const [given, ownPassword] = ["Given-Agent-2026", "Own-Agent-2026"];
    const email = "second.agent@demo.example";
    const draft = { email, password: given, name: "Second Agent", role: "AGENT" };
    const made = await post("manager", `${services}/usermanagement/create-staff-user`, draft);
    edge.other = createEdgeClient(demo.baseUrl);
    await edge.other.loginFirst({ email, password: given, ownPassword });
    Object.assign(ids, { agent: agent.userId, other: made.body.data.userId });
    const preference = `${services}/admin/organisation-preference-management/change-organisation-preference`;
    const wanted = { agentCounterSales: true, agentScope: "TENANT", reason: "Agents sell" };
    const { approvalId } = (await send("manager", "PUT", preference, wanted)).body.data.approval;
    await approve(approvalId);
    for (const agentId of [ids.agent, ids.other]) {
      const terms = [{ currency: "USD", creditLine: "300.00" }, { currency: "NGN" }];
      const body = { mode: "ACCOUNT", terms, reason: "Signed" };
      const asked = await send("manager", "PUT", `${agentsBase}/agents/${agentId}`, body);
      await approve(asked.body.data.approvalId);
    }
  });

  afterAll(async () => {
    operator?.close();
    await cluster?.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  const call = () => outgoing({ tenantId: "demo", interactionId: randomUUID() });
  const send = (who: keyof typeof edge, method: "GET" | "POST" | "PUT", path: string, body?: object, key?: string) => {
    const headers = { "x-idempotency-key": key ?? randomUUID() };
    return insist(() => edge[who].send(method, path, { headers, ...(body !== undefined && { body }) }));
  };
  const post = async (who: keyof typeof edge, path: string, body: object, key?: string) => {
    const answer = await send(who, "POST", path, body, key);
    expect([path, answer.status < 300 ? "" : answer.text]).toEqual([path, ""]);
    return answer;
  };
  /** Asked until it is answered, then once more under the same key: the one answer. */
  const once = async (who: keyof typeof edge, path: string, body: object = {}) => {
    const key = randomUUID();
    const answer = await post(who, path, body, key);
    expect((await post(who, path, body, key)).text).toBe(answer.text);
    return answer.body.data;
  };
  const read = async (who: keyof typeof edge, path: string) => (await send(who, "GET", path)).body.data;
  const approve = async (approvalId: string) => {
    const answer = await insist(() => approveShown(edge.second, approvalId, { reason: "As agreed" }));
    expect([answer.status, answer.status === 200 ? "" : answer.text]).toEqual([200, ""]);
  };
  const until = (what: string, isSo: () => Promise<boolean>) => waitFor(isSo, { ...patience, what });

  /** Cash of our own, which no partner pays out. */
  async function openCashPoint(): Promise<void> {
    const { corridors } = await operator.remittance.listCorridors({}, call());
    const corridor = corridors.find((one) => one.sendCurrency === "USD" && one.receivingCountry === "NGA")!;
    const deliveryMethods = [...new Set([...corridor.deliveryMethods, "DELIVERY_METHOD_CASH_PICKUP" as const])];
    await operator.remittance.putCorridor({ corridor: { ...corridor, deliveryMethods } }, call());
    const of = { name: "Marina", type: "PAYOUT_POINT_TYPE_CASH", country: "NGA", currency: "NGN" } as const;
    const point = { ...of, code: "CASH-1", minimumMinor: 0n, maximumMinor: 10n ** 12n, enabled: true };
    await operator.remittance.putPayoutPoint({ point }, call());
  }

  /** In one step: the process reads it at every point. */
  function arm(name: string): void {
    if (name === unarmed) return;
    armed = name.startsWith("wallet.") ? pointFiles.wallet : pointFiles.remittance;
    writeFileSync(`${armed}.new`, name);
    renameSync(`${armed}.new`, armed);
  }

  /** What the wallet says, and the ledger must have: balance and unsettled, in cents. */
  async function accountsOf(who: "agent" | "other", currency: string): Promise<[bigint, bigint]> {
    const { accounts } = await read("manager", `${agentsBase}/agents/${ids[who]}/accounts`);
    const own = accounts.find((one: { currency: string }) => one.currency === currency);
    return own === undefined ? [0n, 0n] : [cents(own.balance), cents(own.unsettled)];
  }
  async function inLedger(who: "agent" | "other", currency: string): Promise<[bigint, bigint]> {
    const accountIds = ["agent_account", "agent_unsettled"].map((code) => `${code}:${ids[who]}:${currency}`);
    const { accounts } = await operator.ledger.getAccounts({ accountIds }, call());
    const [one = 0n, other = 0n] = accountIds.map((id) => {
      const found = accounts.find(({ accountId }) => accountId === id);
      return found && found.creditsPostedMinor - found.debitsPostedMinor;
    });
    return [one, other];
  }
  /** Runs it, and waits for both of an agent's accounts to have changed by so much. */
  async function changing(who: "agent" | "other", currency: string, by: [bigint, bigint], work: () => Promise<void>) {
    const before = await accountsOf(who, currency);
    await work();
    const wanted = String([before[0] + by[0], before[1] + by[1]]);
    await until(`accounts of ${who} to be ${wanted}`, async () => {
      const both = [await accountsOf(who, currency), await inLedger(who, currency)];
      return both.every((one) => String(one) === wanted);
    });
  }

  async function ordered(body: Record<string, unknown> = {}) {
    const order = { sendAmount: "20.00", sendCurrency: "USD", originCountry: "USA", to: "NGA", body };
    const key = { "x-idempotency-key": randomUUID() };
    const { id, transactionCode } = (await insist(() => edge.sender.createTransaction(sender, order, key))).body.data;
    return { id: id as string, code: transactionCode as string };
  }
  const sell = (transactionId: string) => once("agent", `${pm}/agent-sales`, { transactionId, received: "30.00" });

  const jobs: Record<Job, (point: string) => Promise<void>> = {
    sale: (point) =>
      changing("agent", "USD", [-soldMinor, 0n], async () => {
        const { id } = await ordered();
        arm(point);
        expect(await sell(id)).toMatchObject({ status: "SUCCESS", totalAmount: "22.26", change: "7.74" });
        await until(
          "it to be paid",
          async () => (await read("sender", `${desk}/transactions/${id}`)).status !== "PAYING",
        );
      }),

    topUp: (point) =>
      changing("agent", "USD", [100_00n, 0n], async () => {
        const body = { direction: "TOP_UP", currency: "USD", amount: "100.00", reference: "Transfer 4711" };
        const { approvalId } = await once("manager", `${agentsBase}/agents/${ids.agent}/float-movements`, body);
        arm(point);
        await approve(approvalId);
      }),

    async transfer(point) {
      await jobs.topUp(unarmed);
      await changing("agent", "USD", [-50_00n, 0n], () =>
        changing("other", "USD", [50_00n, 0n], async () => {
          const body = { receiverId: ids.other, currency: "USD", amount: "50.00" };
          const { transferId } = await once("agent", `${agentsBase}/transfers`, body);
          arm(point);
          const done = await once("other", `${agentsBase}/transfers/${transferId}/accept`);
          expect(done).toMatchObject({ transferId, status: "ACCEPTED" });
        }),
      );
    },

    async pickup(point) {
      const creditParty = [
        { key: "payoutpointid", value: "CASH-1" },
        { key: "recipientname", value: "Ngozi Okafor" },
      ];
      const { id, code: transactionCode } = await ordered({ type: "CASH_PICKUP", creditParty });
      await sell(id);
      const transaction = async () => read("sender", `${desk}/transactions/${id}`);
      await until("it to be ready", async () => (await transaction()).status === "READY_FOR_PICKUP");
      const issued = await post("sender", `${desk}/transactions/${id}/pickup-code`, {});
      const { pickupCode } = issued.body.data;
      const before = await accountsOf("agent", "NGN");
      arm(point);
      const key = randomUUID();
      const handOut = (given: string) =>
        send("agent", "POST", `${pm}/agent-pickups`, { transactionCode, pickupCode }, given);
      // Where wallet's recovery came first, the hand-out is free to be asked for again.
      const done = await waitFor(
        async () => {
          const answer = await handOut(key);
          return answer.status === 409 ? undefined : answer;
        },
        { ...patience, what: "the cash to be handed out" },
      );
      expect([done.status, done.status === 200 ? "" : done.text]).toEqual([200, ""]);
      expect((await handOut(randomUUID())).status).toBe(409);
      const unsettled = before[1] + cents(done.body.data.amount);
      await until("it to be owed to the agent", async () => {
        const both = [await accountsOf("agent", "NGN"), await inLedger("agent", "NGN")];
        return both.every((one) => String(one) === String([before[0], unsettled]));
      });
      expect((await transaction()).status).toBe("COMPLETED");
    },

    async payable(point) {
      const { id, code } = await ordered();
      const url = `http://${cluster.file.addresses["partner"]}/control/rules`;
      const rule = { reference: id, behaviour: "REFUSE", delayMs: 0 };
      expect((await fetch(url, { method: "POST", body: JSON.stringify(rule) })).ok).toBe(true);
      await sell(id);
      const owed = async () => (await read("agent", `${pm}/counter-payables?transactionCode=${code}`)).payables;
      await until("it to come back", async () => (await owed()).length > 0);
      const [{ payableId }] = await owed();
      const issued = await post("sender", `${pm}/counter-payables/${payableId}/code`, {});
      await changing("agent", "USD", [0n, soldMinor], async () => {
        arm(point);
        const body = { code: issued.body.data.code, document: { type: "PASSPORT", number: "A01234567" } };
        expect(await once("agent", `${pm}/counter-payables/${payableId}/pay`, body)).toMatchObject({ status: "PAID" });
      });
    },
  };

  test("each point of what agents' money passes is among them", () => {
    const all = declaredCrashPoints("wallet");
    const names = new Set(cases.map(([name]) => name));
    for (const saga of ["movement", "pickup", "agent-pickup"]) {
      expect(all.filter((name) => name.startsWith(`wallet.${saga}.`) && !names.has(name))).toEqual([]);
    }
  });

  test.each(cases)("at %s, during a %s: the money moves once, and all books agree", async (name, job) => {
    try {
      if (job === "sale") await jobs.topUp(unarmed);
      await jobs[job](name);
      // A point that nobody passed would prove nothing.
      await waitFor(() => !existsSync(armed), { ...patience, what: `the process to be killed at ${name}` });
    } finally {
      rmSync(armed, { force: true });
    }
    const compared = await waitFor(
      async () => {
        const found = await compareWallet({ ...operator, call }).catch(() => undefined);
        return found?.inFlight === 0 ? found : undefined;
      },
      { ...patience, what: "nothing to be under way" },
    );
    expect(compared.differences).toEqual([]);
  });
});
