import { blockReason, isHeldByBlock, underBlock, withBlock, withoutBlock } from "./customer-blocks.js";
import { statusEffects } from "./customer-effects.js";
import { assess, newCustomer, type CustomerRecord } from "./customer.js";

const confirmed: CustomerRecord = { ...newCustomer("c1"), status: "CONFIRMED", reason: "seen" };

test("the first block keeps the status that was there, and the last one to end gives it back", () => {
  const both = withBlock(withBlock(confirmed, "b1"), "b2");
  expect(both).toMatchObject({ status: "BLOCKED", reason: blockReason });
  expect(both.blocks).toEqual([{ blockId: "b1", statusBefore: "CONFIRMED" }, { blockId: "b2" }]);
  expect(withBlock(both, "b2")).toBe(both);
  for (const [first, second] of [
    ["b1", "b2"],
    ["b2", "b1"],
  ] as const) {
    const one = withoutBlock(both, first);
    expect(one).toMatchObject({ status: "BLOCKED", blocks: [{ blockId: second, statusBefore: "CONFIRMED" }] });
    const none = withoutBlock(one, second);
    expect(none).toMatchObject({ status: "CONFIRMED", blocks: [] });
    expect(isHeldByBlock(none)).toBe(false);
    expect(withoutBlock(none, second)).toBe(none);
  }
});

test("who was blocked by staff before stays so, with what staff said", () => {
  const before: CustomerRecord = { ...confirmed, status: "BLOCKED", reason: "court order" };
  const after = withoutBlock(withBlock(before, "b1"), "b1");
  expect(after).toMatchObject({ status: "BLOCKED", reason: "court order", blocks: [] });
});

test("what is decided under a block counts from its end", () => {
  const held = underBlock(withBlock(withBlock(confirmed, "b1"), "b2"), "BLOCKED");
  expect(held.status).toBe("BLOCKED");
  expect(withoutBlock(withoutBlock(held, "b1"), "b2").status).toBe("BLOCKED");
  const pending = withBlock({ ...confirmed, status: "PENDING" }, "b1");
  expect(withoutBlock(underBlock(pending, "CONFIRMED"), "b1").status).toBe("CONFIRMED");
});

test("no assessment ends a block", () => {
  const person = { country: "USA", registeredAt: new Date("2020-01-01T00:00:00Z") };
  const slipped: CustomerRecord = { ...withBlock(confirmed, "b1"), status: "CONFIRMED" };
  const { customer } = assess(slipped, person, undefined, new Date("2026-05-01T12:00:00Z"));
  expect(customer.status).toBe("BLOCKED");
});

test("an approval tells of the first block that begins and of the last that ends, and of none between", () => {
  const one = withBlock(confirmed, "b1");
  const both = withBlock(one, "b2");
  const published = (before: CustomerRecord, after: CustomerRecord) =>
    statusEffects(before, after)
      .map(({ kind }) => kind)
      .filter((kind) => kind !== "CUSTOMER_STATUS_SET");
  expect([
    published(confirmed, one),
    published(one, both),
    published(both, one),
    published(one, withoutBlock(one, "b1")),
  ]).toEqual([["CUSTOMER_BLOCKED"], [], [], ["CUSTOMER_UNBLOCKED"]]);
});
