import { randomUUID } from "node:crypto";
import type { BranchDay, DayKind } from "../../../proto/gen/wallet/v1/branch_cash.js";
import { documentsReadOf } from "../../../test/support/commands.js";
import { testTenant } from "../../../test/support/index.js";
import {
  createWalletFixture,
  eventually,
  refusalOf,
  type Person,
  type WalletFixture,
} from "../../../test/support/wallet-fixture.js";

let wallet: WalletFixture;
beforeAll(async () => {
  wallet = await createWalletFixture("wallet_branch_day", { recoverAfterMs: 150, cacheMs: 0 });
});
afterEach(() => {
  wallet.identity.state.offsetMs = 0;
});
afterAll(() => wallet.close());

const key = () => ({ idempotencyKey: randomUUID() });
const lagos = "LAG-1";

async function branch() {
  const tenantId = testTenant();
  for (const code of [lagos, "ABJ-2"]) wallet.remittance.branches.set(`${tenantId} ${code}`, true);
  const [manager, second] = [wallet.person(tenantId, "MANAGER"), wallet.person(tenantId, "MANAGER")];
  const [cashier, other] = [wallet.person(tenantId, "CASHIER"), wallet.person(tenantId, "CASHIER")];
  for (const { userId } of [cashier, other]) {
    await wallet.gateway.putBranchAssignment({ userId, branchCode: lagos }, wallet.calls(manager));
  }
  const owner = wallet.person(tenantId);
  const { accountId } = await wallet.wallet(owner, "USD", 500_00n);
  return {
    tenantId,
    manager,
    second,
    cashier,
    other,
    open: async (by: Person, float = "200") =>
      (await wallet.gateway.openTill({ ...key(), currency: "USD", float }, wallet.calls(by))).till!.tillId,
    cashIn: (tillId: string, amount: string, by: Person) =>
      wallet.gateway.cashIn({ ...key(), tillId, accountId, amount }, wallet.calls(by)),
    close: (by: Person, tillId: string, counted: string) =>
      wallet.gateway.closeTill({ ...key(), tillId, counted, reason: "As counted" }, wallet.calls(by)),
    async order(fromBranchCode: string, toBranchCode: string, amount: string, isReceived: boolean) {
      const asked = { ...key(), fromBranchCode, toBranchCode, currency: "USD", amount };
      const { order } = await wallet.gateway.requestCashOrder(asked, wallet.calls(manager));
      const { orderId } = order!;
      await wallet.gateway.sendCashOrder({ ...key(), orderId }, wallet.calls(manager));
      const counted = { ...key(), orderId, outcome: "RECEIVED", counted: amount };
      if (isReceived) await wallet.gateway.endCashOrder(counted, wallet.calls(second));
      return orderId;
    },
    day: (part: object = {}, by: Person = manager) =>
      wallet.gateway.getBranchDay({ branchCode: lagos, ...part }, wallet.calls(by)).then(({ day }) => day!),
  };
}

const kinds = (lines: readonly DayKind[]) => Object.fromEntries(lines.map((one) => [one.kind, one.totalMinor]));

/** Opening and lines are closing, of each part; and that is what the ledger has. */
function assertBalanced({ tills, vaults, totals }: BranchDay): void {
  for (const { openingMinor, lines, closingMinor } of [...tills, ...vaults, ...totals]) {
    expect(lines.reduce((minor, { totalMinor }) => minor + totalMinor, openingMinor)).toBe(closingMinor);
  }
  for (const { closingMinor, ledgerMinor } of [...vaults, ...totals]) expect(closingMinor).toBe(ledgerMinor);
  for (const { inTillsMinor, inVaultMinor, inTransitMinor, closingMinor } of totals) {
    expect(inTillsMinor + inVaultMinor + inTransitMinor).toBe(closingMinor);
  }
}

test("a day of a branch: each till by kind, its vault, what is in transit, and totals that are the ledger's", async () => {
  const { cashier, other, open, cashIn, close, order, day } = await branch();
  await order("", lagos, "1000", true);
  const [first, second] = [await open(cashier), await open(other, "300")];
  await cashIn(first, "50.25", cashier);
  await cashIn(first, "10", cashier);
  await close(cashier, first, "260");
  const orderId = await order(lagos, "ABJ-2", "100", false);
  await order(lagos, "ABJ-2", "70", true);
  const found = await day();
  assertBalanced(found);
  expect(found).toMatchObject({ branchCode: lagos, allClosed: false });
  expect(found.inTransit.map((one) => one.orderId)).toEqual([orderId]);
  const [closed, open_] = found.tills;
  expect([closed!.till!.tillId, closed!.closed, kinds(closed!.lines)]).toEqual([
    first,
    true,
    { FLOAT: 200_00n, CASH_IN: 60_25n, DIFFERENCE: -25n, CLOSING: -260_00n },
  ]);
  expect(closed!.lines.find(({ kind }) => kind === "CASH_IN")?.count).toBe(2);
  expect(closed!.till).toMatchObject({ countedMinor: 260_00n, differenceMinor: -25n, reason: "As counted" });
  expect([open_!.till!.tillId, open_!.closed, open_!.closingMinor]).toEqual([second, false, 300_00n]);
  const vault = { FLOAT: -500_00n, CLOSING: 260_00n, ORDER_RECEIVED: 1_000_00n, ORDER_SENT: -170_00n };
  expect(found.vaults.map(({ lines }) => kinds(lines))).toEqual([vault]);
  expect(found.totals).toMatchObject([
    { openingMinor: 0n, inTillsMinor: 300_00n, inVaultMinor: 590_00n, inTransitMinor: 100_00n, closingMinor: 990_00n },
  ]);
  expect(kinds(found.totals[0]!.lines)).toEqual({
    CASH_IN: 60_25n,
    DIFFERENCE: -25n,
    ORDER_RECEIVED: 1_000_00n,
    ORDER_DELIVERED: -70_00n,
  });
  await close(other, second, "300");
  const after = await day();
  assertBalanced(after);
  expect(after.allClosed).toBe(true);
  const house = await day({ branchCode: "" });
  assertBalanced(house);
  expect(house).toMatchObject({ tills: [], vaults: [{ closingMinor: -1_000_00n }], inTransit: [] });
});

