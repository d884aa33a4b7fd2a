// `npm run bench:compliance`: a transaction check with 50 rules, inside the service, for customers
// with a short and a long past.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pino } from "pino";
import { startMongo } from "../../../deploy/local/servers.js";
import { emptyDay, withTransaction } from "../../../services/compliance/decisions/domain/day-activity.js";
import type { DayRecord } from "../../../services/compliance/decisions/domain/day-usage.js";
import { firstDay } from "../../../services/compliance/decisions/domain/figures.js";
import { createChecks } from "../../../services/compliance/decisions/checks/index.js";
import { noCondition, type Aggregate } from "../../../services/compliance/decisions/domain/conditions.js";
import { newCustomer } from "../../../services/compliance/decisions/domain/customer.js";
import { createCustomers } from "../../../services/compliance/decisions/checks/customers.js";
import { migrations } from "../../../services/compliance/store/migrations.js";
import { preferenceOf } from "../../../services/compliance/decisions/clients/preferences.js";
import { createPolicyVersions } from "../../../services/compliance/decisions/store/policy-versions.js";
import type { Policy } from "../../../services/compliance/decisions/domain/policy.js";
import { defaultRiskModel } from "../../../services/compliance/decisions/domain/risk-model.js";
import { createComplianceStore } from "../../../services/compliance/decisions/store/index.js";
import { createBusinessClock } from "../../../services/platform/preferences/business-clock.js";
import { systemClock } from "../../../services/kernel/time/clock.js";
import { openDatabase } from "../../../services/kernel/mongo/open-database.js";
import { createOutbox } from "../../../services/kernel/outbox/index.js";
import type { ScreeningRuns } from "../../../services/compliance/screening/engine/runs.js";
import { withoutKeys } from "../../support/without-keys.js";
import { nobodyScreened, openInMemory, partiesOf } from "../screening/in-memory.js";
import { reportOf } from "./report.js";
import { stolenSince, ticks } from "../stolen.js";

const clients = 16;
const quick = process.argv.includes("--quick");
const seconds = quick ? 2 : 10;
const rounds = quick ? 3 : 5;
/** What screening adds, and nothing else. */
const screeningOnly = process.argv.includes("--screening");
const pastDays = 365;
const tenantId = "bench";
let requested = 0;
const timeZone = "UTC";
const log = pino({ level: "silent" });
const usd = (minor: bigint) => ({ minor, currency: "USD" });

const loads = [
  ["at full speed", 0],
  ["one every 100 ms per client", 100],
] as const;
const screenedLoads = (["known", "new"] as const).flatMap((who) =>
  loads.map(([load, gapMs]) => [who, load, gapMs] as const),
);

const dir = mkdtempSync(join(tmpdir(), "manilla-bench-compliance-"));
const server = await startMongo({ dir });
const config = { MONGODB_URI: server.uri, MONGODB_DATABASE: "bench" };
const { db, close } = await openDatabase(config, { migrations, log });
const store = createComplianceStore(db, withoutKeys);
const tenant = store.forTenant(tenantId);
try {
  const checks = service(openInMemory({ db, store, log }));
  await publish();
  for (const past of [1_000, 100_000]) await fill(past);
  const rows: string[] = [];
  for (const [name, gapMs] of screeningOnly ? [] : loads) {
    // A process is at its speed after some ten thousand checks, and MongoDB once it has written out
    // what was filled in. Then both pasts in turn: what else the machine does falls on both.
    for (const past of [1_000, 100_000]) await round(checks, past, gapMs);
    const [short, long]: Found[][] = [[], []];
    for (let each = 0; each < rounds; each++) {
      short!.push(await round(checks, 1_000, gapMs));
      long!.push(await round(checks, 100_000, gapMs));
    }
    const typical = { short: typicalOf(short!), long: typicalOf(long!) };
    for (const [past, found, all] of [
      ["1,000", typical.short, short!],
      ["100,000", typical.long, long!],
    ] as const) {
      const others = all.map((each) => `${each.p99.toFixed(1)} at ${each.stolen}`).join(", ");
      const { perSecond, p50, p99, cpu } = found;
      rows.push(
        `| ${name} | ${past} | ${perSecond} | ${p50.toFixed(1)} | ${p99.toFixed(1)} (${others}) | ${cpu.toFixed(2)} |`,
      );
    }
    const ratio = (of: "p99" | "cpu") => (typical.long[of] / typical.short[of]).toFixed(2);
    rows.push(`| ${name} | ratio of p99, of CPU | | | ${ratio("p99")} | ${ratio("cpu")} |`);
  }
  const text = reportOf(rows, await screeningRows());
  process.stdout.write(text);
} finally {
  await close();
  await server.kill();
  rmSync(dir, { recursive: true, force: true });
}

