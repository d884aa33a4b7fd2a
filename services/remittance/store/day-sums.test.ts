import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { atDepth } from "../../../test/support/depth.js";
import { silentLog, testDatabase, testTenant, type TestDatabase } from "../../../test/support/index.js";
import { created } from "../../../test/support/transactions.js";
import { isHeld, holdOf } from "../../kernel/mongo/held-tenants.js";
import { runMigrations } from "../../kernel/mongo/migrations.js";
import { money } from "../../kernel/money.js";
import { startDaySums } from "../jobs/day-sums.js";
import { shownStatus } from "../domain/block-view.js";
import type { CorridorSums } from "../domain/day-sums.js";
import { bucketOf, highestOf, percentileOf } from "../domain/duration-buckets.js";
import { createDayEnds, promiseOf } from "../domain/promised-day.js";
import { parseQuestion } from "../../platform/reports/report-question.js";
import { pathsOf, reportRows } from "../domain/report-rows.js";
import { analytics, callOver } from "../domain/reports.js";
import type { Change, Transaction } from "../domain/transaction.js";
import { createRemittanceStore, type RemittanceStore } from "./index.js";
import { migrations } from "./migrations.js";

let database: TestDatabase;
let store: RemittanceStore;
beforeAll(async () => {
  database = await testDatabase("day_sums");
  await runMigrations(database.db, migrations, silentLog);
  store = createRemittanceStore(database.db);
});
afterAll(() => database.close());

const soon = () => new Date(Date.now() + 60_000);
const commit = (work: Parameters<RemittanceStore["transaction"]>[0]) => store.transaction(work, async () => undefined);

/** New York moves its clocks on 8 March and 1 November 2026; Kolkata has half an hour and none. */
const zones = ["America/New_York", "Asia/Kolkata"] as const;
const corridors = [
  ["USA", "NGA", "USD", "NGN"],
  ["USA", "KEN", "USD", "KES"],
] as const;

interface Made {
  at: Date;
  corridor: 0 | 1;
  principal: bigint;
  agent: string;
  creator: string;
  ends: "UNPAID" | "COMPLETED" | "PICKUP" | "FAILED" | "RETURNED" | "BLOCKED" | "UNDER_WAY";
  pauseMs: number;
}

const histories = fc.array(
  fc.record<Made>({
    // About both changes of the clocks, and a midnight of each zone.
    at: fc
      .tuple(fc.constantFrom("2026-03-08T04:00:00Z", "2026-11-01T03:30:00Z"), fc.integer({ min: 0, max: 130_000_000 }))
      .map(([from, ms]) => new Date(Date.parse(from) + ms)),
    corridor: fc.constantFrom(0, 1),
    principal: fc.bigInt({ min: 1n, max: 4_000_000_000_000n }),
    agent: fc.constantFrom("", "AG1", "AG2"),
    creator: fc.constantFrom("u1", "u2"),
    ends: fc.constantFrom("UNPAID", "COMPLETED", "PICKUP", "FAILED", "RETURNED", "BLOCKED", "UNDER_WAY"),
    pauseMs: fc.integer({ min: 1, max: 90_000_000 }),
  }),
  { minLength: 1, maxLength: 12 },
);

function transactionOf({ at, corridor, principal, agent, creator }: Made): Transaction {
  const [originCountry, receivingCountry, send, receiving] = corridors[corridor];
  const id = randomUUID();
  const fees = { totalFees: money(principal / 40n, send), totalTaxes: money(principal / 500n, send) };
  const total = money(principal + fees.totalFees.minor + fees.totalTaxes.minor, send);
  return {
    ...created,
    transactionId: id,
    transactionCode: id,
    createdAt: at,
    createdBy: creator,
    ...(agent !== "" && { agentId: agent }),
    availableOn: "2026-11-02",
    price: {
      ...created.price,
      ...fees,
      total,
      principal: money(principal, send),
      receive: money(principal, receiving),
    },
    transferInformation: { ...created.transferInformation, originCountry, receivingCountry },
    timeline: [{ ...created.timeline[0]!, at }],
    request: { ...created.request, key: id },
  };
}

