import { randomUUID } from "node:crypto";
import { createLedgerFixture, tenantCalls, transfer, type LedgerReplica } from "../../test/support/ledger-fixture.js";

let fixture: Awaited<ReturnType<typeof createLedgerFixture>>;
let ledger: LedgerReplica;
const bank = "bank_settlement:USD";

beforeAll(async () => {
  fixture = await createLedgerFixture("ledger_handlers");
  ledger = await fixture.start();
});
afterAll(() => fixture.close());

test("a transfer posts once however often it is sent", async () => {
  const tenant = tenantCalls();
  await tenant.open(ledger, ["w1"]);
  const deposit = transfer(randomUUID(), bank, "w1", 2_500n);
  const first = await tenant.post(ledger, deposit);
  expect(first.posted).toMatchObject({ replayed: false, transfers: [{ sequence: 1n, creditBalanceMinor: 2_500n }] });
  const again = await tenant.post(ledger, deposit);
  expect(again.posted).toEqual({ ...first.posted, replayed: true });
  expect(await tenant.balance(ledger, "w1")).toBe(2_500n);
});