type Checks = ReturnType<typeof createChecks>;

/** Of one round, in ms but for the checks per second and what the host took meanwhile. */
interface Found {
  stolen: string;
  cpu: number;
  p50: number;
  p99: number;
  perSecond: number;
}

function service(screening: ScreeningRuns): Checks {
  const outbox = createOutbox({ db, clock: systemClock, log, service: "compliance" });
  const policies = createPolicyVersions();
  // Answered at once, as identity's answer is when it is kept: this measures the service, not its
  // neighbour.
  const identity = { getTenantClock: async () => ({ clock: { timeZone, offsetMs: 0n } }) } as never;
  const times = createBusinessClock({ identity, clock: systemClock });
  const customers = createCustomers({ store, policies, outbox, times });
  const preferences = { of: async () => preferenceOf(undefined) };
  return createChecks({ store, policies, people: {} as never, customers, outbox, times, preferences, screening });
}

/**
 * 50 rules: every measure over windows of 1, 7, 30 and 90 days, structuring and plain conditions.
 * None of them is met.
 */
async function publish(): Promise<void> {
  const windows = [1, 7, 30, 90];
  const base = { comparison: "ABOVE" as const, receivingCountries: [], sourcesOfFunds: [] };
  const huge = usd(10n ** 15n);
  const aggregates: Aggregate[] = windows.flatMap((days): Aggregate[] => [
    { ...base, measure: "SUM", days, amount: huge },
    { ...base, measure: "SUM", days, amount: huge, sourcesOfFunds: ["CASH"] },
    { ...base, measure: "COUNT", days, count: 1_000_000n },
    { ...base, measure: "COUNT", days, count: 1_000_000n, receivingCountries: ["NGA"] },
    { ...base, measure: "DISTINCT", of: "RECIPIENTS", days, count: 1_000_000n },
    { ...base, measure: "DISTINCT", of: "RECEIVING_COUNTRIES", days, count: 1_000n },
    { ...base, measure: "AVERAGE", days, amount: huge },
    { ...base, measure: "MAX", days, amount: huge },
    { ...base, measure: "COUNT", days, count: 1_000_000n, band: { from: usd(9_000_00n), below: usd(10_000_00n) } },
  ]);
  const conditions = [
    ...aggregates.map((aggregate) => ({ ...noCondition, aggregates: [aggregate] })),
    ...Array.from({ length: 50 - aggregates.length }, (_, index) => ({
      ...noCondition,
      amountAtLeast: usd(10n ** 12n + BigInt(index)),
      receivingCountries: ["NGA", "KEN"],
    })),
  ];
  const policy: Policy = {
    knowYourCustomerRules: [],
    transactionRules: conditions.map((condition, index) => ({
      id: `rule-${index}`,
      name: `Rule ${index}`,
      description: "",
      requiredDocuments: [],
      action: "REVIEW",
      visibility: "STAFF",
      condition,
    })),
    dailyLimits: [usd(10n ** 15n)],
    riskModel: defaultRiskModel,
    version: 1,
    publishedAt: new Date(),
    publishedBy: "bench",
    draftedBy: "bench",
  };
  await store.transaction(
    (session) => tenant.insertPolicy(policy, session).then(() => true),
    async () => undefined,
  );
}

/**
 * One customer per client, whose past lies evenly over a year: 20 recipients, 3 countries, 2
 * sources of funds.
 */
async function fill(past: number): Promise<void> {
  const today = new Date().toISOString().slice(0, 10);
  const first = firstDay(today, pastDays);
  const perDay = past / pastDays;
  for (let client = 0; client < clients; client++) {
    const customerId = `c-${past}-${client}`;
    const person = { country: "USA", registeredAt: new Date(0) };
    const days: DayRecord[] = [];
    const customer = { ...newCustomer(customerId), status: "CONFIRMED", policyVersion: 1, person } as const;
    for (let index = 0; index < pastDays; index++) {
      const day = Temporal.PlainDate.from(first).add({ days: index }).toString();
      let activity = emptyDay(day);
      for (let n = Math.floor(index * perDay); n < Math.floor((index + 1) * perDay); n++) {
        activity = withTransaction(activity, {
          amount: usd(10_00n + BigInt((n * 7_919) % 990_000)),
          receivingCountry: ["NGA", "KEN", "GBR"][n % 3]!,
          sourceOfFunds: ["SALARY", "CASH"][n % 2]!,
          recipient: `B-${n % 20}`,
        });
      }
      days.push({ ...activity, customerId, usage: [] });
    }
    await store.transaction(
      async (session) => {
        await tenant.putCustomer(customer, session);
        await tenant.putDays(days, session);
        return true;
      },
      async () => undefined,
    );
  }
}

