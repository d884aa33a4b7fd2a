import { createSettlingFixture, settlingTenant, type SettlingLedger } from "../../../test/support/settling-fixture.js";

let fixture: Awaited<ReturnType<typeof createSettlingFixture>>;
let ledger: SettlingLedger;

beforeAll(async () => {
  fixture = await createSettlingFixture("ledger_settlements");
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

describe("a settlement with a partner", () => {
  test("in another currency leaves nothing owed, and both sides on the exchange position", async () => {
    const tenant = await freshTenant();
    await tenant.owe(tenant.partnerNgn, 15_257_500n);
    const cost = { amount: "99.40", currency: "USD" };
    const terms = { accountId: tenant.partnerNgn, amount: "152575.00", currency: "NGN", cost };
    const settlement = await tenant.settle(terms);
    expect(settlement).toMatchObject({ status: "SETTLEMENT_STATUS_POSTED", decidedBy: "manager-2" });
    const balances = [tenant.partnerNgn, "exchange_position:NGN", "exchange_position:USD", tenant.bank];
    expect(await Promise.all(balances.map(tenant.balance))).toEqual([0n, 0n, -9_940n, 9_940n]);
  });

  test("with a fee pays both out of the bank, and who approves sees each account of it", async () => {
    const tenant = await freshTenant();
    await tenant.owe(tenant.partnerUsd, 5_000n);
    const cost = { amount: "50.75", currency: "USD" };
    const { settlementId, approvalId } = await tenant.propose({ amount: "50", cost, fee: "0.75" });
    const { noted } = await tenant.decide(approvalId);
    expect(noted).toEqual([
      `ACCOUNT_CREDITED account:${tenant.bank} 50.75 USD`,
      "ACCOUNT_DEBITED account:partner_fees:USD 0.75 USD",
      `ACCOUNT_DEBITED account:${tenant.partnerUsd} 50.00 USD`,
    ]);
    await tenant.ended(settlementId, "POSTED");
    const balances = [tenant.partnerUsd, tenant.bank, "partner_fees:USD"];
    expect(await Promise.all(balances.map(tenant.balance))).toEqual([0n, 5_075n, -75n]);
  });
});
