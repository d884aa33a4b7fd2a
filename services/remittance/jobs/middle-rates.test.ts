import { once } from "node:events";
import { LedgerServiceDefinition } from "../../../proto/gen/ledger/v1/ledger.js";
import { PositionServiceDefinition } from "../../../proto/gen/ledger/v1/positions.js";
import { createBooksFixture, type BooksFixture, type BooksTenant } from "../../../test/support/books-fixture.js";
import { declaredCrashPoints } from "../../../test/support/crash-points.js";
import { atDepth } from "../../../test/support/depth.js";
import { forkSource } from "../../../test/support/forked-source.js";
import type { TellingWork } from "../../../test/support/telling-process.js";
import { silentLog, testDatabase, waitFor, type TestDatabase } from "../../../test/support/index.js";
import { transfer } from "../../../test/support/ledger-fixture.js";
import { runMigrations } from "../../kernel/mongo/migrations.js";
import { Refusal } from "../../kernel/refusal.js";
import { businessTime } from "../../platform/preferences/business-clock.js";
import type { RateLine } from "../domain/rate.js";
import { createRemittanceStore, type RemittanceStore } from "../store/index.js";
import { migrations } from "../store/migrations.js";
import { putRates } from "../store/put-rates.js";
import { startMiddleRates } from "./middle-rates.js";

let books: BooksFixture;
let database: TestDatabase;
let store: RemittanceStore;
let job: ReturnType<typeof startMiddleRates> | undefined;
const real = () => books.client(PositionServiceDefinition, "remittance");

beforeAll(async () => {
  books = await createBooksFixture("rates_told", { POSITION_GATHER_MS: "20", POSITION_LOOK_MS: "200" });
  database = await testDatabase("middle_rates");
  await runMigrations(database.db, migrations, silentLog);
  store = createRemittanceStore(database.db);
});
afterEach(() => job?.stop());
afterAll(async () => {
  await books.close();
  await database.close();
});

const dayMs = 24 * 60 * 60_000;
// Just past midnight in Lagos, where it is an hour later than by UTC.
const state = { nowMs: Date.parse("2026-11-29T23:05:00Z") };
const clock = { now: () => new Date(state.nowMs) };
const begin = (positions: Parameters<typeof startMiddleRates>[0]["positions"] = real()) => {
  const times = { forTenant: async () => businessTime(clock, 0, "Africa/Lagos") };
  job = startMiddleRates({ store, positions, times, clock, log: silentLog, pollMs: 20 });
};

async function put(tenant: BooksTenant, rate: string, validFrom: string, more: Partial<RateLine["rate"]> = {}) {
  const pair = { sendCurrency: "USD", receivingCurrency: "NGN" };
  const content = { ...pair, rate, source: "ECB", validFrom: new Date(validFrom), ...more };
  const line = { rate: content, statedFrom: content.validFrom };
  const by = { createdAt: clock.now(), createdBy: "manager-1" };
  const tenantStore = store.forTenant(tenant.tenantId);
  await store.transaction(
    (session) => putRates(tenantStore, [line], by, session),
    async () => undefined,
  );
}

/** What the ledger keeps, by day. */
const kept = async (tenant: BooksTenant) => {
  const found = await books.database.db
    .collection<{ tenantId: string; day: number; rate: string; isDayEnd: boolean; source: string; at: Date }>(
      "middle_rates",
    )
    .find({ tenantId: tenant.tenantId })
    .sort({ day: 1 })
    .toArray();
  return found.map(({ day, rate, isDayEnd }) => [new Date(day * dayMs).toISOString().slice(0, 10), rate, isDayEnd]);
};
const until = (tenant: BooksTenant, expected: unknown[]) =>
  waitFor(async () => (JSON.stringify(await kept(tenant)) === JSON.stringify(expected) ? true : undefined), {
    what: JSON.stringify(expected),
  });

afterEach(() => (state.nowMs = Date.parse("2026-11-29T23:05:00Z")));

test("what held at the end of each day is told by the tenant's clock, also where nothing changed", async () => {
  const tenant = books.tenant();
  // 23:30 of the 27th in Lagos; the other one begins a minute into the 29th.
  await put(tenant, "1600", "2026-11-27T22:30:00Z");
  await put(tenant, "1610", "2026-11-28T23:01:00Z");
  begin();
  const first = [
    ["2026-11-27", "1600", true],
    ["2026-11-28", "1600", true],
    ["2026-11-29", "1610", true],
    ["2026-11-30", "1610", false],
  ];
  await until(tenant, first);
  state.nowMs += 2 * dayMs;
  await until(tenant, [
    ...first.slice(0, 3),
    ["2026-11-30", "1610", true],
    ["2026-12-01", "1610", true],
    ["2026-12-02", "1610", false],
  ]);
});

test("a rate that is put for days that are over is told for them; one that has ended is told no more", async () => {
  const tenant = books.tenant();
  await put(tenant, "1600", "2026-11-28T10:00:00Z", { validUntil: new Date("2026-11-29T10:00:00Z") });
  begin();
  await until(tenant, [["2026-11-28", "1600", true]]);
  await put(tenant, "1590", "2026-11-27T10:00:00Z", { validUntil: new Date("2026-11-27T23:30:00Z") });
  await until(tenant, [
    ["2026-11-27", "1590", true],
    ["2026-11-28", "1600", true],
  ]);
});

