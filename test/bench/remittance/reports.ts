// `npm run bench:reports`: sums of 366 days of a tenant's 100,000 transactions and of another's
// million, made by the fold itself, and reports of them, inside the service.
import { mkdtempSync, rmSync } from "node:fs";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { startMongo } from "../../../deploy/local/servers.js";
import { reportHandlers } from "../../../services/remittance/handlers/reports.js";
import { migrations } from "../../../services/remittance/store/migrations.js";
import { createRemittanceStore } from "../../../services/remittance/store/index.js";
import { businessTime } from "../../../services/platform/preferences/business-clock.js";
import { systemClock } from "../../../services/kernel/time/clock.js";
import type { Call } from "../../../services/kernel/grpc/context.js";
import { money } from "../../../services/kernel/money.js";
import { openDatabase } from "../../../services/kernel/mongo/open-database.js";

const quick = process.argv.includes("--quick");
const sizes = quick ? [5_000, 50_000] : [100_000, 1_000_000];
const days = 366;
const [firstDay, lastDay] = ["2026-01-01", "2027-01-01"];
const times = quick ? 20 : 100;

const dir = mkdtempSync(join(tmpdir(), "manilla-bench-reports-"));
const server = await startMongo({ dir });
const { db, close } = await openDatabase(
  { MONGODB_URI: server.uri, MONGODB_DATABASE: "bench" },
  { migrations, log: pino({ level: "silent" }) },
);
const store = createRemittanceStore(db);
const { getCallOverReport, getAnalytics } = reportHandlers({
  store,
  people: { countedTransactions: async () => ({}) } as never,
  times: { forTenant: async () => businessTime(systemClock, 0, "Africa/Lagos") } as never,
});

const rows: string[] = [];
try {
  for (const transactions of sizes) {
    const tenantId = `bench-${transactions}`;
    await fill(tenantId, transactions);
    await folded(tenantId, transactions);
    await measured(tenantId, "call-over of one of the days", (call) => getCallOverReport({ date: "2026-07-15" }, call));
    await measured(tenantId, "analytics of 31 days", (call) =>
      getAnalytics({ from: "2026-07-01", to: "2026-07-31" }, call),
    );
    await measured(tenantId, `analytics of ${days} days`, (call) =>
      getAnalytics({ from: firstDay, to: lastDay }, call),
    );
  }
} finally {
  await close();
  await server.kill();
  rmSync(dir, { recursive: true, force: true });
}
report();

/** How fast the sums are made. */
async function folded(tenantId: string, transactions: number): Promise<void> {
  const startedAt = performance.now();
  while ((await store.forTenant(tenantId).foldSums(new Date(), "Africa/Lagos")) > 0);
  const tookMs = performance.now() - startedAt;
  const documents = await db.collection("report_days").countDocuments({ tenantId });
  print(`| ${transactions} added to ${documents} sums | | ${((tookMs * 1_000) / transactions).toFixed(0)} µs each | |`);
}

async function measured(
  tenantId: string,
  what: string,
  ask: (call: Call) => Promise<{ rows?: readonly unknown[] | undefined }>,
): Promise<void> {
  const call = { tenantId, interactionId: "bench", caller: "gateway", signal: new AbortController().signal } as Call;
  const took: number[] = [];
  let count = 0;
  for (let turn = 0; turn < times; turn += 1) {
    const startedAt = performance.now();
    count = (await ask(call)).rows?.length ?? 0;
    took.push(performance.now() - startedAt);
  }
  took.sort((a, b) => a - b);
  const at = (share: number) => took[Math.ceil(took.length * share) - 1]!.toFixed(0);
  print(`| ${what}, ${tenantId} | ${count} | ${at(0.5)} | ${at(0.99)} |`);
}

function print(row: string): void {
  rows.push(row);
  process.stdout.write(`${row}\n`);
}

async function fill(tenantId: string, transactions: number): Promise<void> {
  const start = Date.parse(`${firstDay}T00:00:00+01:00`);
  const stepMs = Math.floor((days * 86_400_000) / transactions);
  const usd = (minor: bigint) => money(minor, "USD");
  const currencies = ["NGN", "KES", "GBP", "EUR"] as const;
  const native = db.collection("transactions");
  for (let from = 0; from < transactions; from += 5_000) {
    const some = Array.from({ length: 5_000 }, (_, offset) => {
      const index = from + offset;
      const at = new Date(start + index * stepMs);
      const place = index % 4;
      return {
        tenantId,
        transactionId: `t-${index}`,
        transactionCode: `MN${index}`,
        availableOn: "2026-12-02",
        paidAt: at,
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
        status: ["COMPLETED", "COMPLETED", "COMPLETED", "CANCELLED", "REFUNDED"][index % 5],
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
        timeline: [
          { status: "AWAITING_COMPLIANCE", at, actor: "bench", reason: "" },
          { status: "COMPLETED", at: new Date(at.getTime() + 60_000), actor: "bench", reason: "" },
        ],
        // Unique, as a key of a request is.
        request: { caller: `u${index % 50}`, key: `t-${index}`, fingerprint: "f" },
      };
    });
    await native.insertMany(some as never[], { ordered: false });
  }
}

function report(): void {
  const text = [
    "# Reports",
    "",
    `\`npm run bench:reports\`: reports of ${sizes.join(" and ")} transactions of ${days} days, ${times} times each inside the service, one mongod beside it.`,
    `${new Date().toISOString().slice(0, 10)}, ${cpus().length} cores (${cpus()[0]?.model ?? "unknown"}), load average ${loadavg()[0]?.toFixed(1)} at the end${quick ? ", quick" : ""}.`,
    "",
    "| what | rows | p50, ms | p99, ms |",
    "| --- | --- | --- | --- |",
    ...rows,
    "",
  ].join("\n");
  process.stdout.write(text);
}
