// `npm run bench:payments`: what a payment and a statement cost, as ratios of one run on one machine; kept in docs/benchmarks/payments.md.
import { fork } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { Agent } from "node:http";
import { cpus, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { hash } from "@node-rs/argon2";
import { createOperatorClients } from "../../../deploy/local/operator-clients.js";
import { LedgerServiceDefinition } from "../../../proto/gen/ledger/v1/ledger.js";
import { createClient, outgoing } from "../../../services/shared/grpc/client.js";
import { createServiceTokenSigner } from "../../../services/shared/tokens/service-tokens.js";
import { once } from "../edge/load.js";
import { giveCache } from "../mongod-cache.js";

interface Cluster {
  baseUrl: string;
  file: { mongoUri: string; addresses: Record<string, string>; keys: { operatorKeyFile: string } };
  process(name: string): { pid(): number | undefined };
  stop(): Promise<void>;
}

interface Built {
  startCluster(options: object): Promise<Cluster>;
}

const clients = 32;
const quick = process.argv.includes("--quick");
const seconds = quick ? 4 : 10;
const rounds = quick ? 1 : 5;
// A process is at its speed after some thousand payments.
const warmUp = quick ? 500 : 5_000;
/** `-- --statements` leaves payments out, and keeps nothing. */
const statementsOnly = process.argv.includes("--statements");
const entriesWanted = quick ? 20_000 : 100_000;
const production = { memoryKib: 19_456, passes: 2 };
// One more than processors where there are few: none waits for its next hash. Payments, and what they are compared with, hash as many; by itself
// identity leaves a processor to others.
const hashesAtOnce = Math.min(4, cpus().length + 1);

const { startCluster } = (await import(resolve("dist/deploy/local/cluster.js"))) as Built;
const limits = {
  RATE_LIMIT_PER_ADDRESS: "99999999",
  RATE_LIMIT_PER_USER: "99999999",
  RATE_LIMIT_PER_TENANT: "99999999",
};
const agent = new Agent({ keepAlive: true, maxSockets: clients });
const pm = "/api/v6/services/paymentmanagement";

interface Figure {
  what: string;
  value: string;
  target: string;
}

/** Keeps `clients` in flight for so long; each waits for its answer. Per second. */
async function rate(work: (client: number) => Promise<void>): Promise<number> {
  let done = 0;
  const startedAt = performance.now();
  const until = startedAt + seconds * 1_000;
  await Promise.all(
    Array.from({ length: clients }, async (_each, client) => {
      while (performance.now() < until) {
        await work(client);
        done += 1;
      }
    }),
  );
  return done / ((performance.now() - startedAt) / 1_000);
}

async function withCluster<T>(argon: Record<string, string>, work: (bench: Bench) => Promise<T>): Promise<T> {
  const dataDir = mkdtempSync(join(tmpdir(), "manilla-payments-"));
  const processEnv = { gateway: { ...limits, LOG_LEVEL: "warn" }, identity: argon };
  const cluster = await startCluster({ dataDir, port: 0, quiet: true, processEnv });
  try {
    await giveCache(cluster.file.mongoUri);
    await new Promise<void>((done, failed) => {
      const env = { ...process.env, DATA_DIR: dataDir };
      const seed = fork(resolve("dist/deploy/seed/main.js"), ["--demo"], { env, stdio: "ignore" });
      seed.once("exit", (code) => (code === 0 ? done() : failed(new Error(`the seed ended with ${code}`))));
    });
    return await work(await benchOf(cluster, dataDir));
  } finally {
    await cluster.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

type Bench = Awaited<ReturnType<typeof benchOf>>;

interface Payer {
  accountId: string;
  password: string;
  token: string;
  payee: string;
}

/** As many payers as clients, each with a wallet, a session and somebody to pay. */
async function payersOf(cluster: Cluster, tenantId: string): Promise<Payer[]> {
  const { addresses, keys } = cluster.file;
  const operator = await createOperatorClients({ ...addresses, operatorKeyFile: keys.operatorKeyFile } as never);
  const call = () => outgoing({ tenantId, interactionId: randomUUID() }, { timeoutMs: 30_000 });
  const password = "A-Long-Pass-1";
  const open = async (name: string) => {
    const email = `${name}-${randomUUID()}@demo.example`;
    const person = { email, password, firstName: name, lastName: "Bench", country: "NGA" };
    const { customer } = await operator.identity.registerCustomer({ idempotencyKey: email, ...person }, call());
    const customerId = customer!.customerId;
    const status = "CUSTOMER_STATUS_CONFIRMED" as const;
    await operator.compliance.setCustomerStatus({ customerId, status, reason: "bench" }, call());
    const wanted = { idempotencyKey: randomUUID(), customerId, currency: "NGN" };
    const { account } = await operator.wallet.openWalletAccount(wanted, call());
    return { email, accountId: account!.accountId };
  };
  const payers: Payer[] = [];
  for (let each = 0; each < clients; each++) {
    const [payer, payee] = [await open("Payer"), await open("Payee")];
    const amount = { amountMinor: 100_000_000n, currency: "NGN" };
    const deposit = { idempotencyKey: randomUUID(), accountId: payer.accountId, amount, reference: "bench" };
    await operator.wallet.recordDeposit(deposit, call());
    const login = await fetch(`${cluster.baseUrl}/api/v6/services/securitymanagement/login`, {
      method: "PUT",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ email: payer.email, currentPassword: password }),
    });
    const { access_token: token } = (await login.json()) as { access_token: string };
    payers.push({ accountId: payer.accountId, password, token, payee: payee.accountId });
  }
  operator.close();
  return payers;
}

async function benchOf(cluster: Cluster, dataDir: string) {
  const demo = JSON.parse(readFileSync(join(dataDir, "demo.json"), "utf8")) as { tenants: { id: string }[] };
  const tenantId = demo.tenants[0]!.id;
  const payers = await payersOf(cluster, tenantId);
  const privateJwk = JSON.parse(readFileSync(join(dataDir, "keys", "wallet.jwk.json"), "utf8")) as never;
  const ledger = createClient(LedgerServiceDefinition, {
    address: cluster.file.addresses["ledger"]!,
    audience: "ledger",
    signer: createServiceTokenSigner({ service: "wallet", privateJwk }),
  });
  const call = () => outgoing({ tenantId, interactionId: randomUUID() });
  const transfer = ({ accountId, payee }: Payer) => ({
    key: `bench:${randomUUID()}`,
    debitAccountId: accountId,
    creditAccountId: payee,
    amount: { amountMinor: 1n, currency: "NGN" },
    kind: "bench",
    mode: "TRANSFER_MODE_POSTED" as const,
  });
  const [first] = payers as [Payer];
  return {
    close: () => ledger.close(),
    gatewayPid: () => cluster.process("gateway").pid(),
    async pay(client: number): Promise<void> {
      const { accountId, payee, password, token } = payers[client]!;
      const status = await once(
        {
          url: `${cluster.baseUrl}${pm}/makepaymentfromwalletaccount`,
          method: "POST",
          headers: { "Content-Type": "application/json", "X-Auth-Token": token },
          body: JSON.stringify({
            payableType: "WALLET_CUSTOMER",
            payAbleId: payee,
            accountId,
            totalCheckOutAmount: 0.01,
            password,
            paymentGatewayRef: randomUUID(),
          }),
        },
        agent,
      );
      if (status !== 200) throw new Error(`a payment was answered ${status}`);
    },
    async post(client: number): Promise<void> {
      const transfers = [transfer(payers[client]!)];
      const { results } = await ledger.postTransfers({ groups: [{ transfers }], createdBy: "b" }, call());
      if (results[0]?.posted === undefined) throw new Error("a transfer was refused");
    },
    async fill(count: number): Promise<void> {
      for (let done = 0; done < count; done += 500) {
        const groups = Array.from({ length: 500 }, () => ({ transfers: [transfer(first)] }));
        await ledger.postTransfers(
          { groups, createdBy: "b" },
          outgoing({ tenantId, interactionId: randomUUID() }, { timeoutMs: 30_000 }),
        );
      }
    },
    async page(cursor: string): Promise<string> {
      const query = `size=100${cursor === "" ? "" : `&cursor=${cursor}`}`;
      const answer = await fetch(`${cluster.baseUrl}${pm}/wallet-accounts/${first.accountId}/statement?${query}`, {
        headers: { "X-Auth-Token": first.token },
      });
      const { data } = (await answer.json()) as { data: { nextCursor?: string } };
      return data.nextCursor ?? "";
    },
    async csv(): Promise<{ lines: number; seconds: number }> {
      const startedAt = performance.now();
      const answer = await fetch(`${cluster.baseUrl}${pm}/wallet-accounts/${first.accountId}/statement.csv`, {
        headers: { "X-Auth-Token": first.token },
      });
      let lines = 0;
      for await (const chunk of answer.body!) for (const byte of chunk) if (byte === 10) lines += 1;
      return { lines, seconds: (performance.now() - startedAt) / 1_000 };
    },
  };
}

function residentMb(pid: number | undefined): number {
  const [, kb = "0"] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kb) / 1_024;
}