test("while the ledger is away it is tried again, from where it was", async () => {
  const tenant = books.tenant();
  let calls = 0;
  begin({
    async recordMiddleRates(request, options) {
      calls += 1;
      // The first day gets through, and its answer is lost.
      const answer = calls === 1 ? await real().recordMiddleRates(request, options) : undefined;
      if (calls <= 3) throw new Refusal("UNAVAILABLE", "the ledger is away");
      return answer ?? real().recordMiddleRates(request, options);
    },
  });
  await put(tenant, "1600", "2026-11-28T10:00:00Z");
  await waitFor(() => (calls >= 1 ? true : undefined));
  const hurrying = setInterval(() => (state.nowMs += 11_000), 20);
  try {
    await until(tenant, [
      ["2026-11-28", "1600", true],
      ["2026-11-29", "1600", true],
      ["2026-11-30", "1600", false],
    ]);
  } finally {
    clearInterval(hurrying);
  }
});

test("a tenant is told of its own rates alone, and its position is revalued by them", async () => {
  const [tenant, other] = [books.tenant(), books.tenant()];
  const remittance = books.client(LedgerServiceDefinition, "remittance");
  await tenant.openRemittance(
    { code: "remittance_clearing", currency: "USD" },
    { code: "exchange_position", currency: "USD" },
    { code: "exchange_position", currency: "NGN" },
    { code: "partner_settlement", currency: "NGN", accountId: "partner_settlement:operator:NGN" },
  );
  const effectiveAt = new Date("2026-11-28T12:00:00Z");
  const naira = { amount: { amountMinor: 15_257_500n, currency: "NGN" }, effectiveAt };
  const { results } = await remittance.postTransfers(
    {
      groups: [
        {
          transfers: [
            transfer("paid:1", "remittance_clearing:USD", "exchange_position:USD", 100_00n, { effectiveAt }),
            transfer("paid:2", "exchange_position:NGN", "partner_settlement:operator:NGN", 0n, naira),
          ],
        },
      ],
      createdBy: "remittance",
    },
    tenant.call(),
  );
  expect(results[0]!.posted).toBeDefined();
  await put(tenant, "1600", "2026-11-28T08:00:00Z");
  begin();
  const { revaluation } = await waitFor(
    () =>
      books
        .client(PositionServiceDefinition)
        .getRevaluation({ day: "2026-11-28" }, tenant.as())
        .catch(() => undefined),
    { what: "a revaluation" },
  );
  // 152,575.00 NGN are worth 95.36 USD, and were sold for 100.00.
  expect(revaluation).toMatchObject({
    positions: [
      {
        quantityMinor: -15_257_500n,
        unrealisedMinor: 4_64n,
        middle: {
          fromCurrency: "USD",
          toCurrency: "NGN",
          rate: "1600",
          source: "ECB",
          at: new Date("2026-11-28T08:00:00Z"),
        },
      },
    ],
  });
  expect(await kept(other)).toEqual([]);
});

const points = declaredCrashPoints("remittance").filter((name) => name.startsWith("remittance.middle-rates."));
// After the first day and after the last one, before how far that is was kept, and after it.
const kills = points.flatMap((point) => (point.endsWith(".day-told") ? [point, `${point}:3`] : [point]));
// Once in CI, ten times in `npm run test:long`.
const rounds = atDepth({ quick: 1, ci: 1, long: 10 }, "TELLING_ROUNDS");

test.each(kills.flatMap((kill) => Array.from({ length: rounds }, (_, round) => [kill, round] as const)))(
  "killed with -9 at %s (%i), each day is told once by whoever goes on",
  async (point) => {
    const tenant = books.tenant();
    await put(tenant, "1600", "2026-11-27T22:30:00Z");
    await put(tenant, "1610", "2026-11-28T23:01:00Z");
    const child = forkSource("telling-process.ts", { CRASH_POINT: point });
    child.send({
      uri: database.uri,
      database: database.database,
      address: `127.0.0.1:${books.ledger.port}`,
      keys: books.network.keysOf("remittance"),
      timeZone: "Africa/Lagos",
      nowMs: state.nowMs,
    } satisfies TellingWork);
    const [, signal] = (await once(child, "exit")) as [number | null, string | null];
    expect(signal).toBe("SIGKILL");
    const isNoted = point.endsWith(".noted");
    expect((await kept(tenant)).length).toBe(point.endsWith(".day-told") ? 1 : point.endsWith(":3") ? 3 : 4);
    const telling = () => database.db.collection("rate_tellings").findOne({ tenantId: tenant.tenantId });
    expect((await telling())?.["toldThrough"]).toBe(isNoted ? "2026-11-29" : undefined);
    // Whoever was killed is out of others' reach for five minutes.
    state.nowMs += 301_000;
    begin();
    await waitFor(async () => ((await telling())?.["toldThrough"] === "2026-11-29" ? true : undefined));
    await until(tenant, [
      ["2026-11-27", "1600", true],
      ["2026-11-28", "1600", true],
      ["2026-11-29", "1610", true],
      ["2026-11-30", "1610", false],
    ]);
  },
  60_000,
);

test("each point of the job is one that it is killed at", () => {
  expect(points.toSorted()).toEqual([
    "remittance.middle-rates.day-told",
    "remittance.middle-rates.noted",
    "remittance.middle-rates.told",
  ]);
});