/** What becomes of it, step by step. */
function stepsOf({ ends, at, principal, corridor }: Made, since: (step: number) => Date): Change[] {
  const payout = { interactionId: "i" };
  const sent = { ...payout, sentAt: since(2), installationId: "p1" };
  const paid: Change[] = [
    { status: "AWAITING_PAYMENT" },
    { status: "PAID", set: { paidAt: since(1), availableOn: at.toISOString().slice(0, 10), payout } },
  ];
  const send = corridors[corridor][2];
  switch (ends) {
    case "UNPAID":
      return [{ status: "AWAITING_PAYMENT" }, { status: "EXPIRED" }];
    case "UNDER_WAY":
      return [...paid, { status: "PROCESSING", set: { payout: sent } }];
    case "BLOCKED":
      return [
        ...paid,
        { status: "BLOCKED", shownAs: "PROCESSING", set: { block: { by: [], shownAs: "PROCESSING" } } as never },
      ];
    case "PICKUP":
      return [
        ...paid,
        { status: "READY_FOR_PICKUP" },
        { status: "COMPLETED", set: { payout: { ...payout, outcome: "PAID", settledAt: since(3) } } },
      ];
    case "COMPLETED":
      return [
        ...paid,
        { status: "PROCESSING", set: { payout: sent } },
        { status: "COMPLETED", set: { payout: { ...sent, outcome: "PAID", settledAt: since(3) } } },
        {
          status: "PARTIALLY_REFUNDED",
          set: { refunds: [{ refundId: "r1", amount: money(1n, send), status: "DONE", doneAt: since(4) }] as never },
        },
      ];
    case "FAILED":
      return [
        ...paid,
        { status: "PROCESSING", set: { payout: sent } },
        { status: "FAILED", set: { payout: { ...sent, outcome: "REFUSED" } } },
        {
          status: "REFUNDED",
          set: { payout: { ...sent, outcome: "REFUSED", refundedAt: since(4), refunded: money(principal, send) } },
        },
      ];
    case "RETURNED": {
      const settled = { ...sent, settledAt: since(3) };
      return [
        ...paid,
        { status: "PROCESSING", set: { payout: sent } },
        { status: "COMPLETED", set: { payout: { ...settled, outcome: "PAID" } } },
        { status: "RETURNED", set: { payout: { ...settled, outcome: "RETURNED" } } },
        {
          status: "REFUNDED",
          set: { payout: { ...settled, outcome: "RETURNED", refundedAt: since(5), refunded: money(principal, send) } },
        },
      ];
    }
  }
}

/** Makes it happen, each step when it is due, and folds between them as jobs do. */
async function live(tenantId: string, made: Made): Promise<void> {
  const tenant = store.forTenant(tenantId);
  let one = transactionOf(made);
  const since = (step: number) => new Date(made.at.getTime() + step * made.pauseMs);
  await commit((session) => tenant.insertTransaction(one, session));
  for (const [index, change] of stepsOf(made, since).entries()) {
    const by = { at: since(index + 1), actor: "test" };
    one = (await commit((session) => tenant.change(one, change, by, session))) as Transaction;
  }
}

const now = new Date("2026-11-02T05:00:00Z");

/** Analytics and call-over as they are counted one by one. */
function recounted(all: readonly Transaction[], timeZone: string, seesBlocks: boolean) {
  const endOf = createDayEnds(timeZone);
  const dayOf = (at: Date) =>
    Temporal.Instant.from(at.toISOString()).toZonedDateTimeISO(timeZone).toPlainDate().toString();
  const [byDay, byCreator] = [new Map<string, bigint[]>(), new Map<string, bigint[]>()];
  const add = (to: Map<string, bigint[]>, key: string, amounts: bigint[]) =>
    to.set(
      key,
      amounts.map((amount, index) => amount + (to.get(key)?.[index] ?? 0n)),
    );
  for (const one of all) {
    const { price, transferInformation: way, deliveryMethod, createdAt } = one;
    const status = seesBlocks ? one.status : shownStatus(one);
    const promise = promiseOf({ ...one, status }, endOf, now);
    const amounts = [1n, price.principal.minor, price.totalFees.minor, price.totalTaxes.minor, price.total.minor];
    const pair = `${price.principal.currency} ${price.receive.currency}`;
    const place = `${dayOf(createdAt)} ${way.originCountry} ${way.receivingCountry} ${deliveryMethod} ${pair} ${status}`;
    const promises = [promise === "KEPT" ? 1n : 0n, promise === "LATE" ? 1n : 0n];
    add(byDay, place, [...amounts, price.receive.minor, ...promises]);
    const creator = `${one.agentId ?? ""} ${one.createdBy} ${one.createdByRole} ${price.principal.currency} ${status}`;
    add(byCreator, `${dayOf(createdAt)} ${creator}`, amounts);
  }
  return { byDay, byCreator };
}

