import { fork } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parse } from "yaml";
import { sampleOrder } from "../remittance/orders.js";

export interface Cluster {
  baseUrl: string;
  file: {
    dataDir: string;
    mongoUri: string;
    addresses: Record<string, string>;
    keys: { operatorKeyFile: string; masterKeyFile: string };
  };
  stop(): Promise<void>;
}

export interface Answer {
  status: number;
  body: { data?: Record<string, unknown> | unknown[] };
}

/** A tenant of the benchmark, as its people reach it. */
export interface Tenant {
  id: string;
  transactions: number;
  customers: number;
  call(who: Who, method: string, path: string, body?: object): Promise<Answer>;
}

export type Who = "manager" | "agent" | "amina";

const services = "/api/v6/services";
const passwords = { manager: "Demo-Manager-1", agent: "Demo-Agent-1", amina: "Demo-Amina-1" } as const;
const agent = new Agent({ keepAlive: true, maxSockets: 8 });

// A whole load of one address and one user is what is measured.
const limits = {
  RATE_LIMIT_PER_ADDRESS: "99999999",
  RATE_LIMIT_PER_USER: "99999999",
  RATE_LIMIT_PER_TENANT: "99999999",
};

/** The services as `npm start` starts them, mongod with the cache that it has there. */
export async function startCluster(dataDir: string): Promise<Cluster> {
  interface Built {
    startCluster(options: object): Promise<Cluster>;
  }
  const built = (await import(resolve("dist/deploy/local/cluster.js"))) as Built;
  const processEnv = { gateway: { ...limits, LOG_LEVEL: "warn" } };
  return built.startCluster({ dataDir, port: Number(process.env["PORT"] ?? 0), quiet: true, processEnv });
}

/** The demo tenant under these ids, each with a host of its own. */
export async function seedTenants(cluster: Cluster, ids: readonly string[]): Promise<void> {
  const demo = parse(readFileSync("deploy/seed/demo.yaml", "utf8")) as { tenants: Record<string, unknown>[] };
  const { investmentProducts: _products, loanProducts: _loans, ...tenant } = demo.tenants[0]!;
  const customers = (tenant["customers"] as Record<string, unknown>[]).map(({ loans: _own, ...person }) => person);
  const { dataDir } = cluster.file;
  const fixture = join(dataDir, "growth.json");
  const tenants = ids.map((id) => ({ ...tenant, id, name: id, hosts: [hostOf(id)], customers }));
  writeFileSync(fixture, JSON.stringify({ tenants }));
  await runBuilt(dataDir, "deploy/seed/main.js", [fixture]);
}

/**
 * Recomputes the chain and every balance, as `npm run ledger -- verify` does;
 * throws where anything does not fit.
 */
export const verifyBooks = ({ file }: Cluster, tenantId: string): Promise<void> =>
  runBuilt(file.dataDir, "deploy/cli/ledger.js", ["verify", "--tenant", tenantId]);

async function runBuilt(dataDir: string, program: string, args: readonly string[]): Promise<void> {
  const child = fork(resolve("dist", program), args, {
    env: { ...process.env, DATA_DIR: dataDir },
    stdio: ["ignore", program.includes("ledger") ? "inherit" : "ignore", "inherit", "ipc"],
  });
  await new Promise<void>((done, failed) =>
    child.once("exit", (code) => (code === 0 ? done() : failed(new Error(`${program} ended with ${code}`)))),
  );
}

const hostOf = (tenantId: string) => `${tenantId}.localhost`;

