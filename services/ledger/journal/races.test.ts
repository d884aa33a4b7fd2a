import { randomUUID } from "node:crypto";
import { createLedgerFixture, tenantCalls, transfer } from "../../../test/support/ledger-fixture.js";
import { LatePosting, type GroupResult } from "../../../proto/gen/ledger/v1/ledger.js";

import { storedJournal } from "../audit/stored-journal.js";
import { verifyJournal } from "../audit/verify.js";
import { createLedgerStore } from "../store/index.js";
import { dayText, parseDay } from "../domain/days.js";

const bank = "bank_settlement:USD";
const races = 500;
const atOnce = 50;

let fixture: Awaited<ReturnType<typeof createLedgerFixture>>;

beforeAll(async () => {
  fixture = await createLedgerFixture("ledger_races");
});
afterAll(() => fixture.close());

test(`${races} races of two linked groups that together would overdraw an account: one of each pair posts, never both`, async () => {
  const replicas = [await fixture.start(), await fixture.start()] as const;
  const tenant = tenantCalls();
  const [one, two] = replicas;
  for (let from = 0; from < races; from += atOnce) {
    const names = Array.from({ length: atOnce }, (_, n) => `r${from + n}`);
    await tenant.open(one, ["till", ...names.flatMap((name) => [`${name}-a`, `${name}-b`, `${name}-c`])]);
    const funding = names.flatMap((name) =>
      ["a", "b", "c"].map((side) => ({ transfers: [transfer(randomUUID(), bank, `${name}-${side}`, 100n)] })),
    );
    await one.wallet.postTransfers({ groups: funding, createdBy: "race" }, tenant.call());
    const outcomes = await Promise.all(
      names.map((name, n) => {
        const [a, b, c] = [`${name}-a`, `${name}-b`, `${name}-c`];
        // Both want 60 of the 100 in a, one as its first and one as its second transfer, by way of
        // different replicas.
        const first = [transfer(randomUUID(), a, "till", 60n), transfer(randomUUID(), b, "till", 1n)];
        const second = [transfer(randomUUID(), c, "till", 1n), transfer(randomUUID(), a, "till", 60n)];
        const [left, right] = n % 2 === 0 ? replicas : ([two, one] as const);
        return Promise.all([tenant.post(left, ...first), tenant.post(right, ...second)]);
      }),
    );
    expect(outcomes.map(describeOutcome)).toEqual(names.map(() => "one posted, one INSUFFICIENT_FUNDS"));
    const { accounts } = await one.wallet.getAccounts(
      { accountIds: names.flatMap((name) => [`${name}-a`, `${name}-b`, `${name}-c`]) },
      tenant.call(),
    );
    const balances = new Map(
      accounts.map((account) => [account.accountId, account.creditsPostedMinor - account.debitsPostedMinor]),
    );
    for (const [n, [left]] of outcomes.entries()) {
      const sides = ["a", "b", "c"].map((side) => balances.get(`${names[n]}-${side}`));
      // All of the one that posted, and nothing of the other.
      expect(sides).toEqual(left.posted === undefined ? [40n, 100n, 99n] : [40n, 99n, 100n]);
    }
  }
}, 120_000);

test("no transfer counts for a day after it was closed, whoever posts meanwhile", async () => {
  const replicas = [await fixture.start(), await fixture.start()] as const;
  const tenant = tenantCalls();
  const [one, two] = replicas;
  await tenant.open(one, ["w1"]);
  const today = Math.floor(Date.now() / 86_400_000);
  const closings: { day: number; asked: number; answered: number }[] = [];
  const posted = new Map<string, { begun: number; ended: number; day: string; belongsTo: string }>();
  let moment = 0;
  let isClosing = true;
  const post = async (n: number) => {
    while (isClosing) {
      const begun = ++moment;
      const key = randomUUID();
      const effectiveAt = new Date((today - 12 + (n % 12)) * 86_400_000);
      const late = n % 3 === 0 ? { late: LatePosting.LATE_POSTING_REFUSE } : {};
      const result = await tenant.post(replicas[n % 2]!, transfer(key, bank, "w1", 1n, { effectiveAt, ...late }));
      if (result.posted === undefined) expect(result.refused?.code).toBe("PERIOD_CLOSED");
      else posted.set(key, { begun, ended: ++moment, ...result.posted.transfers[0]! });
    }
  };
  const posting = Promise.all(Array.from({ length: 24 }, (_, n) => post(n)));
  for (let day = today - 12; day < today - 4; day++) {
    const asked = ++moment;
    await two.as("operator").closePeriod({ throughDate: dayText(day) }, tenant.call());
    closings.push({ day, asked, answered: ++moment });
  }
  isClosing = false;
  await posting;
  for (const { begun, ended, day, belongsTo } of posted.values()) {
    const before = closings.findLast(({ answered }) => answered < begun);
    const counted = parseDay(day)!;
    if (before !== undefined) expect(counted).toBeGreaterThan(before.day);
    if (belongsTo === "") continue;
    const closed = closings.find((one) => one.day === counted - 1)!;
    expect(closed.asked).toBeLessThan(ended);
    expect(parseDay(belongsTo)!).toBeLessThan(counted);
  }
  const { transfers } = await one.as("operator").readJournal({ limit: 1_000 }, tenant.call());
  let closedThrough = -Infinity;
  for (const { day, belongsTo } of transfers) {
    if (belongsTo !== "") closedThrough = Math.max(closedThrough, parseDay(day)! - 1);
    expect(parseDay(day)!).toBeGreaterThan(closedThrough);
  }
  expect(closedThrough).toBeGreaterThan(today - 12);
  // The records say after which transfer each day was closed, and verification holds days to that.
  const store = createLedgerStore(fixture.database.db).forTenant(tenant.tenantId);
  expect((await verifyJournal(storedJournal(store, tenant.tenantId))).faults).toEqual([]);
  for (const { day } of closings) {
    const { afterSeq } = (await store.periodRecord(day))!;
    for (const { sequence, day: counted } of transfers) {
      if (sequence > afterSeq) expect(parseDay(counted)!).toBeGreaterThan(day);
    }
  }
}, 60_000);

function describeOutcome(pair: readonly GroupResult[]): string {
  const posted = pair.filter((result) => result.posted !== undefined).length;
  const refused = pair.flatMap((result) => result.refused?.code ?? []);
  return `${posted === 1 ? "one" : posted} posted, one ${refused.join()}`;
}