const year = { from: "2026-01-01", to: "2026-12-31" };

async function read(tenantId: string, timeZone: string, seesBlocks: boolean) {
  const tenant = store.forTenant(tenantId);
  const endOf = createDayEnds(timeZone);
  const isOver = (day: string) => now.getTime() >= endOf(day);
  const rows = analytics(await tenant.readDaySums(year, ["created"], timeZone), { seesBlocks, isOver });
  const byDay = rows.map((row) => {
    const pair = `${row.principal.currency} ${row.received.currency}`;
    const place = `${row.date} ${row.originCountry} ${row.receivingCountry} ${row.deliveryMethod} ${pair} ${row.status}`;
    const sums = [row.count, row.principal.minor, row.fees.minor, row.taxes.minor, row.total.minor];
    return [place, [...sums, row.received.minor, row.promisesKept, row.promisesLate]] as [string, bigint[]];
  });
  const byCreator = new Map<string, bigint[]>();
  for (const day of new Set(rows.map(({ date }) => date))) {
    for (const row of callOver(await tenant.readCreatorSums(day, undefined, timeZone), { seesBlocks })) {
      const creator = `${row.agentId} ${row.createdBy} ${row.createdByRole} ${row.principal.currency} ${row.status}`;
      const sums = [row.count, row.principal.minor, row.fees.minor, row.taxes.minor, row.total.minor];
      byCreator.set(`${day} ${creator}`, sums);
    }
  }
  return { byDay: new Map(byDay), byCreator };
}

const sorted = ({ byDay, byCreator }: { byDay: Map<string, bigint[]>; byCreator: Map<string, bigint[]> }) =>
  [byDay, byCreator].map((map) => [...map].toSorted(([a], [b]) => (a < b ? -1 : 1)));

/** Figures of several sums, those that are zero left out. */
function added(sums: readonly CorridorSums[], day?: string): Record<string, bigint> {
  const all: Record<string, bigint> = {};
  for (const { key, figures } of sums) {
    if (day !== undefined && key.day !== day) continue;
    for (const [path, by] of figures) all[path] = (all[path] ?? 0n) + by;
  }
  return Object.fromEntries(Object.entries(all).filter(([, by]) => by !== 0n));
}

const allOf = async (tenantId: string) => {
  const ids = await database.db.collection("transactions").distinct("transactionId", { tenantId });
  return store.forTenant(tenantId).listTransactions({ ids: ids as string[] });
};

