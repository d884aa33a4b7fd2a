// `npm run bench:investment`: a day's interest of 100,000 holdings in one and two processes, one of
// them killed, and get-total with many holdings.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { startMongo } from "../../../deploy/local/servers.js";
import { parseDecimal } from "../../../services/kernel/decimal.js";
import { tenantCollection } from "../../../services/kernel/mongo/tenant-collection.js";
import { newHolding } from "../../../services/investment/domain/holding.js";
import type { ProductVersion } from "../../../services/investment/domain/product.js";
import { totalsHandlers } from "../../../services/investment/handlers/totals.js";
import { holdingToDocument } from "../../../services/investment/store/holding-rows.js";
import { collections, type HoldingRow, type TotalsRow } from "../../../services/investment/store/collections.js";
import { sliceOf } from "../../../services/investment/store/slices.js";
import { idIn } from "../../../services/investment/store/types.js";
import { openInvestment, tenantId } from "./service.js";

const quick = process.argv.includes("--quick");
const holdings = quick ? 10_000 : 100_000;
const perCustomer = 5;
const target = 5_000;
const start = Temporal.PlainDate.from("2025-01-01");

const product: ProductVersion = {
  productId: "p",
  version: 1,
  name: "Deposit",
  description: "",
  currency: "USD",
  unitPriceMinor: 100_00n,
  unitsOffered: 10_000_000n,
  minimumUnits: 1n,
  maximumUnitsPerCustomer: 10_000_000n,
  tiers: [{ fromMinor: 0n, ratePercent: parseDecimal("6") }],
  compounding: "MONTH",
  dayCount: "ACT/365 FIXED",
  term: { months: 24, days: 0 },
  lockInDays: 0,
  penalty: { kind: "NONE" },
  payout: "AT_MATURITY",
  reinvestment: "NONE",
  withholdingTaxBps: 0,
  status: "OPEN",
};

const dir = mkdtempSync(join(tmpdir(), "manilla-bench-investment-"));
const server = await startMongo({ dir });
const investment = await openInvestment(server.uri, () => 0);
const { db, store } = investment;
try {
  await fill();
  const rows: string[] = [];
  const one = await passDay(1, 1);
  rows.push(lineOf("one process", one));
  const two = await passDay(2, 2);
  rows.push(lineOf("two processes", two));
  const killed = await passDay(3, 2, true);
  rows.push(lineOf("two processes, one killed with -9 half-way", killed));
  const exact = await sumsAgree(3);
  const totals = await measureTotals();
  report(rows, totals, exact);
} finally {
  await investment.close();
  await server.kill();
  rmSync(dir, { recursive: true, force: true });
}

/** Holdings and sums as applications would have left them. */
async function fill(): Promise<void> {
  await store.transaction(
    async (session) => {
      const stamp = { changedAt: new Date(), changedBy: "bench" };
      await store.forTenant(tenantId).putVersion(product, 1, stamp, session);
      return true;
    },
    async () => true,
  );
  const rows = tenantCollection<HoldingRow>(db, collections.holdings).forTenant(tenantId);
  const totals = tenantCollection<TotalsRow>(db, collections.totals).forTenant(tenantId);
  for (let from = 0; from < holdings; from += 5_000) {
    const made = Array.from({ length: Math.min(5_000, holdings - from) }, (_, index) => holdingAt(from + index));
    await rows.insertMany(made.map(({ row }) => row));
    const customers = [...new Set(made.map(({ customerId }) => customerId))];
    await totals.insertMany(
      customers.map((customerId) => ({
        _id: idIn(tenantId, customerId, "USD"),
        customerId,
        currency: "USD",
        principalMinor: BigInt(perCustomer) * 1_000_00n,
        interestMinor: 0n,
      })),
    );
  }
}

function holdingAt(index: number) {
  const customerId = `customer-${Math.floor(index / perCustomer)}`;
  const id = `h${String(index).padStart(9, "0")}`;
  const bought = { holdingId: id, applicationId: id, customerId, walletAccountId: "w", units: 10n };
  return { customerId, row: holdingToDocument(newHolding(product, bought, start), sliceOf(customerId), new Date()) };
}

