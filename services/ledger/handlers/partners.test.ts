import { PartnerServiceDefinition } from "../../../proto/gen/ledger/v1/partners.js";
import { refused } from "../../../test/support/remittance-calls.js";
import { createBooksFixture, type BooksFixture, type BooksTenant } from "../../../test/support/books-fixture.js";
import { transfer, type WireTransfer } from "../../../test/support/ledger-fixture.js";
import { plansOf } from "../../../test/support/read-plans.js";

let fixture: BooksFixture;
const clientOf = (of: BooksFixture) => of.client(PartnerServiceDefinition);
let client: ReturnType<typeof clientOf>;

beforeAll(async () => {
  fixture = await createBooksFixture("ledger_partners");
  client = clientOf(fixture);
});
afterAll(() => fixture.close());

const dayMs = 86_400_000;
const clearing = "remittance_clearing:NGN";
const idOf = (partner: string) => `partner_settlement:${partner}:NGN`;
const daysAgo = (days: number): WireTransfer => ({ effectiveAt: new Date(Date.now() - days * dayMs) });

/** A tenant with partners in NGN, each of which has been paid 10,000.00 ahead. */
async function prefunded(...partners: string[]): Promise<BooksTenant> {
  const tenant = fixture.tenant();
  await tenant.openRemittance(
    { code: "remittance_clearing", currency: "NGN" },
    ...partners.map((one) => ({ code: "partner_settlement", currency: "NGN", accountId: idOf(one) })),
  );
  for (const one of partners) await post(tenant, idOf(one), clearing, 10_000_00n, daysAgo(20));
  return tenant;
}

const post = (tenant: BooksTenant, debit: string, credit: string, amountMinor: bigint, more: WireTransfer = {}) =>
  tenant.postAsRemittance(
    transfer(tenant.key(), debit, credit, 0n, { amount: { amountMinor, currency: "NGN" }, ...more }),
  );
const paidOut = (tenant: BooksTenant, partner: string, amountMinor: bigint, more?: WireTransfer) =>
  post(tenant, clearing, idOf(partner), amountMinor, more);
const put = (tenant: BooksTenant, accountId: string, below: string, idempotencyKey = tenant.key()) =>
  client.putPartnerAlarm({ idempotencyKey, accountId, below }, tenant.as());