describe("day sums", () => {
  test("are what a recount of all transactions gives, whoever folds when, in both zones and for whoever reads", async () => {
    await fc.assert(
      fc.asyncProperty(histories, fc.constantFrom(...zones), async (all, timeZone) => {
        const tenantId = testTenant();
        const { foldSums } = store.forTenant(tenantId);
        let isLiving = true;
        const folding = [0, 1].map(async () => {
          while (isLiving) await foldSums(soon(), timeZone);
        });
        const living = Promise.all(all.map((made) => live(tenantId, made))).finally(() => (isLiving = false));
        await Promise.all([living, ...folding]);
        const transactions = await allOf(tenantId);
        for (const seesBlocks of [true, false]) {
          expect(sorted(await read(tenantId, timeZone, seesBlocks))).toEqual(
            sorted(recounted(transactions, timeZone, seesBlocks)),
          );
        }
        while ((await foldSums(soon(), timeZone)) > 0);
        expect(sorted(await read(tenantId, timeZone, true))).toEqual(sorted(recounted(transactions, timeZone, true)));
      }),
      { numRuns: atDepth({ quick: 5, ci: 20, long: 200 }) },
    );
  }, 120_000);

  const at = new Date("2026-11-01T12:00:00Z");
  const made: Made = {
    at,
    corridor: 0,
    principal: 100_00n,
    agent: "AG1",
    creator: "u1",
    ends: "RETURNED",
    pauseMs: 86_400_000,
  };

  test("have a refund on its own day, and a fold that is refused in its middle leaves nothing", async () => {
    const tenantId = testTenant();
    const tenant = store.forTenant(tenantId);
    await live(tenantId, made);
    const hold = (ids: string[]) =>
      database.db.db!.command({ collMod: "report_days", validator: holdOf(ids), validationLevel: "strict" });
    const before = added(await tenant.readDaySums(year, ["events"], "UTC"));
    await hold([tenantId]);
    expect(isHeld(await tenant.foldSums(soon(), "UTC").catch((error: unknown) => error))).toBe(true);
    await hold([]);
    expect(added(await tenant.readDaySums(year, ["events"], "UTC"))).toEqual(before);
    expect(await tenant.foldSums(soon(), "UTC")).toBe(1);
    const sums = await tenant.readDaySums(year, ["events"], "UTC");
    expect(added(sums)).toEqual(before);
    const at = (day: string) => Object.keys(added(sums, day)).map((path) => path.split(".").slice(1, 3).join("."));
    expect(new Set(at("2026-11-02"))).not.toContain("REFUNDED.amount");
    expect(added(sums, "2026-11-06")).toMatchObject({
      "events.REFUNDED.count.ACCOUNTPAYMENT.p1": 1n,
      "events.REFUNDED.amount.ACCOUNTPAYMENT.p1": 100_00n,
      "events.REFUNDED.fees.ACCOUNTPAYMENT.p1": 2_50n,
    });
  });

  test("a day stays what it was when the tenant's zone becomes another one", async () => {
    const tenantId = testTenant();
    const tenant = store.forTenant(tenantId);
    const late = { ...made, at: new Date("2026-11-01T23:30:00Z"), ends: "UNPAID" } as const;
    await live(tenantId, late);
    await tenant.foldSums(soon(), "UTC");
    const created = async (timeZone: string) =>
      (await tenant.readDaySums(year, ["created"], timeZone)).filter(({ figures }) => figures.size > 0);
    const before = await created("UTC");
    const [one] = await allOf(tenantId);
    const change = { status: "CANCELLED" } as const;
    await commit((session) =>
      tenant.change(one!, change, { at: new Date("2026-11-02T00:30:00Z"), actor: "t" }, session),
    );
    await tenant.foldSums(soon(), "Asia/Kolkata");
    const after = await created("Asia/Kolkata");
    expect(before.map(({ key }) => key.day)).toEqual(["2026-11-01"]);
    expect(after.map(({ key }) => key.day)).toEqual(["2026-11-01"]);
  });

  test("slippage is the middle rate of the settlement against that of the price, and left out where none held", async () => {
    const tenantId = testTenant();
    const tenant = store.forTenant(tenantId);
    const begins = new Date("2026-11-03T00:00:00Z");
    const rate = {
      sendCurrency: "USD",
      receivingCurrency: "NGN",
      rateId: "r",
      sequence: 1,
      rate: "0.8",
      source: "desk",
    };
    await commit((session) =>
      tenant.insertRates([{ ...rate, validFrom: begins, createdAt: begins, createdBy: "MA1" }], session),
    );
    const soonDone = { ...made, at: new Date("2026-11-01T12:00:00Z"), ends: "COMPLETED" } as const;
    // Priced at 1, settled by 0.8 on the fourth day: 100.00 cost 125.00.
    await live(tenantId, soonDone);
    // Settled before there was any rate.
    await live(tenantId, { ...soonDone, pauseMs: 1_000 });
    const figures = added(await tenant.readDaySums(year, ["events"], "UTC"));
    expect(figures["events.COMPLETED.slippage.ACCOUNTPAYMENT.p1"]).toBe(-25_00n);
    expect(figures["events.COMPLETED.slippageCount.ACCOUNTPAYMENT.p1"]).toBe(1n);
    expect(figures["events.COMPLETED.count.ACCOUNTPAYMENT.p1"]).toBe(2n);
    expect(figures["events.COMPLETED.fxMargin.ACCOUNTPAYMENT.p1"]).toBeUndefined();
  });

  test("sums pass int64, and one report reads a document a day and corridor, however many transactions there are", async () => {
    const tenantId = testTenant();
    const tenant = store.forTenant(tenantId);
    const days = database.db.collection("report_days");
    const one = {
      day: "2026-11-01",
      agentId: "*",
      originCountry: "USA",
      receivingCountry: "NGA",
      sendCurrency: "USD",
      receivingCurrency: "NGN",
    };
    const principal = { high: 2n ** 40n, low: 5n };
    await days.insertOne({ tenantId, ...one, created: { ACCOUNTPAYMENT: { PAID: { count: 1n, principal } } } });
    const [sums] = await tenant.readDaySums(year, ["created"], "UTC");
    expect(sums!.figures.get("created.ACCOUNTPAYMENT.PAID.principal")).toBe(2n ** 72n + 5n);
    for (const principal of [1n, 2n, 3n, 4n]) await live(tenantId, { ...made, principal, ends: "UNPAID", pauseMs: 1 });
    const job = startDaySums({
      store,
      times: { forTenant: async () => ({ timeZone: "UTC" }) } as never,
      log: silentLog,
      sumsEveryMs: 3_600_000,
    });
    await job.foldNow(soon());
    await job.stop();
    expect(
      await database.db.collection("transactions").countDocuments({ tenantId, uncountedSince: { $gt: new Date(0) } }),
    ).toBe(0);
    expect(await days.countDocuments({ tenantId, agentId: "*" })).toBe(1);
    expect(await days.countDocuments({ tenantId })).toBe(2);
  });
});

