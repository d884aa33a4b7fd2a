import { created, paidAt } from "../../../test/support/transactions.js";
import { availableOn, businessDayAfter, createDayEnds, promisedDay, promiseOf } from "./promised-day.js";

const paid = { ...created, paidAt, status: "PAID" as const };
const day = (text: string) => Temporal.PlainDate.from(text);

test.each([
  // Thursday to Monday, by the week of the receiving country.
  ["2026-11-26", 0, "NGA", "2026-11-26"],
  ["2026-11-26", 1, "NGA", "2026-11-27"],
  ["2026-11-26", 2, "NGA", "2026-11-30"],
  ["2026-11-26", 1, "EGY", "2026-11-29"],
  ["2026-11-26", 2, "IND", "2026-11-28"],
  // What begins on no business day begins on the next.
  ["2026-11-28", 0, "NGA", "2026-11-30"],
  ["2026-11-28", 1, "NGA", "2026-12-01"],
  ["2026-11-26", 1, "AFG", "2026-11-29"],
])("%s and %i business days in %s: %s", (from, days, country, expected) => {
  expect(businessDayAfter(day(from), days, country).toString()).toBe(expected);
});

test("a promise counts from the end of the time to pay, in the tenant's time zone", () => {
  const createdAt = new Date("2026-11-23T22:45:00Z");
  const of = { ...paid, createdAt };
  expect(promisedDay(of, "UTC")).toBe("2026-11-24");
  expect(promisedDay(of, "Africa/Lagos")).toBe("2026-11-25");
  expect(promisedDay({ ...of, expiresAt: new Date("2026-11-27T12:00:00Z") }, "UTC")).toBe("2026-11-30");
  const { paidAt: _paidAt, ...unpaid } = of;
  const now = { now: createdAt };
  // What was paid for has its day.
  expect(availableOn({ ...of, availableOn: "2026-11-24" }, "Africa/Lagos", now)).toBe("2026-11-24");
  const waits = { ...unpaid, status: "AWAITING_COMPLIANCE", availableOn: "2026-11-24" };
  expect(availableOn(waits, "Africa/Lagos", now)).toBe("2026-11-25");
});

test("before it may be paid it counts from now and the time that there is to pay, however long it has waited", () => {
  const { paidAt: _paidAt, ...unpaid } = paid;
  const createdAt = new Date("2026-11-16T09:00:00Z");
  const waits = { ...unpaid, createdAt, status: "AWAITING_COMPLIANCE", availableOn: "2026-11-17" };
  const now = new Date("2026-11-23T22:00:00Z");
  expect(availableOn(waits, "UTC", { now })).toBe("2026-11-24");
  expect(availableOn(waits, "UTC", { now, waitsMs: 3 * 3_600_000 })).toBe("2026-11-25");
  // A time to pay that ended before compliance looked at it anew is none.
  expect(availableOn({ ...waits, expiresAt: createdAt }, "UTC", { now })).toBe("2026-11-24");
  expect(availableOn({ ...waits, status: "CANCELLED" }, "UTC", { now })).toBe("2026-11-17");
});

test("a promise is kept by what lies ready or is paid out on its day, and late from the next on", () => {
  const utc = createDayEnds("UTC");
  const promised = { ...paid, paidAt, availableOn: "2026-11-23" };
  const on = (at: string, status = "COMPLETED" as const) =>
    promiseOf(
      { ...promised, timeline: [{ status, at: new Date(at), actor: "", reason: "" }] },
      createDayEnds("Africa/Lagos"),
      paidAt,
    );
  expect(on("2026-11-23T22:59:59Z")).toBe("KEPT");
  expect(on("2026-11-23T23:00:00Z")).toBe("LATE");
  const ready = { status: "READY_FOR_PICKUP", at: new Date("2026-11-23T09:00:00Z"), actor: "", reason: "" } as const;
  const collected = { ...ready, status: "COMPLETED", at: new Date("2026-11-30T09:00:00Z") } as const;
  expect(promiseOf({ ...promised, timeline: [ready, collected] }, utc, paidAt)).toBe("KEPT");
  const open = { ...promised, timeline: [] };
  expect(promiseOf(open, utc, paidAt)).toBeUndefined();
  expect(promiseOf(open, utc, new Date("2026-11-24T00:00:00Z"))).toBe("LATE");
  expect(promiseOf({ ...open, status: "REFUNDED" }, utc, new Date("2026-11-24T00:00:00Z"))).toBeUndefined();
  expect(promiseOf({ ...created, availableOn: "2026-11-23" }, utc, new Date("2026-11-24T00:00:00Z"))).toBeUndefined();
});