/** Signs its people in by themselves, again when a session has ended. */
export function openTenant({ baseUrl }: Cluster, id: string, size: Pick<Tenant, "transactions" | "customers">): Tenant {
  const tokens = new Map<Who, string>();
  const send = (method: string, path: string, body: object | undefined, headers: Record<string, string>) =>
    exchange(`${baseUrl}${path}`, { method, body, headers: { ...headers, host: hostOf(id) } });
  async function tokenOf(who: Who): Promise<string> {
    const known = tokens.get(who);
    if (known !== undefined) return known;
    const login = { email: `${who}@demo.example`, currentPassword: passwords[who] };
    const { status, body } = await send("PUT", `${services}/securitymanagement/login`, login, {});
    if (status !== 200) throw new Error(`${who} did not log in: ${JSON.stringify(body)}`);
    const token = (body as { access_token: string }).access_token;
    tokens.set(who, token);
    return token;
  }
  return {
    id,
    ...size,
    async call(who, method, path, body) {
      for (let tries = 0; ; tries++) {
        const token = await tokenOf(who);
        const keyed = method === "GET" ? {} : { "x-idempotency-key": randomUUID(), ipAddress: "203.0.113.7" };
        const answer = await send(method, path, body, { "x-auth-token": token, ...keyed });
        if (answer.status !== 401 || tries > 0) return answer;
        tokens.delete(who);
      }
    },
  };
}

interface Sent {
  method: string;
  headers: Record<string, string>;
  body: object | undefined;
}

function exchange(url: string, { method, headers, body }: Sent): Promise<Answer> {
  const typed = body === undefined ? headers : { ...headers, "content-type": "application/json" };
  return new Promise((done, failed) => {
    const sent = request(url, { method, headers: typed, agent }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.once("error", failed);
      response.once("end", () => {
        const text = Buffer.concat(chunks).toString();
        const isJson = response.headers["content-type"]?.includes("json") === true;
        done({ status: response.statusCode ?? 0, body: isJson ? JSON.parse(text) : {} });
      });
    });
    sent.once("error", failed);
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

export interface Wallet {
  accountId: string;
  currency: string;
  /** The wallet account of somebody who may be paid. */
  payee?: string;
}

/** The wallet of Amina in US dollars. */
export async function walletOf(tenant: Tenant): Promise<Wallet> {
  const { data } = (await tenant.call("amina", "GET", `${services}/paymentmanagement/wallet-accounts`)).body;
  return (data as unknown as Wallet[]).find(({ currency }) => currency === "USD")!;
}

/** Asks for a transaction as Amina; what it answered. */
export async function createTransaction(tenant: Tenant): Promise<{ id: string; totalAmount: number }> {
  const { status, body } = await tenant.call(
    "amina",
    "POST",
    `${services}/transactionmanagement/create-transaction`,
    order,
  );
  if (status !== 200) throw new Error(`no transaction: ${JSON.stringify(body)}`);
  const { id, totalAmount } = body.data as unknown as { id: string; totalAmount: string };
  return { id, totalAmount: Number(totalAmount) };
}

const order = sampleOrder("C-AMINA", "B-AMINA-NG");

/** Pays from Amina's wallet. */
export async function pay(
  tenant: Tenant,
  wallet: Wallet,
  what: { payableType: string; payAbleId: string; totalCheckOutAmount: number },
): Promise<void> {
  const { status, body } = await tenant.call(
    "amina",
    "POST",
    `${services}/paymentmanagement/makepaymentfromwalletaccount`,
    { ...what, accountId: wallet.accountId, password: passwords.amina, paymentGatewayRef: randomUUID() },
  );
  if (status !== 200) throw new Error(`no payment: ${JSON.stringify(body)}`);
}

/**
 * One transaction from its creation to its payout: what is multiplied is what the
 * services themselves wrote of it.
 */
export async function walkOnce(tenant: Tenant): Promise<{ transactionId: string }> {
  const wallet = await walletOf(tenant);
  const { id, totalAmount } = await createTransaction(tenant);
  await pay(tenant, wallet, { payableType: "TRANSACTION", payAbleId: id, totalCheckOutAmount: totalAmount });
  const path = `${services}/transactionmanagement/transactions/${id}`;
  for (let tries = 0; tries < 600; tries++) {
    const { data } = (await tenant.call("amina", "GET", path)).body;
    if ((data as { status: string }).status === "COMPLETED") return { transactionId: id };
    await sleep(200);
  }
  throw new Error(`transaction ${id} was not paid out`);
}
