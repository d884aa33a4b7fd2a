import { randomInt, randomUUID } from "node:crypto";
import { PeriodServiceDefinition } from "../../../proto/gen/ledger/v1/periods.js";
import { LatePosting, type JournalTransfer } from "../../../proto/gen/ledger/v1/ledger.js";
import { createClosedBooks, verified } from "../../../test/support/closed-books.js";
import { tenantCalls, transfer, type LedgerReplica } from "../../../test/support/ledger-fixture.js";
import { pause } from "../../../test/support/time.js";
import { storedJournal } from "../audit/stored-journal.js";
import { verifyJournal } from "../audit/verify.js";
import { dayText, parseDay } from "../domain/days.js";
import { createLedgerStore } from "../store/index.js";

type Books = Awaited<ReturnType<typeof createClosedBooks>>;
type Tenant = ReturnType<typeof tenantCalls>;
let books: Books;
let other: LedgerReplica;
const [bank, fees] = ["bank_settlement:USD", "wallet_fee_income:USD"];
const dayMs = 86_400_000;
const today = parseDay("2027-01-10")!;
const noonOf = (day: number) => new Date(day * dayMs + dayMs / 2);
const seed = Number(process.env["CLOSING_SEED"] ?? randomInt(2 ** 31));

beforeAll(async () => {
  books = await createClosedBooks("closing_races", noonOf(today).toISOString());
  other = (await books.startAnother()).ledger;
});
afterAll(async () => {
  await other.stop();
  await books.stop();
});

jest.setTimeout(180_000);

/** A tenant whose customer has paid a fee. */
async function paying(day: number): Promise<Tenant> {
  const tenant = tenantCalls();
  await tenant.open(books.ledger, ["w1"]);
  const income = { accountId: fees, code: "wallet_fee_income", currency: "USD", name: "Fees" };
  await books.ledger.wallet.createAccounts({ accounts: [income] }, tenant.call());
  const effectiveAt = noonOf(day);
  await tenant.post(books.ledger, transfer("in", bank, "w1", 1_000_000n, { effectiveAt }));
  await tenant.post(books.ledger, transfer("fee", "w1", fees, 2_50n, { effectiveAt }));
  return tenant;
}

const periodsOf = ({ port }: { port: number }) =>
  books.fixture.network.client(PeriodServiceDefinition, "ledger", port, "gateway");
const closings = async (tenant: Tenant) => (await books.periods.listClosings({}, books.as(tenant))).closings;
const journalOf = async (tenant: Tenant): Promise<JournalTransfer[]> => {
  const all: JournalTransfer[] = [];
  for (let afterSequence = 0n; ; afterSequence = all.at(-1)!.sequence) {
    const page = await books.ledger.as("operator").readJournal({ afterSequence, limit: 1_000 }, tenant.call());
    if (page.transfers.length === 0) return all;
    all.push(...page.transfers);
  }
};

test.each(["2026-12-31", "2026-12", "2026"])(
  "of fifty who close %s at once one does, and a year moves once",
  async (period) => {
    const tenant = await paying(parseDay("2026-12-31")!);
    const replicas = [books.ledger, other].map(periodsOf);
    const tries = await Promise.allSettled(
      Array.from({ length: 50 }, (_, n) =>
        replicas[n % 2]!.closeBooks({ period, idempotencyKey: `by-${n % 25}` }, books.as(tenant)),
      ),
    );
    const answers = tries.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
    expect(answers.length).toBeGreaterThan(0);
    expect(new Set(answers.map(({ closing }) => closing!.number))).toEqual(new Set([1]));
    const codes = tries.flatMap((one) => (one.status === "rejected" ? [one.reason.code] : []));
    expect(codes.filter((code) => !["STATE_CONFLICT", "IDEMPOTENCY_IN_FLIGHT"].includes(code))).toEqual([]);
    expect(await closings(tenant)).toMatchObject([{ number: 1, period }]);
    const kept = "retained_earnings:USD";
    expect([await tenant.balance(books.ledger, fees), await tenant.balance(books.ledger, kept)]).toEqual([0n, 2_50n]);
    expect(await verified(await books.download(tenant, 1))).toMatchObject({ isOk: true });
  },
);

interface Load {
  readonly posters: number;
  /** Of each before it posts again. */
  readonly pauseMs: number;
}

