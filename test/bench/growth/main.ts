// `npm run bench:growth`: every list, search, report, statement and posting of the edge for a
// tenant with 10,000 transactions and for one with `--transactions` (1,000,000), as many wallet
// payments and `--customers` (100,000), on the services as `npm start` runs them: time, and what
// MongoDB looks at. `--quick`: 2,000 against 20,000.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { callsOf } from "./calls.js";
import { openDatabases, type Databases } from "./databases.js";
import { compare, openCounter, type Side } from "./measure.js";
import { addPayments } from "./payments.js";
import { addCustomers } from "./people.js";
import { reportOf } from "./report.js";
import { addTransactions } from "./transactions.js";
import { openTenant, pay, seedTenants, startCluster, verifyBooks, walkOnce, walletOf, type Tenant } from "./world.js";

const { values: options } = parseArgs({
  options: {
    transactions: { type: "string" },
    customers: { type: "string" },
    rounds: { type: "string", default: "100" },
    quick: { type: "boolean", default: false },
  },
});
const transactions = Number(options.transactions ?? (options.quick ? 20_000 : 1_000_000));
const customers = Number(options.customers ?? transactions / 10);
const few = options.quick ? 2_000 : 10_000;
const rounds = Number(options.rounds);

const dataDir = mkdtempSync(join(process.env["BENCH_DIR"] ?? tmpdir(), "manilla-growth-"));
const cluster = await startCluster(dataDir);
try {
  await run();
} finally {
  await cluster.stop();
  rmSync(dataDir, { recursive: true, force: true });
}

async function run(): Promise<void> {
  await seedTenants(cluster, ["few", "many"]);
  const tenants = [
    openTenant(cluster, "few", { transactions: few, customers: few / 10 }),
    openTenant(cluster, "many", { transactions, customers }),
  ];
  const databases = await openDatabases(cluster);
  const filledAt = performance.now();
  const sides: Side[] = [];
  for (const tenant of tenants) sides.push(await fill(databases, tenant));
  const filledS = (performance.now() - filledAt) / 1_000;
  await databases.close();
  process.stdout.write(`filled in ${filledS.toFixed(0)} s\n`);
  for (const { id } of tenants) await verifyBooks(cluster, id);
  const counter = await openCounter(cluster);
  const disk = await counter.diskBytes();
  const rows = await compare(sides[0]!, sides[1]!, rounds, counter);
  await counter.close();
  const [small, large] = sides.map(({ tenant }) => tenant) as [Tenant, Tenant];
  const text = reportOf(rows, { small, large, filledS, disk, rounds });
  process.stdout.write(`\n${text}`);
}

/** Walks once through what is multiplied, multiplies it, and says what is to be measured. */
async function fill(databases: Databases, tenant: Tenant): Promise<Side> {
  const { transactionId } = await walkOnce(tenant);
  const wallet = await walletOf(tenant);
  const made = await addCustomers(databases, tenant);
  // The ledger has none of these accounts yet: Kofi's of the fixture is paid.
  const payee = await kofisWallet(databases, tenant.id);
  await pay(tenant, wallet, { payableType: "WALLET_CUSTOMER", payAbleId: payee, totalCheckOutAmount: 0.01 });
  await addPayments(cluster, databases, tenant, made, wallet);
  await addTransactions(databases, tenant, made, transactionId);
  return { tenant, calls: await callsOf(tenant, { ...wallet, payee }) };
}

async function kofisWallet({ identity, wallet }: Databases, tenantId: string): Promise<string> {
  const kofi = await identity.collection("users").findOne({ tenantId, "customer.code": "C-KOFI" });
  const customerId = (kofi as unknown as { customer: { id: string } }).customer.id;
  const account = await wallet.collection("wallet_accounts").findOne({ tenantId, customerId, currency: "USD" });
  return String(account!._id);
}