const median = (numbers: number[]): number => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? NaN;

/** Payments, and what they are compared with before and after them: what else the machine does falls on both. */
async function sideBySide(bench: Bench, other: () => Promise<number>) {
  for (let paid = 0; paid < warmUp;) paid += (await rate(bench.pay)) * seconds;
  const taken: { payments: number; other: number }[] = [];
  let before = await other();
  for (let round = 0; round < rounds; round++) {
    const payments = await rate(bench.pay);
    const after = await other();
    taken.push({ payments, other: (before + after) / 2 });
    before = after;
  }
  return {
    payments: median(taken.map((one) => one.payments)),
    other: median(taken.map((one) => one.other)),
    ratio: median(taken.map((one) => one.payments / one.other)),
  };
}

/** Hashes per second with the production parameters. */
async function argonRate(): Promise<number> {
  const options = { memoryCost: production.memoryKib, timeCost: production.passes, parallelism: 1 };
  let done = 0;
  const startedAt = performance.now();
  const until = startedAt + Math.min(5, seconds) * 1_000;
  const one = async () => {
    while (performance.now() < until) {
      await hash("a password of somebody", options);
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: hashesAtOnce }, one));
  return done / ((performance.now() - startedAt) / 1_000);
}

async function statements(bench: Bench): Promise<Figure[]> {
  await bench.fill(entriesWanted);
  const cursors = [""];
  const deep = Math.floor(entriesWanted / 100) - 1;
  for (let page = 0; page < deep; page++) cursors.push(await bench.page(cursors.at(-1) ?? ""));
  const time = async (cursor: string) => {
    const startedAt = performance.now();
    await bench.page(cursor);
    return performance.now() - startedAt;
  };
  const [first, last]: number[][] = [[], []];
  for (let each = 0; each < 15; each++) {
    first!.push(await time(""));
    last!.push(await time(cursors[deep] ?? ""));
  }
  const before = residentMb(bench.gatewayPid());
  let peak = before;
  const watch = setInterval(() => (peak = Math.max(peak, residentMb(bench.gatewayPid()))), 50);
  const { lines, seconds: took } = await bench.csv();
  clearInterval(watch);
  return [
    {
      what: `page ${deep} of a statement, of the first`,
      value: (median(last!) / median(first!)).toFixed(2),
      target: "≤ 1.5",
    },
    {
      what: `gateway's growth while ${lines} lines of CSV stream (${took.toFixed(1)} s)`,
      value: `${(peak - before).toFixed(0)} MB`,
      target: "< 100 MB",
    },
  ];
}

