import { LatePosting, TransferMode } from "../../../proto/gen/ledger/v1/ledger.js";
import { closeDays, reopenDays } from "../../../test/support/close-days.js";
import { createLedgerFixture, tenantCalls, transfer } from "../../../test/support/ledger-fixture.js";
import type { LedgerReplica } from "../../../test/support/ledger-fixture.js";
import { Refusal } from "../../kernel/refusal.js";
import { businessTime } from "../../platform/preferences/business-clock.js";
import { dayOf, dayText, parseDay } from "../domain/days.js";

let fixture: Awaited<ReturnType<typeof createLedgerFixture>>;
let ledger: LedgerReplica;
const bank = "bank_settlement:USD";

/** A clock that the test sets; it stands still otherwise. */
let now = new Date("2026-11-20T12:00:00Z");

beforeAll(async () => {
  fixture = await createLedgerFixture("ledger_reads");
  ledger = await fixture.start({}, { clock: { now: () => now } });
});
afterAll(() => fixture.close());
beforeEach(() => {
  now = new Date("2026-11-20T12:00:00Z");
});

const effective = (date: string) => ({ effectiveAt: new Date(date) });

describe("GetBalance", () => {
  async function opened() {
    const tenant = tenantCalls();
    await tenant.open(ledger, ["w1", "w2"]);
    const balance = async (accountId: string, asOf: object = {}) =>
      ledger.wallet.getBalance({ accountId, ...asOf }, tenant.call());
    const onDate = async (accountId: string, effectiveDate: string) =>
      (await balance(accountId, { effectiveDate })).balanceMinor;
    return { ...tenant, get: balance, onDate };
  }

  test("now, with what is available", async () => {
    const tenant = await opened();
    await tenant.post(ledger, transfer("a", bank, "w1", 100n));
    await tenant.post(ledger, transfer("p", "w1", "w2", 30n, { mode: TransferMode.TRANSFER_MODE_PENDING }));
    expect(await tenant.get("w1")).toEqual({
      balanceMinor: 100n,
      debitsPostedMinor: 0n,
      creditsPostedMinor: 100n,
      availableMinor: 70n,
      currency: "USD",
      rolledOverMinor: "",
      sequence: 2n,
    });
    expect(await tenant.get(bank)).toMatchObject({ balanceMinor: 100n, debitsPostedMinor: 100n });
    expect((await tenant.get(bank)).availableMinor).toBeUndefined();
  });

  test("at an effective date, whatever order things were inserted in", async () => {
    const tenant = await opened();
    await tenant.post(ledger, transfer("today", bank, "w1", 100n));
    await tenant.post(ledger, transfer("back", bank, "w1", 7n, effective("2026-11-10T23:59:59.999Z")));
    await tenant.post(ledger, transfer("ahead", bank, "w1", 1_000n, effective("2026-12-24T00:00:00Z")));
    await tenant.post(ledger, transfer("spent", "w1", "w2", 5n, effective("2026-11-15T00:00:00Z")));
    now = new Date("2026-11-21T00:00:00Z");
    await tenant.post(ledger, transfer("tomorrow", "w1", "w2", 50n));
    await tenant.post(ledger, transfer("backAgain", bank, "w1", 3n, effective("2026-11-10T00:00:00Z")));
    for (const [date, w1, w2] of [
      ["2026-11-09", 0n, 0n],
      ["2026-11-10", 10n, 0n],
      ["2026-11-14", 10n, 0n],
      ["2026-11-15", 5n, 5n],
      ["2026-11-19", 5n, 5n],
      ["2026-11-20", 105n, 5n],
      ["2026-11-21", 55n, 55n],
      ["2026-12-23", 55n, 55n],
      ["2026-12-24", 1_055n, 55n],
    ] as const) {
      expect([date, await tenant.onDate("w1", date), await tenant.onDate("w2", date)]).toEqual([date, w1, w2]);
    }
    const debits = await tenant.get(bank, { effectiveDate: "2026-11-20" });
    expect(debits).toMatchObject({ balanceMinor: 110n, debitsPostedMinor: 110n, creditsPostedMinor: 0n, sequence: 0n });
  });

  test("what is only reserved counts for no day", async () => {
    const tenant = await opened();
    await tenant.post(ledger, transfer("a", bank, "w1", 100n, effective("2026-11-01T00:00:00Z")));
    const hold = { mode: TransferMode.TRANSFER_MODE_PENDING, ...effective("2026-11-02T00:00:00Z") };
    await tenant.post(ledger, transfer("p", "w1", "w2", 30n, hold));
    expect(await tenant.onDate("w1", "2026-11-20")).toBe(100n);
    const mode = TransferMode.TRANSFER_MODE_POST_PENDING;
    await tenant.post(ledger, { key: "post", pendingKey: "p", kind: "t", mode, ...effective("2026-11-03T00:00:00Z") });
    expect(await tenant.onDate("w1", "2026-11-02")).toBe(100n);
    expect(await tenant.onDate("w1", "2026-11-03")).toBe(70n);
  });

  test("at an insertion time, whatever it is effective", async () => {
    const tenant = await opened();
    const times: Date[] = [];
    for (let n = 1; n <= 70; n++) {
      now = new Date(now.getTime() + 1_000);
      times.push(now);
      await tenant.post(
        ledger,
        transfer(`k${n}`, bank, n % 2 === 0 ? "w1" : "w2", 1n, effective("2026-01-01T00:00:00Z")),
      );
    }
    for (const n of [0, 1, 2, 33, 34, 63, 64, 65, 69]) {
      const insertedAt = times[n]!;
      expect((await tenant.get("w1", { insertedAt })).balanceMinor).toBe(BigInt(Math.floor((n + 1) / 2)));
      const justBefore = new Date(insertedAt.getTime() - 1);
      expect((await tenant.get("w1", { insertedAt: justBefore })).balanceMinor).toBe(BigInt(Math.floor(n / 2)));
    }
    expect(await tenant.get("w1", { insertedAt: new Date("2026-01-01") })).toMatchObject({
      balanceMinor: 0n,
      sequence: 0n,
    });
    const last = await tenant.get("w1", { insertedAt: new Date("2027-01-01") });
    expect(last).toMatchObject({ balanceMinor: 35n, sequence: 70n });
    expect(last.debitsPostedMinor).toBeUndefined();
  });

  test("sees what was acknowledged before, through any replica", async () => {
    const tenant = await opened();
    const other = await fixture.start();
    for (let n = 1n; n <= 20n; n++) {
      await tenant.post(n % 2n === 0n ? ledger : other, transfer(`k${n}`, bank, "w1", 1n));
      for (const asOf of [{}, { effectiveDate: "2100-01-01" }, { insertedAt: new Date("2100-01-01") }]) {
        expect((await other.wallet.getBalance({ accountId: "w1", ...asOf }, tenant.call())).balanceMinor).toBe(n);
      }
    }
    await other.stop();
  });

  test("ACCOUNT_NOT_FOUND, INVALID_INPUT", async () => {
    const tenant = await opened();
    for (const [request, code] of [
      [{ accountId: "nobody" }, "ACCOUNT_NOT_FOUND"],
      [{ accountId: "nobody", effectiveDate: "2026-11-20" }, "ACCOUNT_NOT_FOUND"],
      [{ accountId: "nobody", insertedAt: now }, "ACCOUNT_NOT_FOUND"],
      [{ accountId: "" }, "INVALID_INPUT"],
      [{ accountId: "w1", effectiveDate: "2026-02-30" }, "INVALID_INPUT"],
      [{ accountId: "w1", effectiveDate: "yesterday" }, "INVALID_INPUT"],
      [{ accountId: "w1", insertedAt: new Date("1066-10-14") }, "INVALID_INPUT"],
    ] as const) {
      await expect(ledger.wallet.getBalance(request, tenant.call())).rejects.toMatchObject({ code });
    }
    const stranger = ledger.wallet.getBalance({ accountId: "w1" }, tenantCalls().call());
    await expect(stranger).rejects.toMatchObject({ code: "ACCOUNT_NOT_FOUND" });
  });
});

