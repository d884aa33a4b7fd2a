// `npm run bench:reports`: call-over and analytics over 92 days of a tenant's million transactions,
// inside the service.
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
const transactions = quick ? 50_000 : 1_000_000;
const days = 92;
const tenantId = "bench";
const [firstDay, lastDay] = ["2026-06-01", "2026-08-31"];

const dir = mkdtempSync(join(tmpdir(), "manilla-bench-reports-"));
const server = await startMongo({ dir });
const { db, close } = await openDatabase(
  { MONGODB_URI: server.uri, MONGODB_DATABASE: "bench" },
  { migrations, log: pino({ level: "silent" }) },
);
const { getCallOverReport, getAnalytics } = reportHandlers({
  store: createRemittanceStore(db),
  people: { countedTransactions: async () => ({}) } as never,
  times: { forTenant: async () => businessTime(systemClock, 0, "Africa/Lagos") } as never,
});

const rows: string[] = [];
try {
  await fill();
  await measured(`call-over of one day of them (${Math.round(transactions / days)})`, (call) =>
    getCallOverReport({ date: "2026-07-15" }, call),
  );
  await measured("analytics of 7 days", (call) => getAnalytics({ from: "2026-07-01", to: "2026-07-07" }, call));
  await measured("analytics of 31 days", (call) => getAnalytics({ from: "2026-07-01", to: "2026-07-31" }, call));
  await measured(`analytics of ${days} days`, (call) => getAnalytics({ from: firstDay, to: lastDay }, call));
  await leftAlone();
} finally {
  await close();
  await server.kill();
  rmSync(dir, { recursive: true, force: true });
}
report();

async function measured(
  what: string,
  ask: (call: Call) => Promise<{ rows?: readonly unknown[] | undefined }>,
): Promise<void> {
  const call = { tenantId, interactionId: "bench", caller: "gateway", signal: new AbortController().signal } as Call;
  const before = process.memoryUsage().rss;
  let highest = before;
  const watch = setInterval(() => (highest = Math.max(highest, process.memoryUsage().rss)), 20);
  const [startedAt, cpu] = [performance.now(), process.cpuUsage()];
  const answer = await ask(call);
  const tookMs = performance.now() - startedAt;
  const { user, system } = process.cpuUsage(cpu);
  clearInterval(watch);
  const grown = (highest - before) / 2 ** 20;
  rows.push(
    `| ${what} | ${answer.rows?.length ?? 0} | ${(tookMs / 1_000).toFixed(2)} | ${((user + system) / 1e6).toFixed(2)} | ${grown.toFixed(0)} |`,
  );
  process.stdout.write(`${rows.at(-1)}\n`);
}

/** How long the reading goes on when whoever asked has left. */
async function leftAlone(): Promise<void> {
  const gone = new AbortController();
  const call = { tenantId, interactionId: "bench", caller: "gateway", signal: gone.signal } as Call;
  const requested = Promise.resolve(getAnalytics({ from: firstDay, to: lastDay }, call)).catch(() => undefined);
  await new Promise((resolve) => setTimeout(resolve, quick ? 50 : 1_000));
  const leftAt = performance.now();
  gone.abort();
  await requested;
  rows.push(
    `| from when the caller leaves until the reading ends, ms | | ${(performance.now() - leftAt).toFixed(0)} ms | | |`,
  );
}

async function fill(): Promise<void> {
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
        timeline: [{ status: "COMPLETED", at, actor: "bench", reason: "" }],
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
    `\`npm run bench:reports\`: ${transactions} transactions of one tenant over ${days} days, counted inside the service, one mongod beside it.`,
    `${new Date().toISOString().slice(0, 10)}, ${cpus().length} cores (${cpus()[0]?.model ?? "unknown"}), load average ${loadavg()[0]?.toFixed(1)} at the end${quick ? ", quick" : ""}.`,
    "",
    "| what | rows | s | CPU of the service, s | memory it grew by, MB |",
    "| --- | --- | --- | --- | --- |",
    ...rows,
    "",
  ].join("\n");
  process.stdout.write(text);
}
