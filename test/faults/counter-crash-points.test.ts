import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compareWallet } from "../../deploy/cli/reconcile-wallet.js";
import type { Cluster } from "../../deploy/local/cluster.js";
import { createOperatorClients, type OperatorClients } from "../../deploy/local/operator-clients.js";
import { outgoing } from "../../services/kernel/grpc/client.js";
import { declaredCrashPoints, killedAt } from "../support/crash-points.js";
import { createEdgeClient, demoUser, readDemo, type DemoUser, type EdgeClient } from "../support/edge-client.js";
import { seedDemo, startBuiltCluster } from "../support/global-setup-e2e.js";
import { waitFor } from "../support/index.js";
import { cents, insist } from "./payment-jobs.js";
import { patience, pm } from "./wallet-people.js";

jest.setTimeout(240_000);

// 20.00, fee 2.00 + 50 bps, tax 750 bps on the fee.
const totalMinor = 22_26n;

const ofPayments = declaredCrashPoints("wallet").filter((name) =>
  /^wallet\.payment\.(recorded|claimed|posted|marked|succeeded)$/.test(name),
);
const ofPayables = declaredCrashPoints("wallet").filter((name) => name.startsWith("wallet.counter-payable."));
const ofWayBack = ["remittance.claim.claimed", "remittance.paid.marked", "remittance.refund.told"];
// Armed before the sale, or before what came back is paid.
const isOfPaying = (name: string) => /^wallet\.counter-payable\.(recorded|posted|ended)$/.test(name);

describe("wallet and remittance killed with -9 while a counter sells and pays back", () => {
  const dataDir = mkdtempSync(join(tmpdir(), "manilla-counter-"));
  const pointFiles = {
    remittance: join(dataDir, "crash-points", "remittance"),
    wallet: join(dataDir, "crash-points", "wallet"),
  };
  let armed = pointFiles.wallet;
  let cluster: Cluster;
  let operator: OperatorClients;
  let sender: DemoUser;
  let tillId: string;
  const edge = {} as Record<"sender" | "cashier" | "manager", EdgeClient>;

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
    const users = { sender, cashier: demoUser(demo, "CASHIER"), manager: demoUser(demo, "MANAGER") };
    for (const [name, user] of Object.entries(users)) {
      const client = createEdgeClient(demo.baseUrl);
      await client.login(user);
      edge[name as keyof typeof edge] = client;
    }
    tillId = (await post(`${pm}/tills`, randomUUID(), { currency: "USD", float: "100.00" })).body.data.tillId;
  });

  afterAll(async () => {
    operator?.close();
    await cluster?.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  const call = () => outgoing({ tenantId: "demo", interactionId: randomUUID() });
  const post = (path: string, key: string, body: object) =>
    insist(() => edge.cashier.send("POST", path, { headers: { "x-idempotency-key": key }, body }));
  const read = async (path: string) => (await insist(() => edge.manager.send("GET", path))).body.data;
  const until = (what: string, isSo: () => Promise<boolean>) => waitFor(isSo, { ...patience, what });

  /** In one step: the process reads it at every point. */
  function arm(name: string): void {
    armed = name.startsWith("wallet.") ? pointFiles.wallet : pointFiles.remittance;
    writeFileSync(`${armed}.new`, name);
    renameSync(`${armed}.new`, armed);
  }

  const expectedInTill = async (): Promise<bigint> => {
    const { tills } = await read(`${pm}/tills?open=true`);
    return cents(tills.find((till: { tillId: string }) => till.tillId === tillId).expected);
  };
  /** What the till has of a transaction, by kind. */
  async function linesOf(code: string): Promise<[string, string][]> {
    const { lines } = await read(`${pm}/tills/${tillId}/movements?size=100`);
    return lines.flatMap(({ kind, amount, transactionCode }: Record<string, string>) =>
      transactionCode === code ? [[kind, amount]] : [],
    );
  }

  /** A transaction that its partner refuses, once it is paid for. */
  async function refusedLater() {
    const order = { sendAmount: "20.00", sendCurrency: "USD", originCountry: "USA", to: "NGA", body: {} };
    const key = { "x-idempotency-key": randomUUID() };
    const { id, transactionCode } = (await insist(() => edge.sender.createTransaction(sender, order, key))).body.data;
    const url = `http://${cluster.file.addresses["partner"]}/control/rules`;
    const rule = { reference: id, behaviour: "REFUSE", delayMs: 0 };
    expect((await fetch(url, { method: "POST", body: JSON.stringify(rule) })).ok).toBe(true);
    return { id: id as string, code: transactionCode as string };
  }

  /** Wallet, remittance and ledger, once nothing is under way. */
  const compared = () =>
    waitFor(
      async () => {
        const found = await compareWallet({ ...operator, call }).catch(() => undefined);
        return found?.inFlight === 0 ? found : undefined;
      },
      { ...patience, what: "nothing to be under way" },
    );

  test("every point of what comes back is among them", () => {
    expect(ofPayments).toHaveLength(5);
    expect(ofPayables.toSorted()).toEqual(
      ["ended", "opened", "posted", "recorded"].map((step) => `wallet.counter-payable.${step}`),
    );
  });

  test.each([...ofPayments, ...ofWayBack, ...ofPayables])(
    "at %s: it is sold once, owed once and paid back once, and all books agree",
    async (name) => {
      try {
        const before = await expectedInTill();
        const { id, code } = await refusedLater();
        if (!isOfPaying(name)) arm(name);
        const key = randomUUID();
        const sell = () => post(`${pm}/tills/${tillId}/sales`, key, { transactionId: id, received: "30.00" });
        const sold = await sell();
        expect([sold.status, sold.body.data?.totalAmount, sold.body.data?.change]).toEqual([200, "22.26", "7.74"]);
        expect((await sell()).text).toBe(sold.text);
        const owed = async () => (await read(`${pm}/counter-payables?transactionCode=${code}`)).payables;
        await until("it to come back", async () => (await owed()).length > 0);
        const [{ payableId, amount }] = await owed();
        expect(amount).toBe("22.26");
        const issued = await insist(() => edge.manager.send("POST", `${pm}/counter-payables/${payableId}/code`, {}));
        if (isOfPaying(name)) arm(name);
        const body = { code: issued.body.data.code, document: { type: "PASSPORT", number: "A01234567" } };
        const payKey = randomUUID();
        const pay = () => post(`${pm}/tills/${tillId}/counter-payables/${payableId}/pay`, payKey, body);
        const paid = await pay();
        expect([paid.status, paid.body.data?.status]).toEqual([200, "PAID"]);
        expect((await pay()).text).toBe(paid.text);
        // A point that nobody passed would prove nothing.
        await waitFor(() => !existsSync(armed), { ...patience, what: `the process to be killed at ${name}` });
        expect(await owed()).toHaveLength(1);
        expect(await linesOf(code)).toEqual([
          ["SALE", "22.26"],
          ["COUNTER_PAYABLE", "-22.26"],
        ]);
        expect(await expectedInTill()).toBe(before);
        const payment = await read(`${pm}/payments/${sold.body.data.paymentId}`);
        expect([payment.status, cents(payment.refundedAmount)]).toEqual(["REFUNDED", totalMinor]);
      } finally {
        rmSync(armed, { force: true });
      }
      expect((await compared()).differences).toEqual([]);
    },
  );
});