describe("ListAccountEntries", () => {
  async function opened() {
    const tenant = tenantCalls();
    await tenant.open(ledger, ["w1", "w2"]);
    const times: Date[] = [];
    for (let n = 1; n <= 10; n++) {
      now = new Date(now.getTime() + 60_000);
      times.push(now);
      await tenant.post(ledger, transfer(`in${n}`, bank, "w1", 10n), transfer(`out${n}`, "w1", "w2", 4n));
    }
    const page = (request: object) => ledger.wallet.listAccountEntries({ accountId: "w1", ...request }, tenant.call());
    return { ...tenant, page, times };
  }
  const signed = ({ side, amount }: { side: string; amount?: { amountMinor: bigint } | undefined }) =>
    side === "ENTRY_SIDE_CREDIT" ? amount!.amountMinor : -amount!.amountMinor;

  test("gives every entry once with the balance after it, page after page, both ways", async () => {
    const { page } = await opened();
    for (const newestFirst of [false, true]) {
      const entries = [];
      let cursor = "";
      do {
        const answer = await page({ newestFirst, pageSize: 7, cursor });
        expect(answer.entries.length).toBeLessThanOrEqual(7);
        entries.push(...answer.entries);
        cursor = answer.nextCursor;
      } while (cursor !== "");
      const inOrder = newestFirst ? entries.toReversed() : entries;
      expect(inOrder.map(({ transferId }) => transferId)).toEqual(
        Array.from({ length: 10 }, (_, n) => [`in${n + 1}`, `out${n + 1}`]).flat(),
      );
      let balance = 0n;
      for (const entry of inOrder) {
        balance += signed(entry);
        expect(entry).toMatchObject({ balanceMinor: balance, accountId: "w1", ownerId: "customer-w1" });
      }
    }
  });

  test("from one time until another", async () => {
    const { page, times } = await opened();
    const ids = async (request: object) => (await page(request)).entries.map(({ transferId }) => transferId);
    expect(await ids({ from: times[8] })).toEqual(["in9", "out9", "in10", "out10"]);
    expect(await ids({ until: times[1] })).toEqual(["in1", "out1"]);
    expect(await ids({ from: times[1], until: times[2], newestFirst: true })).toEqual(["out2", "in2"]);
    expect(await ids({ from: new Date("2030-01-01") })).toEqual([]);
    const first = await page({ from: times[8], pageSize: 1 });
    expect(await ids({ from: times[8], pageSize: 1, cursor: first.nextCursor })).toEqual(["out9"]);
  });

  test("ACCOUNT_NOT_FOUND, INVALID_INPUT", async () => {
    const { page } = await opened();
    const { nextCursor } = await page({ pageSize: 1 });
    for (const [request, code] of [
      [{ accountId: "nobody" }, "ACCOUNT_NOT_FOUND"],
      [{ accountId: "a b" }, "INVALID_INPUT"],
      [{ pageSize: 1_001 }, "INVALID_INPUT"],
      [{ from: new Date("1066-10-14") }, "INVALID_INPUT"],
      [{ cursor: "x" }, "INVALID_INPUT"],
      [{ cursor: nextCursor, newestFirst: true }, "INVALID_INPUT"],
      [{ accountId: "w2", cursor: nextCursor }, "INVALID_INPUT"],
    ] as const) {
      await expect(page(request)).rejects.toMatchObject({ code });
    }
  });
});