const figures: Figure[] = [];
await withCluster({ ARGON2_MEMORY_KIB: "8", ARGON2_PASSES: "1" }, async (bench) => {
  if (!statementsOnly) {
    const { payments, other, ratio } = await sideBySide(bench, () => rate(bench.post));
    const said = `${payments.toFixed(0)} payments/s of ${other.toFixed(0)} transfers/s`;
    figures.push({
      what: `payments at ${clients} clients, of the ledger's own rate (${said})`,
      value: ratio.toFixed(3),
      target: "≥ 0.1",
    });
  }
  figures.push(...(await statements(bench)));
  bench.close();
});
if (statementsOnly) {
  for (const { what, value, target } of figures) process.stdout.write(`${what}: ${value} (${target})\n`);
  process.exit(0);
}
await withCluster(
  {
    ARGON2_MEMORY_KIB: String(production.memoryKib),
    ARGON2_PASSES: String(production.passes),
    // This machine has nothing else to keep fast.
    ARGON2_AT_ONCE: String(hashesAtOnce),
  },
  async (bench) => {
    const { payments, other, ratio } = await sideBySide(bench, argonRate);
    const said = `${payments.toFixed(1)} payments/s of ${other.toFixed(1)} hashes/s`;
    figures.push({
      what: `payments with production passwords, of what argon2 alone allows (${said})`,
      value: ratio.toFixed(3),
      target: "≥ 0.7",
    });
    bench.close();
  },
);

const table = figures.map(({ what, value, target }) => `| ${what} | ${value} | ${target} |`).join("\n");
const text = `# Payments and statements

\`npm run bench:payments\`${quick ? " -- --quick" : ""}: ratios of one run on one machine (${cpus().length} cores); the load generator, the cluster and MongoDB (1 GB of cache) share it.

| what | value | target |
| ---- | ----- | ------ |
${table}
`;
writeFileSync("docs/benchmarks/payments.md", text);
process.stdout.write(`${text}\n`);
process.exit(0);