test("the next day begins with what the one before ended with", async () => {
  const { cashier, manager, open, cashIn, close, order, day } = await branch();
  await order("", lagos, "1000", true);
  const tillId = await open(cashier);
  await cashIn(tillId, "50", cashier);
  await order(lagos, "ABJ-2", "100", false);
  const before = await day();
  // Business time is a day further for the tenant.
  wallet.identity.state.offsetMs = 86_400_000;
  await eventually("the next day", async () => (await day()).date !== before.date);
  const [next, again] = [await day(), await day({ date: before.date })];
  for (const one of [next, again]) expect(one.totals).toHaveLength(1);
  expect(next.totals[0]!.openingMinor).toBe(next.totals[0]!.closingMinor);
  expect(next.totals[0]!.openingMinor).toBe(before.totals[0]!.closingMinor);
  // The call-over has it on the day of its line, too.
  const called = async (date: string) =>
    (await wallet.gateway.sumCash({ date }, wallet.calls(manager))).sums.map(({ kind, totalMinor }) => [
      kind,
      totalMinor,
    ]);
  expect([await called(before.date), await called("")]).toEqual([[["CASH_IN", 50_00n]], []]);
  expect(next.tills).toMatchObject([{ openingMinor: 250_00n, lines: [], closingMinor: 250_00n, closed: false }]);
  await cashIn(tillId, "5", cashier);
  await close(cashier, tillId, "255");
  expect(await called("")).toEqual([["CASH_IN", 5_00n]]);
  const late = await day();
  expect(late.tills).toMatchObject([{ openingMinor: 250_00n, closingMinor: 0n, closed: true }]);
  assertBalanced(late);
  expect(late.allClosed).toBe(true);
});

test("reads no more of a till or a vault that has been open for long, and of a day that has many lines", async () => {
  const { cashier, open, cashIn, order, day } = await branch();
  const read = () => documentsReadOf(wallet.database.db, ["till_lines", "vault_lines"], () => day());
  await order("", lagos, "1000", true);
  const tillId = await open(cashier);
  await cashIn(tillId, "1", cashier);
  const few = await read();
  expect(few.documents).toBe(4);
  for (let at = 0; at < 10; at += 1) await cashIn(tillId, "1", cashier);
  await order("", lagos, "1", true);
  const many = await read();
  expect(many.documents).toBe(4);
  expect(many.result.tills).toMatchObject([{ openingMinor: 0n, closingMinor: 211_00n }]);
  expect(many.result.tills[0]!.lines).toMatchObject([{ count: 11, totalMinor: 11_00n }, { kind: "FLOAT" }]);
  wallet.identity.state.offsetMs = 86_400_000;
  const next = await eventually("the next day", async () => {
    const found = await read();
    return found.result.date === few.result.date ? undefined : found;
  });
  expect(next.documents).toBe(0);
  expect(next.result).toMatchObject({ tills: [{ openingMinor: 211_00n }], vaults: [{ openingMinor: 801_00n }] });
});

test("is exact where the business day goes back: a line behind another may be of the day before", async () => {
  const { cashier, open, cashIn, order, day } = await branch();
  await order("", lagos, "1000", true);
  const tillId = await open(cashier);
  const { date: first } = await day();
  wallet.identity.state.offsetMs = 86_400_000;
  const second = (
    await eventually("the next day", async () => {
      const found = await day();
      return found.date === first ? undefined : found;
    })
  ).date;
  await cashIn(tillId, "5", cashier);
  await order(lagos, "", "10", true);
  wallet.identity.state.offsetMs = 0;
  await eventually("the day before", async () => (await day()).date === first);
  await cashIn(tillId, "7", cashier);
  await order("", lagos, "30", true);
  const [before, after] = [await day({ date: first }), await day({ date: second })];
  expect([before.tills, before.vaults]).toMatchObject([
    [{ openingMinor: 0n, closingMinor: 207_00n }],
    [{ openingMinor: 0n, closingMinor: 830_00n }],
  ]);
  expect([after.tills, after.vaults]).toMatchObject([
    [{ openingMinor: 207_00n, lines: [{ kind: "CASH_IN", totalMinor: 5_00n }], closingMinor: 212_00n }],
    [{ openingMinor: 830_00n, lines: [{ kind: "ORDER_SENT", totalMinor: -10_00n }], closingMinor: 820_00n }],
  ]);
});

test("asks a manager of the organisation, for a branch and a day that there are", async () => {
  const { cashier, day } = await branch();
  for (const [part, path] of [
    [{ branchCode: "NONE" }, "branchCode"],
    [{ date: "2026-13-01" }, "date"],
    [{ date: "today" }, "date"],
  ] as const) {
    expect(await refusalOf(day(part))).toMatchObject({ code: "INVALID_INPUT", details: { errors: [{ path }] } });
  }
  await expect(day({}, cashier)).rejects.toMatchObject({ code: "FORBIDDEN" });
  const strange = wallet.person(undefined, "MANAGER");
  expect(await day({ branchCode: "" }, strange)).toMatchObject({ tills: [], vaults: [], totals: [], allClosed: true });
  expect(await day({ date: "2020-02-29" })).toMatchObject({ date: "2020-02-29", tills: [], inTransit: [] });
});