test("ListEntriesByInteraction: pages give what one answer gives", async () => {
  const tenant = tenantCalls();
  await tenant.open(ledger, ["w1", "w2"]);
  const interactionId = "i:1";
  for (let n = 1; n <= 5; n++) {
    const transfers = [transfer(`k${n}`, bank, "w1", 2n), transfer(`l${n}`, "w1", "w2", 1n)];
    const createdBy = n % 2 === 0 ? "even" : "odd";
    await ledger.wallet.postTransfers({ createdBy, groups: [{ transfers }] }, tenant.call({ interactionId }));
  }
  for (const filter of [{}, { ownerId: "customer-w2" }, { createdBy: "even" }]) {
    const ask = (more: object) =>
      ledger.wallet.listEntriesByInteraction({ interactionId, ...filter, ...more }, tenant.call());
    const whole = await ask({});
    expect(whole.nextCursor).toBe("");
    const paged = [];
    let cursor = "";
    do {
      const answer = await ask({ pageSize: 3, cursor });
      paged.push(...answer.entries);
      cursor = answer.nextCursor;
    } while (cursor !== "");
    expect(paged).toEqual(whole.entries);
  }
  const { nextCursor } = await ledger.wallet.listEntriesByInteraction({ interactionId, pageSize: 1 }, tenant.call());
  const other = { interactionId: "i:2", pageSize: 1, cursor: nextCursor };
  await expect(ledger.wallet.listEntriesByInteraction(other, tenant.call())).rejects.toMatchObject({
    code: "INVALID_INPUT",
  });
});

