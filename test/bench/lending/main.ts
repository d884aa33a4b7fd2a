// `npm run bench:lending`: a schedule of 360 instalments; a day's accrual of 100,000 loans in one
// and two processes, one of them killed; reads meanwhile.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { v7 as uuidv7 } from "uuid";
import { startMongo, startRedis } from "../../../deploy/local/servers.js";
import { plainWeek } from "../../../services/lending/domain/calendar.js";
import { lendingAccount } from "../../../services/lending/domain/books.js";
import { bookedNow, settle, slotOf, viewOf, type Loan } from "../../../services/lending/domain/loan.js";
import { scheduleTermsOf } from "../../../services/lending/domain/terms.js";
import { scheduleOf } from "../../../services/lending/domain/schedule.js";
import { collections } from "../../../services/lending/store/collections.js";
import { tenantCollection } from "../../../services/kernel/mongo/tenant-collection.js";
import { openLending, tenantId } from "./service.js";

const quick = process.argv.includes("--quick");
const requested = process.argv.find((word) => word.startsWith("--loans="));
const loans = requested === undefined ? (quick ? 10_000 : 100_000) : Number(requested.slice(8));

const dir = mkdtempSync(join(tmpdir(), "manilla-bench-lending-"));
const server = await startMongo({ dir: join(dir, "mongo") });
const redis = await startRedis({ dir: join(dir, "redis") });
const lending = await openLending(server.uri);
const rows = tenantCollection<Loan & { _id: string; tenantId: string }>(lending.db, collections.loans).forTenant(
  tenantId,
);
const someIds: string[] = [];
try {
  const schedule = measureSchedule();
  await fill();
  await readsFor(2_000);
  const before = await readsFor(5_000);
  const one = await passDay("2026-11-02", 1);
  const two = await passDay("2026-11-03", 2);
  const killed = await passDay("2026-11-04", 2, true);
  const due = await passDay("2026-12-01", 1);
  const after = await readsFor(5_000);
  const idle = p99Of([...before, ...after]);
  const agrees = await sumsAgree("2026-12-01");
  console.log(
    `\n${loans} active loans of 12 instalments, ${cpus().length} × ${cpus()[0]?.model ?? "?"}, load ${loadavg()[0]?.toFixed(1)}\n`,
  );
  console.log(`schedule of 360 instalments: ${schedule.toFixed(2)} ms (median of 200)`);
  for (const [name, day] of Object.entries({
    "one process": one,
    "two processes": two,
    "two, one killed with -9": killed,
    "a day on which all are due": due,
  })) {
    console.log(
      `${name}: ${Math.round(day.perSecond)} loans/s, highest rss ${Math.round(day.highestRss / 2 ** 20)} MB, reads p99 ${day.p99.toFixed(1)} ms (${(day.p99 / idle).toFixed(2)} times), ${Math.round(day.cpuUsPerLoan)} us CPU a loan`,
    );
  }
  console.log(
    `reads with nothing else: p99 ${idle.toFixed(1)} ms (${p99Of(before).toFixed(1)} before, ${p99Of(after).toFixed(1)} after)`,
  );
  console.log(agrees ? "each loan was booked once each day" : "LOANS WERE NOT BOOKED ONCE");
} finally {
  await lending.close();
  await Promise.all([server.kill(), redis.kill()]);
  rmSync(dir, { recursive: true, force: true });
}

function measureSchedule(): number {
  const terms = {
    ...loanOf(0).terms,
    principalMinor: 25_000_000n,
    instalments: 360,
    dayCount: "ACT/365 FIXED" as const,
  };
  const took: number[] = [];
  for (let round = 0; round < 300; round += 1) {
    const started = performance.now();
    scheduleOf(scheduleTermsOf(terms), plainWeek);
    if (round >= 100) took.push(performance.now() - started);
  }
  return took.toSorted((a, b) => a - b)[100] ?? 0;
}

