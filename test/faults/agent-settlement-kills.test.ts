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
// Of 20.00 with a fee of 2.00 + 50 bps: 40 % of 2.10; a quarter of it is taken back with 5.00.
const [soldMinor, earnedMinor, clawedMinor] = [22_26n, 84n, 21n];

const points = (saga: string, steps: string) => steps.split(" ").map((step) => `wallet.${saga}.${step}`);
const ofSale = ["remittance.completion.told", ...points("commission", "completion-noted posted ended")];
const ofRefund = points("commission", "claw-back-begun posted ended");
const ofClosing = points("agent-settlement", "closing lines-taken counted closed");
const ofPaying = points("agent-settlement", "posted paid");
const settled = [...ofClosing, ...ofPaying];

describe("wallet and remittance killed with -9 while agents earn and settle", () => {
  const dataDir = mkdtempSync(join(tmpdir(), "manilla-settled-"));
  const pointFiles = {
    remittance: join(dataDir, "crash-points", "remittance"),
    wallet: join(dataDir, "crash-points", "wallet"),
  };
  let armed = pointFiles.wallet;
  let cluster: Cluster;
  let operator: OperatorClients;
  let sender: DemoUser;
  const edge = {} as Record<"sender" | "manager" | "second", EdgeClient>;
  const agents: { id: string; client: EdgeClient }[] = [];

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
    for (const [name, user] of Object.entries({ sender, manager: manager!, second: second! })) {
      const client = createEdgeClient(demo.baseUrl);
      await client.login(user);
      edge[name as keyof typeof edge] = client;
    }
    // The day that is hours behind every other: what is sold on it is of a day that is over as soon
    // as the organisation is where it is a day later.
    await prefer({ agentCounterSales: true, agentScope: "TENANT", timeZone: "Pacific/Pago_Pago" });
    const rules = [{ basis: "FEE", bps: 4_000 }];
    const plan = { planId: "STANDARD", name: "Standard agents", currency: "USD", rules, reason: "Signed" };
    await approve((await send(edge.manager, "POST", `${agentsBase}/commission-plans`, plan)).body.data.approvalId);
    for (const number of ["sales", ...settled].keys()) {
      const [given, ownPassword] = ["Given-Agent-2026", "Own-Agent-2026"];
      const email = `agent.${number}@demo.example`;
      const draft = { email, password: given, name: `Agent ${number}`, role: "AGENT" };
      const made = await send(edge.manager, "POST", `${services}/usermanagement/create-staff-user`, draft);
      const client = createEdgeClient(demo.baseUrl);
      await client.loginFirst({ email, password: given, ownPassword });
      const id = made.body.data.userId as string;
      const terms = [{ currency: "USD", creditLine: "500.00", commissionPlanId: "STANDARD" }];
      const body = { mode: "ACCOUNT", terms, reason: "Signed" };
      await approve((await send(edge.manager, "PUT", `${agentsBase}/agents/${id}`, body)).body.data.approvalId);
      agents.push({ id, client });
    }
  });

  afterAll(async () => {
    operator?.close();
    await cluster?.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  const call = () => outgoing({ tenantId: "demo", interactionId: randomUUID() });
  const send = async (who: EdgeClient, method: "GET" | "POST" | "PUT", path: string, body?: object, key?: string) => {
    const headers = { "x-idempotency-key": key ?? randomUUID() };
    const answer = await insist(() => who.send(method, path, { headers, ...(body !== undefined && { body }) }));
    expect([path, answer.status < 300 ? "" : answer.text]).toEqual([path, ""]);
    return answer;
  };
  const read = async (path: string) => (await send(edge.manager, "GET", path)).body.data;
  const approve = async (approvalId: string) => {
    const answer = await insist(() => approveShown(edge.second, approvalId, { reason: "As agreed" }));
    expect([answer.status, answer.status === 200 ? "" : answer.text]).toEqual([200, ""]);
  };
  async function prefer(wanted: object): Promise<void> {
    const path = `${services}/admin/organisation-preference-management/change-organisation-preference`;
    const asked = await send(edge.manager, "PUT", path, { ...wanted, reason: "Agents sell" });
    await approve(asked.body.data.approval.approvalId);
  }

  /** In one step: the process reads it at every point. */
  function arm(name: string): void {
    armed = name.startsWith("wallet.") ? pointFiles.wallet : pointFiles.remittance;
    writeFileSync(`${armed}.new`, name);
    renameSync(`${armed}.new`, armed);
  }
  // A point that nobody passed would prove nothing.
  const wasKilled = (name: string) =>
    waitFor(() => !existsSync(armed), { ...patience, what: `the process to be killed at ${name}` });

  async function ordered(): Promise<string> {
    const order = { sendAmount: "20.00", sendCurrency: "USD", originCountry: "USA", to: "NGA", body: {} };
    const key = { "x-idempotency-key": randomUUID() };
    return (await insist(() => edge.sender.createTransaction(sender, order, key))).body.data.id;
  }
  const sell = (who: EdgeClient, transactionId: string) =>
    send(who, "POST", `${pm}/agent-sales`, { transactionId, received: "30.00" });
  /** Of the ledger: account and commission of an agent, in cents. */
  async function inLedger(agentId: string): Promise<bigint[]> {
    const accountIds = ["agent_account", "agent_unsettled", "agent_commission"].map((code) => `${code}:${agentId}:USD`);
    const { accounts } = await operator.ledger.getAccounts({ accountIds }, call());
    return accountIds.map((id) => {
      const found = accounts.find(({ accountId }) => accountId === id);
      return found === undefined ? 0n : found.creditsPostedMinor - found.debitsPostedMinor;
    });
  }
  /** What the wallet has of commission and the ledger has: one figure. */
  const earned = (agentId: string, minor: bigint) =>
    waitFor(
      async () => {
        const { accounts } = await read(`${agentsBase}/agents/${agentId}/accounts`);
        const shown = accounts.find((one: { currency: string }) => one.currency === "USD");
        const [, , commission] = await inLedger(agentId);
        return cents(shown.commission) === minor && commission === minor;
      },
      { ...patience, what: `commission to be ${minor}` },
    );

  test("each point of what agents earn and settle is among them", () => {
    // Given back is what waits for the ledger, which agent-settlement-late.test.ts has.
    const ofTakingBack = points("agent-settlement", "lines-released");
    const names = new Set([...ofSale, ...ofRefund, ...settled, ...ofTakingBack]);
    const all = declaredCrashPoints("wallet").filter((name) => /^wallet\.(commission|agent-settlement)\./.test(name));
    expect(all.filter((name) => !names.has(name))).toEqual([]);
  });

  test.each([...ofSale.map((name) => [name, "sale"] as const), ...ofRefund.map((name) => [name, "refund"] as const)])(
    "at %s, behind a %s: it is earned once, and taken back once",
    async (name, when) => {
      const { id: agentId, client } = agents[0]!;
      const [, , before = 0n] = await inLedger(agentId);
      try {
        const id = await ordered();
        if (when === "sale") arm(name);
        await sell(client, id);
        await earned(agentId, before + earnedMinor);
        if (when === "sale") await wasKilled(name);
        else arm(name);
        const body = { amount: "5.00", reason: "arrived late" };
        const asked = await send(edge.manager, "POST", `${desk}/transactions/${id}/refunds`, body);
        await approve(asked.body.data.refund.approvalId);
        await earned(agentId, before + earnedMinor - clawedMinor);
        await wasKilled(name);
      } finally {
        rmSync(armed, { force: true });
      }
    },
  );

  test.each(settled)("at %s: lines are settled once, and paid once", async (name) => {
    const base = `${agentsBase}/settlements`;
    if (name === settled[0]) {
      for (const { id, client } of agents.slice(1)) {
        await sell(client, await ordered());
        await earned(id, earnedMinor);
      }
      await prefer({ timeZone: "Pacific/Kiritimati" });
    }
    const { id: agentId, client } = agents[settled.indexOf(name) + 1]!;
    const today = Temporal.Now.zonedDateTimeISO("Pacific/Kiritimati").toPlainDate();
    const period = { from: today.subtract({ days: 2 }).toString(), to: today.toString() };
    const opened = await send(edge.manager, "POST", base, { agentId, currency: "USD", ...period });
    const { settlementId } = opened.body.data;
    const until = (status: string) =>
      waitFor(
        async () => {
          const now = await read(`${base}/${settlementId}`);
          return now.status === status ? now : undefined;
        },
        { ...patience, what: `it to be ${status}` },
      );
    try {
      if (ofClosing.includes(name)) arm(name);
      const key = randomUUID();
      // Until the wallet has heard where the organisation is.
      await waitFor(
        async () => {
          const headers = { "x-idempotency-key": key };
          const answer = await insist(() => edge.manager.send("POST", `${base}/${settlementId}/close`, { headers }));
          return answer.status === 200 ? answer : undefined;
        },
        { ...patience, what: "its days to be over" },
      );
      const { dues, statement } = await until("CLOSED");
      expect([statement.lineCount, dues.owes]).toEqual([2, "21.42"]);
      if (ofClosing.includes(name)) await wasKilled(name);
      const reason = "As counted";
      const asked = await send(edge.manager, "POST", `${base}/${settlementId}/approve`, { reason });
      await approve(asked.body.data.approvalId);
      await until("APPROVED");
      if (ofPaying.includes(name)) arm(name);
      const body = { bankAmount: "21.42", reference: "WIRE-1", reason };
      const paid = await send(edge.manager, "POST", `${base}/${settlementId}/payments`, body);
      await approve(paid.body.data.approvalId);
      expect((await until("PAID")).statement).toEqual(statement);
      await wasKilled(name);
      const text = await insist(() => client.send("GET", `${base}/${settlementId}/statement`));
      expect([text.status, text.text.trimEnd().split("\n").length]).toEqual([200, 4]);
    } finally {
      rmSync(armed, { force: true });
    }
    expect(await inLedger(agentId)).toEqual([0n, 0n, 0n]);
    expect(soldMinor - earnedMinor).toBe(21_42n);
  });

  test("all of it is what the wallet says that the ledger must have", async () => {
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