test("ListEntriesByKeys: both sides of what was posted, in the journal's order, also by who caused it", async () => {
  const tenant = tenantCalls();
  await tenant.open(ledger, ["w1", "w2"]);
  const post = (createdBy: string, ...transfers: ReturnType<typeof transfer>[]) =>
    ledger.wallet.postTransfers({ createdBy, groups: [{ transfers }] }, tenant.call());
  await post("one", transfer("k2", bank, "w1", 5n));
  await post("two", transfer("k1", "w1", "w2", 2n));
  const refusedKey = transfer("k3", "w2", "w1", 99n);
  await post("one", refusedKey);
  const ask = (request: object) => ledger.wallet.listEntriesByKeys(request, tenant.call());
  const { entries } = await ask({ keys: ["k1", "k2", "k2", "k3", "never"] });
  expect(entries.map(({ transferId, accountId }) => [transferId, accountId])).toEqual([
    ["k2", bank],
    ["k2", "w1"],
    ["k1", "w1"],
    ["k1", "w2"],
  ]);
  const ofOne = await ask({ keys: ["k1", "k2"], createdBy: "one" });
  expect(ofOne.entries.map(({ transferId }) => transferId)).toEqual(["k2", "k2"]);
  for (const keys of [[], ["no key"], Array.from({ length: 1_001 }, (_, n) => `k${n}`)]) {
    await expect(ask({ keys })).rejects.toMatchObject({
      code: "INVALID_INPUT",
      details: { errors: [{ path: "keys" }] },
    });
  }
  const elsewhere = tenantCalls();
  await elsewhere.open(ledger, ["w1"]);
  expect((await ledger.wallet.listEntriesByKeys({ keys: ["k1"] }, elsewhere.call())).entries).toEqual([]);
});

