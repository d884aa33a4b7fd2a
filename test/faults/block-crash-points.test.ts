import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Cluster } from "../../deploy/local/cluster.js";
import { createOperatorClients, type OperatorClients } from "../../deploy/local/operator-clients.js";
import { RemittanceServiceDefinition } from "../../proto/gen/remittance/v1/remittance.js";
import { WalletServiceDefinition } from "../../proto/gen/wallet/v1/wallet.js";
import { createClient, outgoing } from "../../services/kernel/grpc/client.js";
import { readPrivateKey } from "../../services/kernel/tokens/key-files.js";
import { createServiceTokenSigner } from "../../services/kernel/tokens/service-tokens.js";
import { declaredCrashPoints, killedAt } from "../support/crash-points.js";
import { createEdgeClient, demoUser, readDemo, type DemoUser, type EdgeClient } from "../support/edge-client.js";
import { seedDemo, startBuiltCluster } from "../support/global-setup-e2e.js";
import { waitFor } from "../support/index.js";
import { cents, insist, insistOnRpc } from "./payment-jobs.js";

jest.setTimeout(240_000);

const patience = { timeoutMs: 90_000, everyMs: 200 };
const tenantId = "demo";
const order = { sendAmount: "20.00", sendCurrency: "USD", originCountry: "USA" };

type Job = "block" | "release" | "credit" | "refund" | "freeze" | "thaw";
// A point that both pass is tried in both.
const jobsOf: Record<string, readonly Job[]> = {
  "remittance.block.ordered": ["block"],
  "remittance.block.written": ["block", "release"],
  "remittance.block.release-ordered": ["release"],
  "remittance.block.looked": ["credit"],
  "remittance.block.refund-looked": ["refund"],
  "wallet.freeze.noted": ["freeze"],
  "wallet.freeze.set": ["freeze", "thaw"],
  "wallet.freeze.ended": ["thaw"],
};
const points = Object.entries(jobsOf).flatMap(([name, jobs]) => jobs.map((job) => ({ name, job })));

