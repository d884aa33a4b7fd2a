import { ReportServiceDefinition } from "../../../proto/gen/operations/v1/reports.js";
import { createClosedBooks } from "../../../test/support/closed-books.js";
import { createSettlingFixture, settlingTenant } from "../../../test/support/settling-fixture.js";
import { tenantCalls, transfer } from "../../../test/support/ledger-fixture.js";

let fixture: Awaited<ReturnType<typeof createSettlingFixture>>;
let ledger: Awaited<ReturnType<(typeof fixture)["start"]>>;
beforeAll(async () => {
  fixture = await createSettlingFixture("ledger_reports");
  ledger = await fixture.start();
});
afterAll(() => fixture.close());

async function freshTenant() {
  const tenant = settlingTenant(
    () => ledger,
    () => fixture.identity,
  );
  await tenant.openAll();
  return tenant;
}
type Tenant = Awaited<ReturnType<typeof freshTenant>>;

const day = (ahead = 0) => new Date(Date.now() + ahead * 86_400_000).toISOString().slice(0, 10);

async function table(tenant: Tenant, report: string, by: string[], columns: string[] = [], from = day(-1)) {
  const answer = await ledger.reports.getReport({ report, from, to: day(1), by, columns }, tenant.asManager());
  return answer.rows.map(({ cells }) => cells);
}

test("partners' costs are what settlements say that they kept, each partner's apart, less what was reversed", async () => {
  const tenant = await freshTenant();
  const second = "partner_settlement:p2:USD";
  await ledger.remittance.createAccounts(
    { accounts: [{ accountId: second, code: "partner_settlement", currency: "USD" }] },
    tenant.call(),
  );
  await tenant.owe(tenant.partnerUsd, 10_000n);
  await tenant.owe(second, 10_000n);
  const paid = (accountId: string, amount: string, cost: string, fee: string) =>
    tenant.settle({ accountId, amount, cost: { amount: cost, currency: "USD" }, fee });
  await paid(tenant.partnerUsd, "20", "20.75", "0.75");
  await paid(second, "30", "31.10", "1.10");
  const { settlementId } = await paid(second, "10", "12.00", "2.00");
  expect(await table(tenant, "partner-costs", ["day", "partner"])).toEqual([
    [day(), "p1", "USD", "0.75"],
    [day(), "p2", "USD", "3.10"],
  ]);
  const { approvalId } = await tenant.reverse(settlementId);
  await tenant.decide(approvalId);
  await tenant.ended(settlementId, "REVERSED");
  expect(await table(tenant, "partner-costs", ["partner"])).toEqual([
    ["p1", "USD", "0.75"],
    ["p2", "USD", "1.10"],
  ]);
  expect(await table(tenant, "partner-costs", [], [], day(-364))).toEqual([["USD", "1.85"]]);
  expect(await table(await freshTenant(), "partner-costs", ["partner"])).toEqual([]);
});

test("the result is income less expense, on the day that each counts for", async () => {
  const tenant = await freshTenant();
  const feesOn = async (minor: bigint, effectiveAt: Date) => {
    const key = `fees-${minor}`;
    const transfers = [transfer(key, "remittance_clearing:USD", "fee_income:USD", minor, { effectiveAt })];
    await ledger.remittance.postTransfers({ groups: [{ transfers }], createdBy: "remittance" }, tenant.call());
  };
  await feesOn(2_50n, new Date());
  await feesOn(1_00n, new Date(Date.now() - 86_400_000));
  await tenant.owe(tenant.partnerUsd, 5_000n);
  await tenant.settle({ amount: "50", cost: { amount: "50.75", currency: "USD" }, fee: "0.75" });
  expect(await table(tenant, "result", ["day"])).toEqual([
    [day(-1), "USD", "1.00", "0.00", "1.00"],
    [day(), "USD", "2.50", "0.75", "1.75"],
  ]);
  expect(await table(tenant, "result", ["code"], ["result"])).toEqual([
    ["fee_income", "USD", "3.50"],
    ["partner_fees", "USD", "-0.75"],
  ]);
});

test("what a year's end moves to what its owners keep is no result", async () => {
  const books = await createClosedBooks("ledger_result", "2026-12-30T12:00:00Z");
  const tenant = tenantCalls();
  const ids = ["remittance_clearing:USD", "fee_income:USD", "refund_expense:USD"];
  const accounts = ids.map((accountId) => ({ accountId, code: accountId.split(":")[0]!, currency: "USD" }));
  const { remittance } = books.ledger;
  await remittance.createAccounts({ accounts }, tenant.call());
  const [clearing, income, expense] = ids as [string, string, string];
  const transfers = [transfer("fees", clearing, income, 2_50n), transfer("back", expense, clearing, 40n)];
  await remittance.postTransfers(
    { groups: transfers.map((one) => ({ transfers: [one] })), createdBy: "remittance" },
    tenant.call(),
  );
  books.clock.at = Date.parse("2027-01-02T12:00:00Z");
  const result = async () => {
    const asked = { report: "result", from: "2026-01-02", to: "2027-01-02", by: ["day", "code"], columns: ["result"] };
    const { rows } = await books.client(ReportServiceDefinition).getReport(asked, books.as(tenant));
    return rows.map(({ cells }) => cells);
  };
  const before = await result();
  expect(before).toEqual([
    ["2026-12-30", "fee_income", "USD", "2.50"],
    ["2026-12-30", "refund_expense", "USD", "-0.40"],
  ]);
  await books.close(tenant, "2026");
  const held = await books.trialBalance(tenant, "2026-12-31");
  expect(["fee_income USD", "refund_expense USD", "retained_earnings USD"].map((line) => held.get(line))).toEqual([
    0n,
    0n,
    -2_10n,
  ]);
  expect(await result()).toEqual(before);
  await books.stop();
});

test("what there is not is refused by its name, and what is not theirs to everybody but managers", async () => {
  const tenant = await freshTenant();
  const right = { report: "result", from: day(-365), to: day(), by: ["month"], columns: ["result"] };
  const ask = (more: Partial<typeof right>, call = tenant.asManager()) =>
    ledger.reports.getReport({ ...right, ...more }, call);
  expect((await ask({})).columns).toEqual(["month", "currency", "result"]);
  const at = (path: string) => ({
    name: "Refusal",
    code: "INVALID_INPUT",
    details: { errors: [expect.objectContaining({ path })] },
  });
  await expect(ask({ from: day(-366) })).rejects.toMatchObject(at("to"));
  await expect(ask({ from: day(), to: day(-1) })).rejects.toMatchObject(at("to"));
  await expect(ask({ from: day(1), to: day(1) })).rejects.toMatchObject(at("from"));
  await expect(ask({ from: "2026-02-30" })).rejects.toMatchObject(at("from"));
  await expect(ask({ report: "volume" })).rejects.toMatchObject(at("report"));
  await expect(ask({ by: ["agent"] })).rejects.toMatchObject(at("by"));
  await expect(ask({ columns: ["cost"] })).rejects.toMatchObject(at("columns"));
  const agent = tenant.call({ user: { tenantId: tenant.tenantId, role: "AGENT", userId: "agent-1" } });
  await expect(ask({}, agent)).rejects.toMatchObject({ code: "FORBIDDEN" });
});
