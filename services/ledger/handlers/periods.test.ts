import { randomUUID } from "node:crypto";
import { createClosedBooks, verified } from "../../../test/support/closed-books.js";
import { tenantCalls } from "../../../test/support/ledger-fixture.js";

type Books = Awaited<ReturnType<typeof createClosedBooks>>;
let books: Books;
const noon = "2026-11-28T12:00:00Z";
const on = (day: string) => Date.parse(`${day}T12:00:00Z`);

beforeAll(async () => {
  books = await createClosedBooks("ledger_periods", noon);
});
beforeEach(() => {
  books.clock.at = on("2026-11-28");
});
afterAll(() => books.stop());

/** A tenant with some transfers on the 28th and on the 29th, on the 30th. */
async function twoDays() {
  const tenant = tenantCalls();
  await books.move(tenant, "a");
  books.clock.at = on("2026-11-29");
  await books.move(tenant, "b");
  books.clock.at = on("2026-11-30");
  return tenant;
}

test("a day that is over is closed once per key, and its package proves itself offline", async () => {
  const tenant = await twoDays();
  await books.move(tenant, "c");
  const request = { period: "2026-11-28", idempotencyKey: randomUUID() };
  const first = await books.periods.closeBooks(request, books.as(tenant));
  expect(await books.periods.closeBooks(request, books.as(tenant))).toEqual(first);
  expect(first.closing).toMatchObject({ number: 1, period: "2026-11-28", throughSequence: 12n, closedBy: "manager-1" });
  const folder = await books.download(tenant, 1);
  const proof = await verified(folder);
  expect(proof).toEqual({ isOk: true, said: expect.stringMatching(/^OK: 2026-11-28: 12 transfers through 12, /) });
});
