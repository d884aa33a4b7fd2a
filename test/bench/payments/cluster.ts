import { fork } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { Agent } from "node:http";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { LedgerServiceDefinition } from "../../../proto/gen/ledger/v1/ledger.js";
import { batchPostings } from "../../../services/platform/neighbours/posting-batches.js";
import { createClient, outgoing } from "../../../services/kernel/grpc/client.js";
import { createServiceTokenSigner } from "../../../services/kernel/tokens/service-tokens.js";
import { createOperatorClients } from "../../../deploy/local/operator-clients.js";
import { once } from "../edge/load.js";
import type { Cluster as Measured } from "../reads/usage.js";
import { clients } from "./options.js";

interface Cluster {
  baseUrl: string;
  file: Measured & { addresses: Record<string, string>; keys: { operatorKeyFile: string } };
  process(name: string): { pid(): number | undefined };
  stop(): Promise<void>;
}

interface Built {
  startCluster(options: object): Promise<Cluster>;
}

const { startCluster } = (await import(resolve("dist/deploy/local/cluster.js"))) as Built;

const limits = {
  RATE_LIMIT_PER_ADDRESS: "99999999",
  RATE_LIMIT_PER_USER: "99999999",
  RATE_LIMIT_PER_TENANT: "99999999",
};

const agent = new Agent({ keepAlive: true, maxSockets: clients });

const pm = "/api/v6/services/paymentmanagement";

export async function withCluster<T>(argon: Record<string, string>, work: (bench: Bench) => Promise<T>): Promise<T> {
  const dataDir = mkdtempSync(join(tmpdir(), "manilla-payments-"));
  const processEnv = { gateway: { ...limits, LOG_LEVEL: "warn" }, identity: argon };
  const cluster = await startCluster({ dataDir, port: 0, quiet: true, processEnv });
  try {
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

export type Bench = Awaited<ReturnType<typeof benchOf>>;

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
  const client = createClient(LedgerServiceDefinition, {
    address: cluster.file.addresses["ledger"]!,
    audience: "ledger",
    signer: createServiceTokenSigner({ service: "wallet", privateJwk }),
  });
  // As the wallet calls it.
  const ledger = batchPostings(client);
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
    dataDir,
    baseUrl: cluster.baseUrl,
    file: cluster.file,
    close: () => client.close(),
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
