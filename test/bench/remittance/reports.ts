// `npm run bench:reports`: sums of 366 days of a tenant's 100,000 transactions and of another's
// million, made by the fold itself, and reports of them, inside the service. Indexes of lists,
// which no report reads and which a million insertions pay for, are not there. `-- --writes` says
// what keeping the sums costs instead, with all indexes: marks in turns, and the fold.
import { mkdtempSync, rmSync } from "node:fs";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { cpuOf } from "../process-cpu.js";
import { startMongo } from "../../../deploy/local/servers.js";
import { dayReportHandlers } from "../../../services/remittance/handlers/day-reports.js";
import { createReportTurns } from "../../../services/remittance/handlers/report-turns.js";
import { reportHandlers } from "../../../services/remittance/handlers/reports.js";
import { migrations } from "../../../services/remittance/store/migrations.js";
import { createRemittanceStore } from "../../../services/remittance/store/index.js";
import { businessTime } from "../../../services/platform/preferences/business-clock.js";
import { systemClock } from "../../../services/kernel/time/clock.js";
import type { Call } from "../../../services/kernel/grpc/context.js";
import { money } from "../../../services/kernel/money.js";
import { openDatabase } from "../../../services/kernel/mongo/open-database.js";

const quick = process.argv.includes("--quick");
const [few, many] = quick ? [5_000, 50_000] : [100_000, 1_000_000];
const allDays = 366;
const [from, to] = ["2026-01-01", "2027-01-01"];
const times = quick ? 20 : 100;
const timeZone = "Africa/Lagos";

const dir = mkdtempSync(join(tmpdir(), "manilla-bench-reports-"));
const server = await startMongo({ dir });
const { db, close } = await openDatabase(
  { MONGODB_URI: server.uri, MONGODB_DATABASE: "bench" },
  { migrations, log: pino({ level: "silent" }) },
);
const store = createRemittanceStore(db);
const deps = {
  store,
  people: { countedTransactions: async () => ({}) } as never,
  times: { forTenant: async () => businessTime(systemClock, 0, timeZone) } as never,
  oneOfFew: createReportTurns(),
};
const { getCallOverReport, getAnalytics } = reportHandlers(deps);
const { getReport } = dayReportHandlers(deps);

type Answer = { rows?: readonly unknown[] | undefined };
const reportOf =
  (report: string, ...by: string[]) =>
  (call: Call): Promise<Answer> =>
    getReport({ report, from, to, by, columns: [] }, call);
const reports: Record<string, (call: Call) => Promise<Answer>> = {
  "call-over of one of the days": (call) => getCallOverReport({ date: "2026-07-15" }, call),
  "analytics of 31 days": (call) => getAnalytics({ from: "2026-07-01", to: "2026-07-31" }, call),
  "analytics of 366 days": (call) => getAnalytics({ from, to }, call),
  "volume by corridor and day": reportOf("volume", "corridor", "day"),
  "volume by partner and month": reportOf("volume", "partner", "month"),
  "volume by agent": reportOf("volume", "agent"),
  "margin by day": reportOf("margin", "day"),
  "success and times by method": reportOf("success", "method"),
  "failures by reason": reportOf("failures"),
  ageing: reportOf("ageing"),
};

interface Measured {
  rows: number;
  p50: number;
  p99: number;
  /** Of this process, a report. */
  cpu: number;
  examined: number;
}

const lines: string[] = [];
try {
  if (process.argv.includes("--writes")) await writesOnly();
  else await allReports();
} finally {
  await close();
  await server.kill();
  rmSync(dir, { recursive: true, force: true });
}

async function allReports(): Promise<void> {
  await withoutListIndexes();
  const found = new Map<number, Map<string, Measured>>();
  for (const transactions of [few, many]) {
    const tenantId = `bench-${transactions}`;
    await fill(tenantId, transactions);
    lines.push(await folded(tenantId, transactions));
    const all = new Map<string, Measured>();
    for (const [what, ask] of Object.entries(reports)) all.set(what, await measured(tenantId, ask));
    found.set(transactions, all);
  }
  report(found);
}