interface Day {
  perSecond: number;
  rssEarly: number;
  rssLate: number;
  cpuMs: number;
  mongoCpuMs: number;
}

/** A day's work in so many processes. */
async function passDay(day: number, processes: number, kill = false): Promise<Day> {
  const replicas = await Promise.all(Array.from({ length: processes }, () => startReplica(day)));
  const mongoBefore = mongoCpuMs();
  const startedAt = performance.now();
  for (const { go } of replicas) go();
  if (kill) {
    await new Promise((resolve) => setTimeout(resolve, (holdings / target) * 250));
    replicas[0]!.child.kill("SIGKILL");
  }
  const done = await Promise.all(replicas.map(({ result }) => result));
  let seconds = (performance.now() - startedAt) / 1_000;
  let counted = done.reduce((sum, each) => sum + each.counted, 0);
  if (kill) {
    // The slice of the process that is gone is free when its lease is over; what it has counted is
    // not counted again.
    const freed = tenantCollection<{ tenantId: string; leasedUntil: Date }>(db, collections.slices).forTenant(tenantId);
    await freed.updateMany({}, { $set: { leasedUntil: new Date(0) } });
    const last = await startReplica(day);
    const againAt = performance.now();
    last.go();
    await last.result;
    seconds += (performance.now() - againAt) / 1_000;
    counted = holdings;
  }
  return {
    perSecond: Math.round(counted / seconds),
    rssEarly: Math.max(...done.map(({ rssEarly }) => rssEarly)),
    rssLate: Math.max(...done.map(({ rssLate }) => rssLate)),
    cpuMs: done.reduce((sum, { cpuMs }) => sum + cpuMs, 0),
    mongoCpuMs: mongoCpuMs() - mongoBefore,
  };
}

