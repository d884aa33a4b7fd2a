import { PositionServiceDefinition } from "../../../proto/gen/ledger/v1/positions.js";
import { createBooksFixture, type BooksFixture, type BooksTenant } from "../../../test/support/books-fixture.js";
import { transfer } from "../../../test/support/ledger-fixture.js";

let fixture: BooksFixture;
const clientOf = (of: BooksFixture) => of.client(PositionServiceDefinition);
let client: ReturnType<typeof clientOf>;

beforeAll(async () => {
  fixture = await createBooksFixture("ledger_positions");
  client = clientOf(fixture);
});
afterAll(() => fixture.close());

const partner = "partner_settlement:operator:NGN";
const ngn = (amountMinor: bigint) => ({ amount: { amountMinor, currency: "NGN" } });

/** A tenant that has sold 152,575.00 NGN for 100.00 USD, and not bought them yet. */
async function shortOfNaira(): Promise<BooksTenant> {
  const tenant = fixture.tenant();
  await tenant.openRemittance(
    { code: "remittance_clearing", currency: "USD" },
    { code: "exchange_position", currency: "USD" },
    { code: "exchange_position", currency: "NGN" },
    { code: "exchange_position", currency: "GBP" },
    { code: "partner_settlement", currency: "NGN", accountId: partner },
  );
  await tenant.postAsRemittance(
    transfer("paid:1", "remittance_clearing:USD", "exchange_position:USD", 100_00n),
    transfer("paid:2", "exchange_position:NGN", partner, 0n, ngn(15_257_500n)),
  );
  return tenant;
}

const read = async (tenant: BooksTenant) => client.getPositions({}, tenant.as());

test("a payment opens a position; what it is bought back for realises the difference, once", async () => {
  const tenant = await shortOfNaira();
  const naira = { code: "exchange_position", currency: "NGN", baseCurrency: "USD" };
  const open = { ...naira, quantityMinor: -15_257_500n, costMinor: -100_00n, realisedMinor: 0n };
  expect((await read(tenant)).positions).toEqual([open]);
  await tenant.postAsRemittance(
    transfer("back:1", partner, "exchange_position:NGN", 0n, ngn(15_257_500n)),
    transfer("back:2", "exchange_position:USD", "remittance_clearing:USD", 99_40n),
  );
  const closed = { ...naira, quantityMinor: 0n, costMinor: 0n, realisedMinor: 60n };
  const all = await Promise.all(Array.from({ length: 5 }, () => read(tenant)));
  for (const { positions } of all) expect(positions).toEqual([closed]);
  expect((await read(tenant)).positions).toEqual([closed]);
  expect([
    await tenant.creditMinor(partner),
    await tenant.creditMinor("fx_result:USD"),
    await tenant.creditMinor("exchange_position:USD"),
  ]).toEqual([0n, 60n, 0n]);
});

test("a payout that comes back at its own rate realises nothing", async () => {
  const tenant = await shortOfNaira();
  await tenant.postAsRemittance(
    transfer("return:1", partner, "exchange_position:NGN", 0n, ngn(15_257_500n)),
    transfer("return:2", "exchange_position:USD", "remittance_clearing:USD", 100_00n),
  );
  expect((await read(tenant)).positions).toMatchObject([{ quantityMinor: 0n, costMinor: 0n, realisedMinor: 0n }]);
});

test("an exchange of two foreign currencies waits for a price, and is named", async () => {
  const tenant = await shortOfNaira();
  const gbp = { amount: { amountMinor: 1_00n, currency: "GBP" } };
  await tenant.openRemittance({ code: "remittance_clearing", currency: "GBP" });
  await tenant.postAsRemittance(
    transfer("cross:1", "remittance_clearing:GBP", "exchange_position:GBP", 0n, gbp),
    transfer("cross:2", "exchange_position:NGN", partner, 0n, ngn(2_000_00n)),
  );
  const { positions, waiting } = await read(tenant);
  expect(positions).toMatchObject([{ currency: "NGN", quantityMinor: -15_257_500n }]);
  expect(waiting).toEqual([{ code: "exchange_position", sequence: 4n, currencies: ["GBP", "NGN"] }]);
  expect((await read(tenant)).waiting).toEqual(waiting);
});