describe("GetVolumes", () => {
  test("by effective day, kind and currency, also where a day passes int64", async () => {
    const tenant = tenantCalls();
    await tenant.open(ledger, ["w1", "w2", "w3"]);
    await tenant.open(ledger, ["y1"], "JPY");
    const most = 2n ** 63n - 1n;
    const yen = { amount: { amountMinor: 5n, currency: "JPY" } };
    await tenant.post(ledger, transfer("a", bank, "w1", 10n, { kind: "deposit" }));
    await tenant.post(ledger, transfer("b", "w1", "w2", 3n, { kind: "fee" }));
    await tenant.post(ledger, transfer("c", "w1", "w2", 2n, { kind: "fee" }));
    await tenant.post(ledger, transfer("y", "bank_settlement:JPY", "y1", 5n, { kind: "fee", ...yen }));
    await tenant.post(ledger, transfer("back", "w1", "w2", 1n, { kind: "fee", ...effective("2026-11-19T23:00:00Z") }));
    await tenant.post(
      ledger,
      transfer("hold", "w1", "w2", 1n, { kind: "fee", mode: TransferMode.TRANSFER_MODE_PENDING }),
    );
    await tenant.post(ledger, transfer("no", "w1", "w2", 1_000n, { kind: "fee" }));
    now = new Date("2026-11-21T00:00:00Z");
    await ledger.wallet.createAccounts(
      { accounts: [{ accountId: "bank2", code: "bank_settlement", currency: "USD" }] },
      tenant.call(),
    );
    await tenant.post(ledger, transfer("big", "bank2", "w3", most, { kind: "big" }));
    await tenant.post(ledger, transfer("bigBack", "w3", "bank2", most, { kind: "big" }));
    const ask = async (request: object) => (await ledger.as("operator").getVolumes(request, tenant.call())).volumes;
    const days = { fromDate: "2026-11-01", toDate: "2026-11-30" };
    expect(await ask(days)).toEqual([
      { date: "2026-11-19", kind: "fee", currency: "USD", transfers: 1n, amountMinor: "1" },
      { date: "2026-11-20", kind: "deposit", currency: "USD", transfers: 1n, amountMinor: "10" },
      { date: "2026-11-20", kind: "fee", currency: "JPY", transfers: 1n, amountMinor: "5" },
      { date: "2026-11-20", kind: "fee", currency: "USD", transfers: 2n, amountMinor: "5" },
      { date: "2026-11-21", kind: "big", currency: "USD", transfers: 2n, amountMinor: String(2n * most) },
    ]);
    expect(await ask({ ...days, kind: "deposit" })).toHaveLength(1);
    expect(await ask({ fromDate: "2026-11-20", toDate: "2026-11-20" })).toHaveLength(3);
    expect(await ledger.wallet.getVolumes(days, tenantCalls().call())).toEqual({ volumes: [] });
  });

  test("INVALID_INPUT for days that are none, the wrong way round, or too many", async () => {
    for (const [fromDate, toDate] of [
      ["", "2026-11-01"],
      ["2026-11-01", "2026-11-31"],
      ["2026-11-02", "2026-11-01"],
      ["2025-01-01", "2026-01-02"],
    ] as const) {
      await expect(ledger.wallet.getVolumes({ fromDate, toDate }, tenantCalls().call())).rejects.toMatchObject({
        code: "INVALID_INPUT",
      });
    }
  });
});

