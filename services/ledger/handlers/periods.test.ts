import { randomInt, randomUUID } from "node:crypto";
import { PeriodServiceDefinition } from "../../../proto/gen/ledger/v1/periods.js";
import { atDepth } from "../../../test/support/depth.js";
import { createClosedBooks, missedEdits, verified } from "../../../test/support/closed-books.js";
import { decideAsForeseen } from "../../../test/support/foreseen.js";
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

jest.setTimeout(180_000);

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
  const [tried, seed] = [atDepth({ quick: 200, ci: 1_000, long: 10_000 }), randomInt(1_000_000)];
  const found = await missedEdits(folder, tried, seed);
  expect([seed, found]).toEqual([seed, { tried, missed: [], byHash: [], after: "" }]);
});

test("days are opened again by two people; what they were closed with is superseded and kept, to the byte", async () => {
  const tenant = await twoDays();
  await books.close(tenant, "2026-11-28");
  await books.close(tenant, "2026-11-29");
  await books.built(tenant, 2);
  const before = await books.read(tenant, 2, "manifest.json");
  expect((await books.periods.readPeriods({}, books.as(tenant))).closedThrough).toBe("2026-11-29");
  const asked = { idempotencyKey: randomUUID(), period: "2026-11-29", reason: "A bill came late" };
  const { approvalId, approvalStatus } = await books.periods.askReopening(asked, books.as(tenant));
  expect(approvalStatus).toBe("PENDING");
  const question = books.identity.state.approvals.find(({ approval }) => approval.approvalId === approvalId)!;
  const approval = { ...question.approval, status: "APPROVED", decidedBy: "manager-2", decidedAt: new Date() };
  const told = { approval, payloadJson: question.payloadJson };
  const { noted } = await decideAsForeseen(books.outcomes, told, tenant.call());
  expect(noted).toEqual(["PERIOD_REOPENED period:2026-11-29"]);
  expect((await books.periods.readPeriods({}, books.as(tenant))).closedThrough).toBe("2026-11-28");
  await books.move(tenant, "late", new Date("2026-11-29T15:00:00Z"));
  expect(await books.close(tenant, "2026-11-29")).toMatchObject({ number: 3, afterSequence: 8n });
  const { closings } = await books.periods.listClosings({}, books.as(tenant));
  expect(closings.map(({ number, supersededBy }) => [number, supersededBy])).toEqual([
    [3, ""],
    [2, approvalId],
    [1, ""],
  ]);
  expect(await books.read(tenant, 2, "manifest.json")).toBe(before);
  expect(await verified(await books.download(tenant, 3))).toMatchObject({ isOk: true });
});

test("what is not over, no period or not next is refused, and a service closes no books", async () => {
  const tenant = await twoDays();
  const refusal = (period: string) =>
    books.close(tenant, period).then(
      () => "closed",
      ({ code }: { code: string }) => code,
    );
  for (const period of ["2026-11-30", "2026-12-01", "2026-11", "2026", "", "2026-13", "2026-02-30"]) {
    expect([period, await refusal(period)]).toEqual([period, "INVALID_INPUT"]);
  }
  expect(await refusal("2026-11-28")).toBe("closed");
  books.clock.at = on("2026-12-01");
  for (const period of ["2026-11-28", "2026-11-30"]) {
    expect([period, await refusal(period)]).toEqual([period, "STATE_CONFLICT"]);
  }
  const asService = books.client(PeriodServiceDefinition, "identity");
  const request = { period: "2026-11-29", idempotencyKey: randomUUID() };
  await expect(asService.closeBooks(request, books.as(tenant))).rejects.toMatchObject({ code: "CALLER_NOT_ALLOWED" });
});