function loanOf(index: number): Loan {
  const accountId = uuidv7();
  if (index % 97 === 0) someIds.push(accountId);
  const opening = lendingAccount("opening", "USD");
  const principalMinor = 120_000n;
  return {
    accountId,
    loanApplicationId: `a-${accountId}`,
    customerId: `customer-${index}`,
    productId: "p",
    productVersion: 1,
    productName: "Loan",
    currency: "USD",
    terms: {
      currency: "USD",
      principalMinor,
      annualRate: "12",
      interestMethod: "DECLINING",
      amortisation: "EQUAL_INSTALMENTS",
      dayCount: "30/360 BOND BASIS",
      frequency: "MONTH",
      instalments: 12,
      principalGrace: 0,
      interestGrace: 0,
      instalmentFeeMinor: 100n,
      instalmentFeePercent: "0",
      businessDayRule: "NONE",
      startsOn: "2026-11-01",
      calendar: plainWeek,
      penalty: { graceDays: 5, flatMinor: 500n, percent: "0" },
      payoff: { interest: "TO_DAY", feeMinor: 0n, feePercent: "0" },
      allocationOrder: ["PENALTY", "FEE", "INTEREST", "PRINCIPAL"],
    },
    thirdPartyCollection: false,
    bucketStarts: [1, 31, 61, 91],
    reference: "LN",
    apr: "",
    effectiveRate: "",
    status: "ACTIVE",
    disbursedOn: "2026-11-01",
    disbursement: [{ accountId: opening, amountMinor: principalMinor }],
    events: [],
    pauses: [],
    pendingMinor: 0n,
    booked: {},
    bookedAccruedMinor: 0n,
    accrual: { through: "2026-11-01", accruedMinor: 0n },
    slot: slotOf(accountId),
    version: 0,
    createdAt: new Date(),
  };
}

async function fill(): Promise<void> {
  for (let from = 0; from < loans; from += 2_000) {
    const made = Array.from(
      { length: Math.min(2_000, loans - from) },
      (_each, at) => settle(loanOf(from + at), "2026-11-01").loan,
    );
    await rows.insertMany(made.map((loan) => ({ _id: loan.accountId, ...loan })) as never);
  }
}

interface Day {
  perSecond: number;
  highestRss: number;
  p99: number;
  /** Of the service's processes alone, microseconds. */
  cpuUsPerLoan: number;
}

async function passDay(date: string, processes: number, kill = false): Promise<Day> {
  const replicas = await Promise.all(Array.from({ length: processes }, () => startReplica(date)));
  const started = performance.now();
  for (const { go } of replicas) go();
  if (kill) setTimeout(() => replicas[0]?.child.kill("SIGKILL"), loans / 50);
  let isRunning = true;
  const reading = readsWhile(() => isRunning);
  const done = await Promise.all(replicas.slice(kill ? 1 : 0).map(({ result }) => result));
  isRunning = false;
  const seconds = (performance.now() - started) / 1_000;
  return {
    perSecond: loans / seconds,
    highestRss: Math.max(...done.map(({ highestRss }) => highestRss)),
    p99: p99Of(await reading),
    cpuUsPerLoan: (done.reduce((sum, { cpuMs }) => sum + cpuMs, 0) * 1_000) / loans,
  };
}

async function startReplica(date: string) {
  // With the memory that a cluster gives lending.
  const memory = ["--max-old-space-size=144", "--max-semi-space-size=4"];
  const replica = ["--import", "./test/bench/edge/hooks.mjs", "test/bench/lending/replica.ts"];
  const child = spawn(process.execPath, [...memory, ...replica, server.uri, redis.url, date], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  await lines.next();
  const result = lines
    .next()
    .then(
      ({ value }) => JSON.parse(String(value ?? '{"highestRss":0,"cpuMs":0}')) as { highestRss: number; cpuMs: number },
    );
  result.catch(() => undefined);
  return { child, go: () => child.stdin.write("go\n"), result };
}

/** How long each read took, ms. */
async function readsWhile(isRunning: () => boolean): Promise<number[]> {
  const took: number[] = [];
  for (let at = 0; isRunning(); at += 1) {
    const started = performance.now();
    const loan = await lending.store.forTenant(tenantId).findLoan(someIds[at % someIds.length] ?? "");
    if (loan !== undefined) viewOf(loan, "2026-11-04");
    took.push(performance.now() - started);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return took;
}

function p99Of(took: readonly number[]): number {
  return took.toSorted((a, b) => a - b)[Math.floor(took.length * 0.99)] ?? 0;
}

async function readsFor(ms: number): Promise<number[]> {
  const until = performance.now() + ms;
  return readsWhile(() => performance.now() < until);
}

/** Every loan stands at the day, and what postings asked of the ledger is what loans have. */
async function sumsAgree(date: string): Promise<boolean> {
  const receivable = lendingAccount("interestReceivable", "USD");
  let [ofLoans, requested, behind] = [0n, 0n, 0];
  for await (const loan of rows.stream({}, { batchSize: 1_000 })) {
    ofLoans += bookedNow(loan)[receivable] ?? 0n;
    if (loan.accrual.through !== date) behind += 1;
  }
  const postings = tenantCollection<{
    _id: string;
    tenantId: string;
    transfers: { debitAccountId: string; amountMinor: bigint }[];
  }>(lending.db, collections.postings);
  for await (const { transfers } of postings.forTenant(tenantId).stream({}, { batchSize: 1_000 })) {
    for (const { debitAccountId, amountMinor } of transfers)
      if (debitAccountId === receivable) requested += amountMinor;
  }
  return behind === 0 && requested === ofLoans;
}