/** `recipients`: whether each check pays somebody whom nobody was asked about before. */
async function round(
  checks: Checks,
  past: number,
  gapMs: number,
  recipients: "known" | "new" = "known",
): Promise<Found> {
  const tookMs: number[] = [];
  const began = performance.now();
  const cpuBefore = process.cpuUsage();
  const ticksBefore = ticks();
  const until = began + seconds * 1_000;
  const run = async (client: number) => {
    await sleep(Math.random() * gapMs);
    while (performance.now() < until) {
      requested += 1;
      const at = performance.now();
      const stored = await checks.check(
        { tenantId, interactionId: "bench", actor: "bench" },
        {
          transactionId: `t-${requested}`,
          customerId: `c-${past}-${client}`,
          amount: usd(25_00n),
          originCountry: "USA",
          receivingCountry: "NGA",
          receivingCurrency: "NGN",
          remittancePurpose: "FAMILY",
          sourceOfFunds: "SALARY",
          operation: "REMITTANCE",
          recipient: recipients === "known" ? "B-1" : `B-${requested}`,
        },
        { tenantId, interactionId: "bench" },
        { parties: partiesOf(client, recipients === "known" ? 0 : requested) },
      );
      if (stored.decision !== "APPROVED") throw new Error(`decided ${stored.decision}`);
      const took = performance.now() - at;
      tookMs.push(took);
      if (gapMs > took) await sleep(gapMs - took);
    }
  };
  await Promise.all(Array.from({ length: clients }, (_, client) => run(client)));
  const sorted = tookMs.toSorted((a, b) => a - b);
  const quantile = (part: number) => sorted[Math.floor(sorted.length * part)] ?? NaN;
  const perSecond = Math.round(tookMs.length / ((performance.now() - began) / 1_000));
  const { user, system } = process.cpuUsage(cpuBefore);
  const stolen = stolenSince(ticksBefore);
  return { stolen, cpu: (user + system) / 1_000 / tookMs.length, p50: quantile(0.5), p99: quantile(0.99), perSecond };
}

/**
 * Checks with and without screening, one round of each in turns, for recipients that were
 * compared before and for new ones.
 */
async function screeningRows(): Promise<string[]> {
  const [withIt, without] = [service(openInMemory({ db, store, log })), service(nobodyScreened())];
  const rows: string[] = [];
  for (const [recipients, load, gapMs] of screenedLoads) {
    const found: Record<"withIt" | "without", Found[]> = { withIt: [], without: [] };
    for (const checks of [withIt, without]) await round(checks, 1_000, gapMs, recipients);
    for (let each = 0; each < rounds; each++) {
      found.without.push(await round(without, 1_000, gapMs, recipients));
      found.withIt.push(await round(withIt, 1_000, gapMs, recipients));
    }
    const ratios = (of: "p50" | "p99" | "cpu") =>
      found.withIt.map((one, each) => one[of] / found.without[each]![of]).toSorted((a, b) => a - b);
    const median = (all: number[]) => all[Math.floor(all.length / 2)]!.toFixed(2);
    const { p50, p99, cpu } = typicalOf(found.withIt);
    const before = typicalOf(found.without);
    rows.push(
      `| ${recipients} | ${load} | ${before.p50.toFixed(1)} → ${p50.toFixed(1)} | ${before.p99.toFixed(1)} → ${p99.toFixed(1)} | ${before.cpu.toFixed(2)} → ${cpu.toFixed(2)} | ${median(ratios("p50"))} | ${median(ratios("p99"))} | ${median(ratios("cpu"))} |`,
    );
  }
  return rows;
}

/** The round whose p99 is the median. */
function typicalOf(found: readonly Found[]): Found {
  return found.toSorted((a, b) => a.p99 - b.p99)[Math.floor(found.length / 2)]!;
}