describe("reports of them", () => {
  const at = new Date("2026-11-01T12:00:00Z");
  const dayMs = 86_400_000;
  const one: Made = {
    at,
    corridor: 0,
    principal: 100_00n,
    agent: "",
    creator: "u1",
    ends: "COMPLETED",
    pauseMs: dayMs,
  };
  let tenantId: string;
  beforeAll(async () => {
    tenantId = testTenant();
    for (const ends of ["COMPLETED", "FAILED", "RETURNED", "UNDER_WAY", "UNPAID"] as const) {
      await live(tenantId, { ...one, ends });
    }
    await live(tenantId, { ...one, ends: "UNDER_WAY", agent: "AG1", corridor: 1, principal: 50_00n });
    while ((await store.forTenant(tenantId).foldSums(soon(), "UTC")) > 0);
  });

  async function table(report: string, by: string[], columns: string[] = []) {
    const question = parseQuestion("remittance", { report, by, columns });
    const asked = { ...year, byAgent: by.includes("agent") };
    const sums = await store.forTenant(tenantId).readDaySums(asked, pathsOf(question), "UTC");
    return reportRows(question, sums, "2026-11-08");
  }

  test("count each event on its day, and a refund on its own", async () => {
    expect(await table("margin", ["day"], ["fees", "refundedFees", "margin"])).toEqual({
      columns: ["day", "sendCurrency", "receivingCurrency", "fees", "refundedFees", "margin"],
      rows: [
        ["2026-11-02", "USD", "KES", "1.25", "0.00", "1.25"],
        ["2026-11-02", "USD", "NGN", "10.00", "0.00", "10.00"],
        ["2026-11-05", "USD", "NGN", "0.00", "2.50", "-2.50"],
        ["2026-11-06", "USD", "NGN", "0.00", "2.50", "-2.50"],
      ],
    });
    expect((await table("volume", ["corridor"])).rows).toEqual([
      ["USA", "KEN", "USD", "KES", "1", "50.00", "1", "50.00", "0", "0.00", "0.00"],
      ["USA", "NGA", "USD", "NGN", "5", "500.00", "4", "400.00", "2", "200.00", "200.00"],
    ]);
  });

  test("a refund corrects the day that it happens on, by the clocks of that day", async () => {
    const own = testTenant();
    const [paid, back] = ["2026-10-31T05:37:30Z", "2026-11-02T04:30:00Z"].map((at) => Date.parse(at)) as [
      number,
      number,
    ];
    const pauseMs = (back - paid) / 3;
    // 23:30 on the day on which New York's clocks went back; by those of the payment 0:30.
    await live(own, { ...one, ends: "FAILED", at: new Date(paid - pauseMs), pauseMs });
    const question = parseQuestion("remittance", {
      report: "margin",
      by: ["day"],
      columns: ["fees", "refundedFees", "margin"],
    });
    const zone = "America/New_York";
    const read = async () =>
      reportRows(question, await store.forTenant(own).readDaySums(year, pathsOf(question), zone), "2026-11-08").rows;
    const expected = [
      ["2026-10-31", "USD", "NGN", "2.50", "0.00", "2.50"],
      ["2026-11-01", "USD", "NGN", "0.00", "2.50", "-2.50"],
    ];
    expect(await read()).toEqual(expected);
    await store.forTenant(own).foldSums(soon(), zone);
    expect(await read()).toEqual(expected);
  });

  test("tell agents and partners apart, and leave nobody's out", async () => {
    expect((await table("volume", ["agent"], ["paid"])).rows).toEqual([
      ["", "USD", "NGN", "4"],
      ["AG1", "USD", "KES", "1"],
    ]);
    expect((await table("volume", ["partner"], ["paid", "created"])).rows).toEqual([
      ["", "USD", "NGN", "1", "0"],
      ["p1", "USD", "KES", "1", "1"],
      ["p1", "USD", "NGN", "4", "4"],
    ]);
  });

  test("have times, failures by reason, and what waits by its age", async () => {
    const { rows } = await table("success", ["month"], ["completed", "failed", "returned", "p50", "p99"]);
    const threeDays = String(highestOf(bucketOf(3 * dayMs)));
    expect(rows).toEqual([["2026-11", "USD", "NGN", "2", "1", "1", threeDays, threeDays]]);
    expect((await table("failures", [])).rows).toEqual([
      ["EXPIRED", "UNPAID", "USD", "NGN", "1", "100.00"],
      ["FAILED", "REFUSED", "USD", "NGN", "1", "100.00"],
      ["RETURNED", "RETURNED", "USD", "NGN", "1", "100.00"],
    ]);
    expect((await table("ageing", ["method"])).rows).toEqual([
      ["ACCOUNTPAYMENT", "4-7", "USD", "KES", "1", "50.00", "50.00"],
      ["ACCOUNTPAYMENT", "4-7", "USD", "NGN", "1", "100.00", "100.00"],
    ]);
    expect((await table("unclaimed", [])).rows).toEqual([]);
  });

  test("over a position that is back at zero, margin and slippage are what the middle rate at the settlement leaves", async () => {
    const own = testTenant();
    const tenant = store.forTenant(own);
    const pair = { sendCurrency: "USD", receivingCurrency: "NGN", rateId: "r", sequence: 1, source: "desk" };
    const begins = new Date("2026-01-01T00:00:00Z");
    await commit((session) =>
      tenant.insertRates([{ ...pair, rate: "0.9", validFrom: begins, createdAt: begins, createdBy: "MA1" }], session),
    );
    for (const principal of [100_00n, 33_33n, 7n]) await live(own, { ...one, principal });
    const question = parseQuestion("remittance", {
      report: "margin",
      by: [],
      columns: ["fxMargin", "slippage", "slippageCount"],
    });
    const { rows } = reportRows(question, await tenant.readDaySums(year, ["events"], "UTC"), "2026-11-08");
    // 100.00 − 111.11, 33.33 − 37.03, 0.07 − 0.08.
    expect(rows).toEqual([["USD", "NGN", "0.00", "-14.82", "3"]]);
  });
});

describe("times", () => {
  test("a percentile is never below the true one by nearest rank, and at most 1/16 above it", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 2 ** 31 - 1 }), { minLength: 1 }),
        fc.integer({ min: 1, max: 100 }),
        (all, percent) => {
          const buckets = new Map<number, bigint>();
          for (const s of all) buckets.set(bucketOf(s * 1_000), (buckets.get(bucketOf(s * 1_000)) ?? 0n) + 1n);
          const exact = all.toSorted((a, b) => a - b)[Math.ceil((all.length * percent) / 100) - 1]!;
          const read = percentileOf(buckets, BigInt(percent))!;
          expect(read).toBeGreaterThanOrEqual(exact);
          expect(read).toBeLessThanOrEqual(exact + exact / 16);
          expect(bucketOf(highestOf(bucketOf(exact * 1_000)) * 1_000)).toBe(bucketOf(exact * 1_000));
        },
      ),
    );
    expect(percentileOf(new Map(), 50n)).toBeUndefined();
  });
});