describe("days that are closed", () => {
  const close = ({ tenantId }: ReturnType<typeof tenantCalls>, through: string) =>
    closeDays(fixture.database.db, tenantId, parseDay(through)!, now);

  const REFUSE = { late: LatePosting.LATE_POSTING_REFUSE };

  test("late news counts for the first open day and names its own, or is refused and decides nothing", async () => {
    const tenant = tenantCalls();
    await tenant.open(ledger, ["w1", "w2"]);
    await tenant.post(ledger, transfer("a", bank, "w1", 10n, effective("2026-11-10T00:00:00Z")));
    const hold = { mode: TransferMode.TRANSFER_MODE_PENDING, ...effective("2026-11-10T00:00:00Z") };
    await tenant.post(ledger, transfer("p", "w1", "w2", 2n, hold));
    await close(tenant, "2026-11-15");

    const news = effective("2026-11-15T23:59:59.999Z");
    const back = transfer("b", bank, "w1", 1n, { ...news, ...REFUSE });
    for (let time = 0; time < 2; time++) {
      expect((await tenant.post(ledger, back)).refused).toMatchObject({
        code: "PERIOD_CLOSED",
        message: "2026-11-15 is closed, the first open day is 2026-11-16",
        replayed: false,
      });
    }
    const counted = async (...group: Parameters<typeof transfer>[]) =>
      (await tenant.post(ledger, ...group.map((one) => transfer(...one)))).posted?.transfers.map(
        ({ day, belongsTo }) => [day, belongsTo],
      );
    const asked = { ...effective("2026-11-16T00:00:00Z"), ...REFUSE };
    // Of one group each by itself; the key that was refused is free.
    expect(await counted(["b", bank, "w1", 1n, news], ["c", bank, "w1", 1n, asked], ["d", bank, "w1", 1n])).toEqual([
      ["2026-11-16", "2026-11-15"],
      ["2026-11-16", ""],
      ["2026-11-20", ""],
    ]);
    const post = { key: "post", pendingKey: "p", kind: "t", mode: TransferMode.TRANSFER_MODE_POST_PENDING };
    const late = { ...post, ...effective("2026-11-14T00:00:00Z") };
    expect((await tenant.post(ledger, { ...late, ...REFUSE })).refused).toMatchObject({ code: "PERIOD_CLOSED" });
    expect((await tenant.post(ledger, late)).posted?.transfers).toMatchObject([{ belongsTo: "2026-11-14" }]);
    const head = await ledger.as("operator").getJournalHead({}, tenant.call());
    expect(head.closedThrough).toBe("2026-11-15");

    const balance = async (effectiveDate: string) =>
      (await ledger.wallet.getBalance({ accountId: "w1", effectiveDate }, tenant.call())).balanceMinor;
    expect([await balance("2026-11-15"), await balance("2026-11-16"), await balance("2026-11-20")]).toEqual([
      10n,
      10n,
      11n,
    ]);
    const { entries } = await ledger.wallet.listAccountEntries({ accountId: "w1" }, tenant.call());
    expect(entries.map(({ day, belongsTo }) => `${day} ${belongsTo}`.trim())).toEqual([
      "2026-11-10",
      "2026-11-16 2026-11-15",
      "2026-11-16",
      "2026-11-20",
      "2026-11-16 2026-11-14",
    ]);
  });

  test("days that are opened again take what belongs to them, also where it was refused before", async () => {
    const tenant = tenantCalls();
    await tenant.open(ledger, ["w1"]);
    await tenant.post(ledger, transfer("a", bank, "w1", 10n));
    await close(tenant, "2026-11-15");
    const back = transfer("b", bank, "w1", 1n, { ...effective("2026-11-15T12:00:00Z"), ...REFUSE });
    expect((await tenant.post(ledger, back)).refused?.code).toBe("PERIOD_CLOSED");
    const reopen = (from: string) => reopenDays(fixture.database.db, tenant.tenantId, parseDay(from)!, now);
    expect(await reopen("2026-11-15")).toBe(parseDay("2026-11-14"));
    expect((await tenant.post(ledger, back)).posted?.transfers).toMatchObject([{ day: "2026-11-15", belongsTo: "" }]);
    // What is open already is not opened any further.
    expect(await reopen("2026-11-18")).toBe(parseDay("2026-11-14"));
  });
});