async function writesOnly(): Promise<void> {
  const tenantId = "bench-writes";
  // A thousand a day.
  await fill(tenantId, 5_000, 5);
  const own = db.collection("transactions");
  const ids = Array.from({ length: 5_000 }, (_, index) => `t-${index}`);
  const took = { with: [] as number[], without: [] as number[] };
  for (let round = 0; round < 20; round += 1) {
    const kind = round % 2 === 0 ? "with" : "without";
    const before = cpuNow();
    for (const transactionId of ids.slice(0, 1_000)) {
      const $set = { status: `ROUND-${round}`, ...(kind === "with" && { uncountedSince: new Date(1 + round) }) };
      await own.updateOne({ tenantId, transactionId }, { $set });
    }
    took[kind].push((cpuNow() - before) / 1_000);
    const status = { status: "COMPLETED", uncountedSince: new Date(kind === "with" ? 1 : 0) };
    await own.updateMany({ tenantId }, { $set: status });
  }
  const middle = (all: number[]) => all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)]!.toFixed(3);
  await own.updateMany({ tenantId }, { $set: { status: "COMPLETED", uncountedSince: new Date(1) } });
  process.stdout.write(
    `an update with a mark ${middle(took.with)}, without ${middle(took.without)} ms of CPU, medians of 10 rounds in turns\n${await folded(tenantId, 5_000)}\n`,
  );
}

/** Of this process and of mongod, ms. */
function cpuNow(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000 + cpuOf({ mongod: server.pid })["mongod"]!;
}

async function withoutListIndexes(): Promise<void> {
  const own = db.collection("transactions");
  for (const { name } of await own.indexes()) {
    if (name !== "_id_" && name !== "one_per_id" && name !== "uncounted") await own.dropIndex(name!);
  }
}

/** Adds all to the sums; says what it cost. */
async function folded(tenantId: string, transactions: number): Promise<string> {
  const before = { own: process.cpuUsage(), mongod: cpuOf({ mongod: server.pid })["mongod"]! };
  const { foldSums } = store.forTenant(tenantId);
  while ((await foldSums(new Date(), timeZone)) > 0);
  const { user, system } = process.cpuUsage(before.own);
  const own = (user + system) / 1_000 / transactions;
  const mongod = (cpuOf({ mongod: server.pid })["mongod"]! - before.mongod) / transactions;
  const sums = await db.collection("report_days").countDocuments({ tenantId });
  return `${transactions} were added to ${sums} sums: ${own.toFixed(2)} and mongod's ${mongod.toFixed(2)} ms of CPU each.`;
}

async function measured(tenantId: string, ask: (call: Call) => Promise<Answer>): Promise<Measured> {
  const call = {
    tenantId,
    interactionId: "bench",
    caller: "gateway",
    signal: new AbortController().signal,
    user: { role: "MANAGER" },
  } as Call;
  await ask(call);
  const took: number[] = [];
  let rows = 0;
  const before = { cpu: process.cpuUsage(), examined: await examined() };
  for (let turn = 0; turn < times; turn += 1) {
    const startedAt = performance.now();
    rows = (await ask(call)).rows?.length ?? 0;
    took.push(performance.now() - startedAt);
  }
  const { user, system } = process.cpuUsage(before.cpu);
  took.sort((a, b) => a - b);
  const at = (share: number) => took[Math.ceil(took.length * share) - 1]!;
  return {
    rows,
    p50: at(0.5),
    p99: at(0.99),
    cpu: (user + system) / 1_000 / times,
    examined: ((await examined()) - before.examined) / times,
  };
}

/** Documents that MongoDB has looked at since it began. */
async function examined(): Promise<number> {
  const { metrics } = await db.db!.admin().serverStatus();
  return Number((metrics as { queryExecutor: { scannedObjects: bigint } }).queryExecutor.scannedObjects);
}