describe("remittance and wallet killed with -9 while compliance blocks", () => {
  const dataDir = mkdtempSync(join(tmpdir(), "manilla-blocks-"));
  const pointFile = (service: string) => join(dataDir, "crash-points", service);
  let cluster: Cluster;
  let operator: OperatorClients;
  let remittance: ReturnType<typeof createClient<RemittanceServiceDefinition>>;
  let wallet: ReturnType<typeof createClient<WalletServiceDefinition>>;
  let amina: DemoUser;
  let kofi: DemoUser;
  let client: EdgeClient;
  let accountId: string;

  beforeAll(async () => {
    const processEnv = Object.fromEntries(["remittance", "wallet"].map((name) => [name, killedAt(pointFile(name))]));
    const backoff = { firstMs: 20, maxMs: 20 };
    cluster = (await startBuiltCluster({ dataDir, port: 0, quiet: true, processEnv, backoff })) as Cluster;
    seedDemo(dataDir);
    mkdirSync(join(dataDir, "crash-points"));
    const { addresses, keys } = cluster.file;
    const of = (name: string) => addresses[name] ?? "";
    operator = await createOperatorClients({
      identity: of("identity"),
      compliance: of("compliance"),
      remittance: of("remittance"),
      wallet: of("wallet"),
      ledger: of("ledger"),
      lending: of("lending"),
      investment: of("investment"),
      operatorKeyFile: keys.operatorKeyFile,
    });
    const privateJwk = await readPrivateKey(keys.serviceKeyFiles["compliance"] ?? "");
    const signer = createServiceTokenSigner({ service: "compliance", privateJwk });
    remittance = createClient(RemittanceServiceDefinition, {
      address: of("remittance"),
      audience: "remittance",
      signer,
    });
    wallet = createClient(WalletServiceDefinition, { address: of("wallet"), audience: "wallet", signer });
    const demo = readDemo(dataDir);
    amina = demoUser(demo, "CUSTOMER", { email: "amina" });
    kofi = demoUser(demo, "CUSTOMER", { email: "kofi" });
    accountId = amina.wallets!.find(({ currency }) => currency === "USD")!.accountId;
    client = createEdgeClient(demo.baseUrl);
    await client.login(amina);
  });

  afterAll(async () => {
    remittance?.close();
    wallet?.close();
    operator?.close();
    await cluster?.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  const call = () => outgoing({ tenantId, interactionId: randomUUID() });

  /** In one step: the process reads it at every point. */
  function arm(name: string): void {
    const file = pointFile(name.split(".")[0]!);
    writeFileSync(`${file}.new`, name);
    renameSync(`${file}.new`, file);
  }
  /** The process was killed there: it takes the file away first. */
  const wasKilled = (name: string) =>
    waitFor(() => !existsSync(pointFile(name.split(".")[0]!)), {
      ...patience,
      what: `a process to be killed at ${name}`,
    });

  const balance = () => waitFor(() => client.balanceOf(accountId).then((text) => ({ minor: cents(text) })), patience);
  const find = async (id: string) =>
    (await insistOnRpc(() => operator.remittance.getTransaction({ transactionId: id }, call()))).transaction!;
  const until = (id: string, ...statuses: string[]) =>
    waitFor(async () => statuses.includes((await find(id)).status), {
      ...patience,
      what: `${id} to be ${statuses[0]}`,
    });
  const clearing = async (): Promise<bigint> => {
    const accountIds = ["remittance_clearing:USD"];
    const { accounts } = await insistOnRpc(() => operator.ledger.getAccounts({ accountIds }, call()));
    // It is made by the first payment.
    const [{ creditsPostedMinor, debitsPostedMinor } = { creditsPostedMinor: 0n, debitsPostedMinor: 0n }] = accounts;
    return creditsPostedMinor - debitsPostedMinor;
  };
  const force = async (rule: object) => {
    const url = `http://${cluster.file.addresses["partner"]}/control/rules`;
    expect((await fetch(url, { method: "POST", body: JSON.stringify(rule) })).ok).toBe(true);
  };
  const block = (blockId: string, transactionId: string) =>
    insistOnRpc(() => remittance.blockTransactions({ blockId, transactionIds: [transactionId] }, call()));
  const release = (blockId: string, outcome: string) =>
    insistOnRpc(() => remittance.releaseBlockedTransactions({ blockId, outcome }, call()));
  const settled = (blockId: string, id: string) =>
    waitFor(async () => (await block(blockId, id)).underWay === 0, { ...patience, what: "the block to be settled" });

  async function paid(rule: object | undefined, body: Record<string, unknown> = {}, to = "NGA"): Promise<string> {
    const key = { "x-idempotency-key": randomUUID() };
    const created = (await insist(() => client.createTransaction(amina, { ...order, to, body }, key))).body.data;
    if (rule !== undefined) await force({ ...rule, reference: created.id });
    const payment = { payAbleId: created.id, accountId, total: created.totalAmount, paymentGatewayRef: randomUUID() };
    expect((await insist(() => client.pay(amina, payment))).status).toBe(200);
    return created.id as string;
  }
  const setStatus = (status: "CUSTOMER_STATUS_BLOCKED" | "CUSTOMER_STATUS_CONFIRMED") =>
    insistOnRpc(() =>
      operator.compliance.setCustomerStatus({ customerId: kofi.customerId!, status, reason: "test" }, call()),
    );
  const wallets = async () => {
    const { accounts } = await insistOnRpc(() =>
      operator.wallet.listWalletAccounts({ customerId: kofi.customerId! }, call()),
    );
    return accounts.map(({ status }) => status);
  };
  const freeze = (blockId: string, frozen: boolean) =>
    insistOnRpc(() => wallet.setCustomerWalletsFrozen({ customerId: kofi.customerId!, blockId, frozen }, call()));

  /** What was paid rests in clearing while it is blocked, and is back afterwards. */
  async function held(point: string, job: "block" | "release"): Promise<void> {
    const [before, cleared, blockId] = [await balance(), await clearing(), randomUUID()];
    const id = await paid({ behaviour: "STALL" });
    await until(id, "PROCESSING");
    if (job === "block") arm(point);
    await block(blockId, id);
    await settled(blockId, id);
    expect([(await find(id)).status, (await clearing()) - cleared]).toEqual(["BLOCKED", 20_00n]);
    if (job === "release") arm(point);
    await release(blockId, "REFUND");
    await wasKilled(point);
    await until(id, "REFUNDED");
    expect([await balance(), await clearing()]).toEqual([before, cleared]);
  }

  const jobs: Record<Job, (point: string) => Promise<void>> = {
    block: (point) => held(point, "block"),
    release: (point) => held(point, "release"),

    async credit(point) {
      const [before, cleared, blockId] = [await balance(), await clearing(), randomUUID()];
      await setStatus("CUSTOMER_STATUS_BLOCKED");
      const { code, creditParty } = amina.beneficiaries!.find(
        ({ deliveryMethods }) => deliveryMethods[0] === "WALLET",
      )!;
      const id = await paid(undefined, { type: "WALLET", preExistingRecipientCustomerCode: code, creditParty }, "KEN");
      await until(id, "PROCESSING");
      arm(point);
      await block(blockId, id);
      await wasKilled(point);
      await setStatus("CUSTOMER_STATUS_CONFIRMED");
      expect((await find(id)).status).toBe("BLOCKED");
      await release(blockId, "REFUND");
      await until(id, "REFUNDED");
      expect([await balance(), await clearing()]).toEqual([before, cleared]);
    },

    // The ledger is away when its refund is due, and so it is on its way when the block comes.
    async refund(point) {
      const [before, cleared, blockId] = [await balance(), await clearing(), randomUUID()];
      const id = await paid({ behaviour: "REFUSE_LATER", settleMs: 3_000 });
      await until(id, "PROCESSING");
      const ledger = cluster.process("ledger");
      await ledger.kill();
      await until(id, "FAILED");
      expect(await block(blockId, id)).toMatchObject({ blocked: 1, underWay: 1 });
      arm(point);
      await ledger.restart();
      await wasKilled(point);
      await release(blockId, "CONTINUE");
      await until(id, "REFUNDED");
      expect([await balance(), await clearing()]).toEqual([before, cleared]);
    },

    async freeze(point) {
      const blockId = randomUUID();
      arm(point);
      await freeze(blockId, true);
      await wasKilled(point);
      expect(new Set(await wallets())).toEqual(new Set(["FROZEN"]));
      await freeze(blockId, false);
      expect(new Set(await wallets())).toEqual(new Set(["OPEN"]));
    },

    async thaw(point) {
      const blockId = randomUUID();
      await freeze(blockId, true);
      arm(point);
      await freeze(blockId, false);
      await wasKilled(point);
      expect(new Set(await wallets())).toEqual(new Set(["OPEN"]));
      // Told late, it freezes nothing any more.
      expect(await freeze(blockId, true)).toMatchObject({ changed: 0 });
      expect(new Set(await wallets())).toEqual(new Set(["OPEN"]));
    },
  };

  test("every point of blocks is among them", () => {
    const declared = ["remittance", "wallet"].flatMap((service) =>
      declaredCrashPoints(service).filter((name) => /^(remittance\.block|wallet\.freeze)\./.test(name)),
    );
    expect(Object.keys(jobsOf).toSorted()).toEqual(declared.toSorted());
  });

  test.each(points)("at $name, in $job: nothing is lost, held twice or let go", ({ name, job }) => jobs[job](name));
});