test("what went through an account may pass int64, in its figures, its days and the trial balance", async () => {
  const tenant = tenantCalls();
  await tenant.open(ledger, ["w1"]);
  const part = 2n ** 62n;
  for (const round of ["1", "2", "3"]) {
    await tenant.post(ledger, transfer(`in${round}`, bank, "w1", part));
    await tenant.post(ledger, transfer(`out${round}`, "w1", bank, part));
  }
  await tenant.post(ledger, transfer("rest", bank, "w1", 5n));
  const { accounts } = await ledger.wallet.getAccounts({ accountIds: ["w1"] }, tenant.call());
  const rolledOverMinor = String(3n * part);
  expect(accounts).toMatchObject([{ debitsPostedMinor: 0n, creditsPostedMinor: 5n, rolledOverMinor }]);
  const balance = { balanceMinor: 5n, debitsPostedMinor: 0n, creditsPostedMinor: 5n, rolledOverMinor };
  expect(await ledger.wallet.getBalance({ accountId: "w1" }, tenant.call())).toMatchObject(balance);
  const today = { accountId: "w1", effectiveDate: dayText(dayOf(now.getTime())) };
  expect(await ledger.wallet.getBalance(today, tenant.call())).toMatchObject(balance);
  const before = { accountId: "w1", effectiveDate: "2026-01-01" };
  expect(await ledger.wallet.getBalance(before, tenant.call())).toMatchObject({
    balanceMinor: 0n,
    rolledOverMinor: "",
  });
  const { lines } = await ledger.wallet.getTrialBalance({}, tenant.call());
  expect(lines).toEqual([
    expect.objectContaining({ debitsMinor: String(3n * part + 5n), creditsMinor: String(3n * part) }),
    expect.objectContaining({ debitsMinor: String(3n * part), creditsMinor: String(3n * part + 5n) }),
  ]);
});

test("GetTrialBalance at an effective date is what the balances of all accounts are then", async () => {
  const tenant = tenantCalls();
  await tenant.open(ledger, ["w1", "w2"]);
  await tenant.open(ledger, ["y1"], "JPY");
  const yen = (key: string, minor: bigint, more: object = {}) =>
    transfer(key, "bank_settlement:JPY", "y1", 0n, { amount: { amountMinor: minor, currency: "JPY" }, ...more });
  await tenant.post(ledger, transfer("today", bank, "w1", 100n));
  await tenant.post(ledger, transfer("back", bank, "w2", 7n, effective("2026-11-10T23:59:59.999Z")));
  await tenant.post(ledger, transfer("ahead", bank, "w1", 1_000n, effective("2026-12-24T00:00:00Z")));
  await tenant.post(ledger, yen("yen", 30n, effective("2026-11-15T00:00:00Z")));
  await tenant.post(ledger, transfer("hold", "w1", "w2", 9n, { mode: TransferMode.TRANSFER_MODE_PENDING }));
  now = new Date("2026-11-21T00:00:00Z");
  await tenant.post(ledger, transfer("tomorrow", "w1", "w2", 50n));
  await tenant.post(ledger, yen("yenTomorrow", 3n));
  const user = { tenantId: tenant.tenantId, role: "MANAGER", userId: "m" } as const;
  const at = async (effectiveDate: string) => {
    const { lines } = await ledger.as("gateway").getTrialBalance({ effectiveDate }, tenant.call({ user }));
    return lines.map(({ code, currency, accounts, debitsMinor, creditsMinor }) =>
      [code, currency, String(accounts), debitsMinor, creditsMinor].join(" "),
    );
  };
  const asLines = (usd: string, jpy: string, moved = "0") => [
    `bank_settlement JPY 1 ${jpy} 0`,
    `bank_settlement USD 1 ${usd} 0`,
    `customer_wallet JPY 1 0 ${jpy}`,
    `customer_wallet USD 2 ${moved} ${String(BigInt(usd) + BigInt(moved))}`,
  ];
  expect(await at("2026-11-09")).toEqual(asLines("0", "0"));
  expect(await at("2026-11-10")).toEqual(asLines("7", "0"));
  expect(await at("2026-11-15")).toEqual(asLines("7", "30"));
  expect(await at("2026-11-20")).toEqual(asLines("107", "30"));
  expect(await at("2026-11-21")).toEqual(asLines("107", "33", "50"));
  expect(await at("2026-12-24")).toEqual(asLines("1107", "33", "50"));
  expect(await at("2026-12-24")).toEqual(await at(""));
  await expect(at("2026-02-30")).rejects.toMatchObject({ code: "INVALID_INPUT" });
});