async function fill(tenantId: string, transactions: number, days = allDays): Promise<void> {
  const start = Date.parse(`${from}T00:00:00+01:00`);
  const stepMs = Math.floor((days * 86_400_000) / transactions);
  const usd = (minor: bigint) => money(minor, "USD");
  const currencies = ["NGN", "KES", "GBP", "EUR"] as const;
  const native = db.collection("transactions");
  for (let first = 0; first < transactions; first += 5_000) {
    const some = Array.from({ length: 5_000 }, (_, offset) => {
      const index = first + offset;
      const at = new Date(start + index * stepMs);
      const after = (seconds: number) => new Date(at.getTime() + seconds * 1_000);
      const place = index % 4;
      const status = (["COMPLETED", "COMPLETED", "COMPLETED", "CANCELLED", "PROCESSING"] as const)[index % 5]!;
      const steps = {
        COMPLETED: ["PAID", "PROCESSING", "COMPLETED"],
        CANCELLED: ["CANCELLED"],
        PROCESSING: ["PAID", "PROCESSING"],
      };
      // From some seconds to a day and a half.
      const took = [0, 2, 3, Math.floor(3 + 1.4 ** ((index * 7) % 35))];
      const isPaid = status !== "CANCELLED";
      return {
        tenantId,
        transactionId: `t-${index}`,
        transactionCode: `MN${index}`,
        availableOn: "2026-12-02",
        ...(isPaid && {
          paidAt: after(2),
          payout: { interactionId: "i", sentAt: after(3), installationId: `partner-${index % 3}` },
        }),
        terms: { middleRate: "1610" },
        uncountedSince: new Date(1),
        sender: {
          customerId: `c${index % 5_000}`,
          customerCode: `C-${index % 5_000}`,
          name: "Ada Obi",
          country: "USA",
        },
        recipient: { customerId: "b1", customerCode: "B-1", name: "Ngozi Okafor", country: "NGA" },
        version: 3,
        status,
        deliveryMethod: index % 3 === 0 ? "CASH_PICKUP" : "ACCOUNTPAYMENT",
        processingMode: "REAL_TIME",
        price: {
          principal: usd(100_00n),
          fees: [{ name: "Transfer fee", amount: usd(2_50n), tax: usd(19n) }],
          totalFees: usd(2_50n),
          totalTaxes: usd(19n),
          total: usd(102_69n),
          receive: money(160_000_00n, currencies[place]!),
          rate: "1600",
          inclusive: false,
        },
        creditParty: [{ key: "bankaccountno", value: "3012345671" }],
        transferInformation: { originCountry: "USA", receivingCountry: ["NGA", "KEN", "GBR", "DEU"][place] },
        interactionId: "i",
        createdAt: at,
        createdBy: `u${index % 50}`,
        createdByRole: "CASHIER",
        agentId: `AG${index % 20}`,
        searchWords: ["ada", "obi", `mn${index}`],
        timeline: ["AWAITING_PAYMENT", ...steps[status]].map((step, number) => ({
          status: step,
          at: after(took[number]!),
          actor: "bench",
          reason: "",
        })),
        // Unique, as a key of a request is.
        request: { caller: `u${index % 50}`, key: `t-${index}`, fingerprint: "f" },
      };
    });
    await native.insertMany(some as never[], { ordered: false });
  }
}

function report(found: ReadonlyMap<number, ReadonlyMap<string, Measured>>): void {
  const [a, b] = [found.get(few)!, found.get(many)!];
  const pair = (left: number, right: number, digits = 0) => `${left.toFixed(digits)}, ${right.toFixed(digits)}`;
  const rows = Object.keys(reports).map((what) => {
    const [less, more] = [a.get(what)!, b.get(what)!];
    const ratios = `${(more.p50 / less.p50).toFixed(2)}, ${(more.cpu / less.cpu).toFixed(2)}`;
    const figures = [pair(less.p50, more.p50), pair(less.p99, more.p99), pair(less.cpu, more.cpu), ratios];
    return `| ${[what, more.rows, ...figures, pair(less.examined, more.examined)].join(" | ")} |`;
  });
  const text = [
    "# Reports",
    "",
    `\`npm run bench:reports\`: reports of ${few} and ${many} transactions of ${allDays} days, ${times} times each inside the service, one mongod beside it.`,
    `${new Date().toISOString().slice(0, 10)}, ${cpus().length} cores (${cpus()[0]?.model ?? "unknown"}), load average ${loadavg()[0]?.toFixed(1)} at the end${quick ? ", quick" : ""}.`,
    ...lines,
    "",
    "| what | rows | p50, ms | p99, ms | CPU, ms | ratios of p50 and CPU | documents read |",
    "| --- | --- | --- | --- | --- | --- | --- |",
    ...rows,
    "",
  ].join("\n");
  process.stdout.write(text);
}