describe("what partners hold", () => {
  test("each account by itself: paid ahead, owed, reserved, and what went out on the seven days before today", async () => {
    const tenant = await prefunded("p1", "p2");
    await paidOut(tenant, "p1", 700_00n, daysAgo(1));
    await paidOut(tenant, "p1", 70_00n, daysAgo(7));
    await paidOut(tenant, "p1", 5_000_00n, daysAgo(8));
    await paidOut(tenant, "p1", 1_00n);
    await paidOut(tenant, "p1", 30_00n, { mode: "TRANSFER_MODE_PENDING" });
    await paidOut(tenant, "p2", 10_000_01n, daysAgo(9));
    const { balances, nextCursor, today } = await client.listPartnerBalances({}, tenant.as());
    const ngn = { code: "partner_settlement", currency: "NGN", partner: "operator", alarm: undefined };
    expect(balances).toEqual([
      {
        ...ngn,
        accountId: idOf("p1"),
        name: idOf("p1"),
        owedMinor: 0n,
        prefundedMinor: 4_229_00n,
        reservedMinor: 30_00n,
        paidOutMinor: 770_00n,
      },
      {
        ...ngn,
        accountId: idOf("p2"),
        name: idOf("p2"),
        owedMinor: 1n,
        prefundedMinor: 0n,
        reservedMinor: 0n,
        paidOutMinor: 0n,
      },
    ]);
    expect([nextCursor, today]).toEqual(["", new Date().toISOString().slice(0, 10)]);
  });

  test("pages by account id, of one code where it is named, and nothing of another tenant", async () => {
    const tenant = await prefunded("p1", "p2", "p3");
    await prefunded("p4");
    const first = await client.listPartnerBalances({ pageSize: 2 }, tenant.as());
    const second = await client.listPartnerBalances({ pageSize: 2, cursor: first.nextCursor }, tenant.as());
    const ids = [first, second].map(({ balances }) => balances.map(({ accountId }) => accountId));
    expect(ids).toEqual([[idOf("p1"), idOf("p2")], [idOf("p3")]]);
    expect(second.nextCursor).toBe("");
    const cards = await client.listPartnerBalances({ code: "card_settlement" }, tenant.as());
    expect(cards.balances).toEqual([]);
    const strange = await refused(client.listPartnerBalances({ code: "fee_income" }, tenant.as()));
    expect(strange).toMatchObject({ code: "INVALID_INPUT", details: { errors: [{ path: "code" }] } });
  });

  test("is read from sums by index: three reads, whose rows do not grow with the transfers", async () => {
    const tenant = await prefunded("p1", "p2");
    const cost = async () => {
      const read = () => client.listPartnerBalances({}, tenant.as());
      const reads = await plansOf(fixture.database, read, tenant.tenantId);
      const own = reads.filter(({ collection }) =>
        ["accounts", "days", "partner_alarms", "transfers"].includes(collection),
      );
      // One scan a code, whose rows are merged.
      const once = (plan: string) => [...new Set(plan.split(/(?<=}), /))].join(", ");
      const found = own.map(
        ({ collection, plan, isSorted, examined }) => [collection, once(plan), isSorted, examined] as const,
      );
      // The job that watches alarms asks the same, at its own time.
      const distinct = found.filter((one, at) => found.findIndex((other) => String(other) === String(one)) === at);
      return distinct.toSorted(([one], [other]) => (one < other ? -1 : 1));
    };
    for (let day = 1; day <= 9; day += 1) await paidOut(tenant, "p1", 1n, daysAgo(day));
    await paidOut(tenant, "p1", 1n);
    const before = await cost();
    expect(before.map(([collection, plan, isSorted]) => [collection, plan, isSorted])).toEqual([
      ["accounts", "IXSCAN { tenantId: 1, code: 1, accountId: 1 }", false],
      ["days", "IXSCAN { tenantId: 1, accountId: 1, day: 1 }", false],
      ["partner_alarms", "IXSCAN { tenantId: 1, accountId: 1 }", false],
    ]);
    const more = Array.from({ length: 200 }, (_, n) =>
      transfer(tenant.key(), clearing, idOf("p1"), 0n, {
        amount: { amountMinor: 1n, currency: "NGN" },
        ...daysAgo(1 + (n % 9)),
      }),
    );
    await tenant.postAsRemittance(...more);
    expect(await cost()).toEqual(before);
  });
});

describe("an alarm", () => {
  test("is put once per key, changed, and ended; also how much may be owed", async () => {
    const tenant = await prefunded("p1");
    const key = tenant.key();
    const first = await put(tenant, idOf("p1"), "5000.5", key);
    expect(first.alarm).toMatchObject({ belowMinor: 5_000_50n, isLow: false, changedBy: "manager-1", currency: "NGN" });
    expect(await put(tenant, idOf("p1"), "5000.5", key)).toEqual(first);
    expect((await put(tenant, idOf("p1"), "-20000")).alarm?.belowMinor).toBe(-20_000_00n);
    const listed = async () => (await client.listPartnerBalances({}, tenant.as())).balances[0]!.alarm?.belowMinor;
    expect(await listed()).toBe(-20_000_00n);
    expect((await put(tenant, idOf("p1"), "")).alarm?.belowMinor).toBeUndefined();
    expect(await listed()).toBeUndefined();
  });

  test.each([
    ["partner_settlement:nobody:NGN", "1.00", "ACCOUNT_NOT_FOUND", undefined],
    ["no such account", "1.00", "INVALID_INPUT", "accountId"],
    [clearing, "1.00", "INVALID_INPUT", "accountId"],
    [idOf("p1"), "1.001", "INVALID_INPUT", "below"],
    [idOf("p1"), "much", "INVALID_INPUT", "below"],
    [idOf("p1"), "92233720368547758.08", "AMOUNT_TOO_LARGE", undefined],
  ])("on %s below %s is refused: %s at %s", async (accountId, below, code, path) => {
    const tenant = await prefunded("p1");
    const refusal = await refused(put(tenant, accountId, below));
    expect(refusal.code).toBe(code);
    if (path !== undefined) expect(refusal.details).toMatchObject({ errors: [{ path }] });
  });
});