describe("the business day", () => {
  let place = { timeZone: "America/New_York", aheadMs: 0 };
  let isAway = false;
  let elsewhere: LedgerReplica;
  const clock = { now: () => now };

  beforeAll(async () => {
    const businessClock = {
      async forTenant() {
        if (isAway) throw new Refusal("UNAVAILABLE", "identity is away");
        return businessTime(clock, place.aheadMs, place.timeZone);
      },
    };
    elsewhere = await fixture.start({}, { clock, businessClock, identityCacheMs: 0 });
  });

  test("is that of the tenant's zone and clock when it is posted, and stays it", async () => {
    const tenant = tenantCalls();
    await tenant.open(elsewhere, ["w1"]);
    const dayOfPosting = async (key: string, at: string, more: object = {}) => {
      now = new Date(at);
      const { posted } = await tenant.post(elsewhere, transfer(key, bank, "w1", 1n, more));
      return posted!.transfers[0]!.day;
    };
    // A day of 25 hours: clocks were put back in its night.
    expect(await dayOfPosting("a", "2026-11-01T03:59:59.999Z")).toBe("2026-10-31");
    expect(await dayOfPosting("b", "2026-11-01T04:00:00Z")).toBe("2026-11-01");
    expect(await dayOfPosting("c", "2026-11-02T04:59:59.999Z")).toBe("2026-11-01");
    expect(await dayOfPosting("d", "2026-11-02T05:00:00Z")).toBe("2026-11-02");
    expect(await dayOfPosting("e", "2026-11-02T05:00:00Z", effective("2026-11-01T04:00:00Z"))).toBe("2026-11-01");
    place = { timeZone: "America/New_York", aheadMs: 30 * 86_400_000 };
    expect(await dayOfPosting("f", "2026-11-02T05:00:00Z")).toBe("2026-12-02");
    expect(await dayOfPosting("g", "2026-11-02T05:00:00Z", effective("2026-11-01T04:00:00Z"))).toBe("2026-11-01");
    place = { timeZone: "Asia/Tokyo", aheadMs: 0 };
    expect(await dayOfPosting("h", "2026-11-02T15:00:00Z")).toBe("2026-11-03");
    const { transfer: first } = await elsewhere.wallet.getTransfer({ key: "a" }, tenant.call());
    expect(first).toMatchObject({ day: "2026-10-31", belongsTo: "" });
    const range = { fromDate: "2026-10-31", toDate: "2026-12-31" };
    const { volumes } = await elsewhere.wallet.getVolumes(range, tenant.call());
    expect(volumes.map(({ date, transfers }) => `${date} ${transfers}`)).toEqual([
      "2026-10-31 1",
      "2026-11-01 4",
      "2026-11-02 1",
      "2026-11-03 1",
      "2026-12-02 1",
    ]);
  });

  test("goes on as it was last known while identity is away; nobody else's journal is taken over", async () => {
    const tenant = tenantCalls();
    await tenant.open(elsewhere, ["w1"]);
    await tenant.post(elsewhere, transfer("a", bank, "w1", 1n));
    isAway = true;
    try {
      expect((await tenant.post(elsewhere, transfer("b", bank, "w1", 1n))).posted).toBeDefined();
      const other = tenantCalls();
      await other.open(elsewhere, ["w1"]);
      const deadline = { ...other.call(), timeoutMs: 500 };
      const groups = [{ transfers: [transfer("a", bank, "w1", 1n)] }];
      const posting = elsewhere.wallet.postTransfers({ groups, createdBy: "u" }, deadline);
      await expect(posting).rejects.toMatchObject({ code: expect.stringMatching(/^UNAVAILABLE|DEADLINE/) as string });
      const leases = fixture.database.db.collection("leases");
      expect(await leases.countDocuments({ tenantId: other.tenantId })).toBe(0);
    } finally {
      isAway = false;
    }
  });
});