/** Posts for days that are being closed, through both replicas, until it is told to stop. */
function keepPosting(tenant: Tenant, days: readonly number[], { posters, pauseMs }: Load) {
  let isRunning = true;
  const post = async (n: number) => {
    for (let at = n; isRunning; at += 7) {
      const effectiveAt = noonOf(days[(at * 31 + seed) % days.length]!);
      if (pauseMs > 0) await pause(pauseMs);
      const late = n % 3 === 0 ? { late: LatePosting.LATE_POSTING_REFUSE } : {};
      const move = transfer(randomUUID(), "w1", fees, 1n, { effectiveAt, ...late });
      const result = await tenant.post(n % 2 === 0 ? books.ledger : other, move);
      if (result.posted !== undefined) continue;
      expect([result.refused?.code, n % 3]).toEqual(["PERIOD_CLOSED", 0]);
    }
  };
  const running = Promise.all(Array.from({ length: posters }, (_, n) => post(n)));
  running.catch(() => undefined);
  return async (): Promise<void> => {
    isRunning = false;
    await running;
  };
}

/**
 * Each transfer against where the closings are in the journal: it counts for its own day where that
 * was open, else for the first one that was.
 */
async function misplaced(tenant: Tenant): Promise<string[]> {
  const stand = (await closings(tenant)).toReversed();
  return (await journalOf(tenant)).flatMap(({ sequence, key, day, belongsTo, effectiveAt }) => {
    const before = stand.filter(({ throughSequence }) => throughSequence < sequence);
    const closedThrough = Math.max(-Infinity, ...before.map(({ throughDate }) => parseDay(throughDate)!));
    const own = Math.floor(effectiveAt!.getTime() / dayMs);
    const expected = own > closedThrough ? [dayText(own), ""] : [dayText(closedThrough + 1), dayText(own)];
    return JSON.stringify([day, belongsTo]) === JSON.stringify(expected) ? [] : [`${key}: ${day} of ${dayText(own)}`];
  });
}

/** Whoever closes a year that is posted to meanwhile is told to try again. */
async function close(tenant: Tenant, period: string, at: number): Promise<void> {
  const replica = periodsOf(at % 2 === 0 ? books.ledger : other);
  for (let tries = 0; ; tries++) {
    try {
      return void (await replica.closeBooks({ period, idempotencyKey: randomUUID() }, books.as(tenant)));
    } catch (error) {
      if (!/try again/.test(String(error)) || tries === 50) throw error;
    }
  }
}

test.each<[string, string, string[], Load]>([
  [
    "days and a month",
    "2026-11-24",
    ["2026-11-24", "2026-11-25", "2026-11", "2026-12-01"],
    { posters: 24, pauseMs: 0 },
  ],
  ["a month and its year", "2026-12-26", ["2026-12-26", "2026-12", "2026", "2027-01-01"], { posters: 3, pauseMs: 100 }],
])(
  `while the journal is busy %s close with every transfer on one side (seed ${seed})`,
  async (_what, first, periods, load) => {
    const days = Array.from({ length: 12 }, (_, n) => parseDay(first)! + n);
    const tenant = await paying(days[0]! - 1);
    const stop = keepPosting(tenant, days, load);
    await pause(300);
    for (const [at, period] of periods.entries()) await close(tenant, period, at);
    await pause(300);
    await stop();
    expect((await journalOf(tenant)).length).toBeGreaterThan(load.posters);
    expect((await closings(tenant)).map(({ period }) => period)).toEqual(periods.toReversed());
    expect(await misplaced(tenant)).toEqual([]);
    const store = createLedgerStore(books.fixture.database.db).forTenant(tenant.tenantId);
    expect((await verifyJournal(storedJournal(store, tenant.tenantId))).faults).toEqual([]);
    if (periods.includes("2026")) {
      // What the year has earned is with its owners to the last cent, whatever came in meanwhile.
      const at = { accountId: fees, effectiveDate: "2026-12-31" };
      expect(await books.ledger.wallet.getBalance(at, tenant.call())).toMatchObject({ balanceMinor: 0n });
    }
    for (const number of [1, periods.length]) {
      expect(await verified(await books.download(tenant, number))).toEqual({ isOk: true, said: expect.any(String) });
    }
  },
);