/** CPU that mongod has used; its clock ticks are hundredths of a second. */
function mongoCpuMs(): number {
  const fields = readFileSync(`/proc/${server.pid}/stat`, "utf8").split(") ")[1]!.split(" ");
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

async function startReplica(day: number) {
  const file = join(import.meta.dirname, "replica.ts");
  const hooks = join(import.meta.dirname, "..", "edge", "hooks.mjs");
  const args = [
    "--import",
    hooks,
    "--max-old-space-size=160",
    "--max-semi-space-size=4",
    file,
    server.uri,
    String(day),
  ];
  const child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  await lines.next();
  const nothing = { counted: 0, ms: 0, rssEarly: 0, rssLate: 0, cpuMs: 0 };
  const result = lines
    .next()
    .then(({ value }) => (value === undefined ? nothing : (JSON.parse(String(value)) as typeof nothing)));
  return { child, result, go: () => child.stdin.write("go\n") };
}

/** Every holding, every customer's sum and the orders to post say the same. */
async function sumsAgree(days: number): Promise<boolean> {
  const all = tenantCollection<HoldingRow>(db, collections.holdings).forTenant(tenantId);
  let accrued = 0n;
  let late = 0;
  const through = start.add({ days }).toString();
  for await (const row of all.stream({}, { batchSize: 1_000, projection: { accruedMinor: 1, through: 1 } })) {
    accrued += row.accruedMinor;
    if (row.through !== through) late += 1;
  }
  let inSums = 0n;
  for await (const { interestMinor } of store.forTenant(tenantId).streamTotals()) inSums += interestMinor;
  let toPost = 0n;
  const outbox = tenantCollection<{ tenantId: string; payload: { amounts: { minor: bigint }[] } }>(db, "outbox");
  for await (const { payload } of outbox.forTenant(tenantId).stream({}, { batchSize: 500 })) {
    for (const { minor } of payload.amounts) toPost += minor;
  }
  return late === 0 && accrued === inSums && accrued === toPost;
}

/**
 * The handler with its reads, for a customer with few and one with many holdings; p50 of so many
 * calls, taken in turns.
 */
async function measureTotals(): Promise<{ few: number; many: number }> {
  const rows = tenantCollection<HoldingRow>(db, collections.holdings).forTenant(tenantId);
  const totals = tenantCollection<TotalsRow>(db, collections.totals).forTenant(tenantId);
  for (const [customerId, count] of [
    ["few", 10],
    ["many", 10_000],
  ] as const) {
    const made = Array.from({ length: count }, (_, index) => {
      const id = `${customerId}-${index}`;
      const bought = { holdingId: id, applicationId: id, customerId, walletAccountId: "w", units: 10n };
      return holdingToDocument(newHolding(product, bought, start), sliceOf(customerId), new Date());
    });
    await rows.insertMany(made);
    for (const currency of ["USD", "EUR"]) {
      const _id = idIn(tenantId, customerId, currency);
      await totals.insertOne({ _id, customerId, currency, principalMinor: 1_000_00n, interestMinor: 5_00n });
    }
  }
  const { getTotals } = totalsHandlers({
    store,
    people: { whoseUser: async (userId: string) => (userId.endsWith("1") ? "few" : "many") } as never,
    preferences: { of: async () => ({ baseCurrency: "USD", agentScope: "TENANT" }) },
    remittance: { getExchangeRate: async () => ({ rate: "1.08", source: "bench", validFrom: new Date(0) }) } as never,
    businessClock: {
      forTenant: async () => ({ now: () => new Date(), today: () => start, timeZone: "UTC", aheadMs: 0 }),
    },
  });
  const took: Record<string, number[]> = { few: [], many: [] };
  for (let round = 0; round < (quick ? 200 : 2_000); round++) {
    for (const [name, last] of [
      ["few", 1],
      ["many", 2],
    ] as const) {
      const startedAt = performance.now();
      await getTotals({ userId: `00000000-0000-0000-0000-00000000000${last}` }, { tenantId } as never);
      took[name]!.push(performance.now() - startedAt);
    }
  }
  const p50 = (all: number[]) => all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)]!;
  return { few: p50(took["few"]!), many: p50(took["many"]!) };
}

function lineOf(name: string, { perSecond, rssEarly, rssLate, cpuMs, mongoCpuMs }: Day): string {
  const mib = (bytes: number) => (bytes / 2 ** 20).toFixed(0);
  const perThousand = (ms: number) => ((ms / holdings) * 1_000).toFixed(0);
  return `| ${name} | ${perSecond.toLocaleString("en")} | ${mib(rssEarly)} | ${mib(rssLate)} | ${perThousand(cpuMs)} | ${perThousand(mongoCpuMs)} |`;
}

function report(rows: string[], { few, many }: { few: number; many: number }, isExact: boolean): void {
  const [cpu] = cpus();
  const text = `# Investment

\`npm run bench:investment\`: the interest of one day on ${holdings.toLocaleString("en")} holdings of ${(holdings / perCustomer).toLocaleString("en")} customers, compounding each month,
one mongod beside it. ${new Date().toISOString().slice(0, 10)}, ${cpus().length} cores (${cpu?.model ?? "?"}).
Target: ${target.toLocaleString("en")} holdings a second, flat memory.

| a day's work in | holdings per second | RSS of a process, first third, MiB | last third, MiB | CPU of ours per 1,000, ms | of mongod |
| --- | --- | --- | --- | --- | --- |
${rows.join("\n")}

After three days every holding has earned each day once, and holdings, customers' sums and what is to be posted ${isExact ? "agree to the cent" : "DO NOT AGREE"},
also where a process was killed.

get-total inside the service, two currencies, p50 of calls taken in turns: ${few.toFixed(2)} ms with 10 holdings, ${many.toFixed(2)} ms with 10,000:
${(many / few).toFixed(2)} times (target: at most 2).

Load average of the machine at the end: ${loadavg()[0]?.toFixed(1)}. The machine was shared: CPU is the processes' own, times are not.
`;
  process.stdout.write(text);
}
