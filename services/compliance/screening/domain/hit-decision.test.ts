import {
  requestConfirmation,
  requestRelease,
  markFalsePositives,
  endConfirmation,
  endRelease,
  isConfirmationToRequest,
  isReleaseToRequest,
  releasedWith,
  type Agreed,
} from "./hit-decision.js";
import { blockIdOf, hitNameOf, type Hit, type HitState, type Screening } from "./screening.js";

const at = new Date("2026-05-01T12:00:00Z");
const comment = (by: string) => ({ by, reason: "because", at });
const screeningOf = (...states: HitState[]) =>
  ({
    status: "IN_REVIEW",
    version: 1,
    hits: states.map((state, index) => ({ hitId: `${index + 1}`, state }) as Hit),
  }) as unknown as Screening;
const approval = (approvalId: string, status: "APPROVED" | "REFUSED" | "EXPIRED", by = "A") => ({
  approvalId,
  status,
  requested: comment(by),
  decided: comment("Z"),
});
const hitIn = (screening: Screening | undefined, hitId = "1") => screening!.hits.find((one) => one.hitId === hitId)!;
const after = (agreed: Agreed | undefined) => agreed?.screening;
const conflict = expect.objectContaining({ code: "STATE_CONFLICT" });

test("a screening is without hits once each is told apart, and what others said stays", () => {
  const first = markFalsePositives(screeningOf("OPEN", "OPEN", "EXEMPT"), ["1"], comment("A"))!;
  expect(first).toMatchObject({ status: "IN_REVIEW", version: 2 });
  const second = markFalsePositives(first, ["2"], comment("B"))!;
  expect(second).toMatchObject({ status: "NO_HIT", version: 3 });
  expect(second.hits.map(({ decidedBy }) => decidedBy)).toEqual(["A", "B", undefined]);
  expect(markFalsePositives(second, ["1"], comment("A"))).toBeUndefined();
  expect(() => markFalsePositives(second, ["1"], comment("B"))).toThrow(conflict);
  expect(() => markFalsePositives(second, ["9"], comment("B"))).toThrow(expect.objectContaining({ code: "NOT_FOUND" }));
});

test("what was not compared with every list stays an ERROR, whatever is said of what was found", () => {
  const screening = { ...screeningOf("OPEN"), status: "ERROR" as const };
  expect(markFalsePositives(screening, ["1"], comment("A"))!.status).toBe("ERROR");
});

test.each(["FALSE_POSITIVE", "CONFIRMED", "RELEASED", "EXEMPT", "CONFIRMATION_ASKED"] as const)(
  "nobody else decides a hit that is %s",
  (state) => {
    expect(() => markFalsePositives(screeningOf(state), ["1"], comment("B"))).toThrow(conflict);
    expect(() => isConfirmationToRequest(screeningOf(state), ["1"], "B")).toThrow(conflict);
  },
);

test("a confirmation that is not agreed to leaves nothing of its asker but the approval", () => {
  const requested = requestConfirmation(screeningOf("OPEN"), ["1"], comment("A"), "a1");
  expect(isConfirmationToRequest(requested, ["1"], "A")).toBe(false);
  for (const status of ["REFUSED", "EXPIRED"] as const) {
    const ended = endConfirmation(requested, ["1"], approval("a1", status));
    expect(hitIn(after(ended))).toEqual({ hitId: "1", state: "OPEN", approvalId: "a1" });
    expect(isConfirmationToRequest(after(ended)!, ["1"], "B")).toBe(true);
  }
  // Another one who had asked at the same time is not heard for this asker.
  expect(endConfirmation(requested, ["1"], approval("a2", "REFUSED", "B"))).toBeUndefined();
  expect(hitIn(after(endConfirmation(requested, ["1"], approval("a2", "APPROVED", "B"))))).toMatchObject({
    state: "CONFIRMED",
    decidedBy: "B",
    approvalId: "a2",
  });
});

test("an outcome that is heard before its asker has noted it counts, and one of a decided hit does not", () => {
  expect(after(endConfirmation(screeningOf("OPEN"), ["1"], approval("a1", "APPROVED")))).toMatchObject({
    status: "CONFIRMED_HIT",
    hits: [{ state: "CONFIRMED", decidedBy: "A", reason: "because" }],
  });
  expect(hitIn(after(endConfirmation(screeningOf("OPEN"), ["1"], approval("a1", "REFUSED"))))).toMatchObject({
    state: "OPEN",
    approvalId: "a1",
  });
  for (const state of ["FALSE_POSITIVE", "CONFIRMED", "RELEASED", "EXEMPT"] as const)
    expect(endConfirmation(screeningOf(state), ["1"], approval("a1", "APPROVED"))).toBeUndefined();
});

test("only a confirmed hit is released, once, by what was asked for and agreed to", () => {
  for (const state of ["OPEN", "FALSE_POSITIVE", "CONFIRMATION_ASKED", "EXEMPT"] as const)
    expect(() => isReleaseToRequest(screeningOf(state), "1", "A", "REFUND")).toThrow(conflict);
  const confirmed = screeningOf("CONFIRMED");
  expect(isReleaseToRequest(confirmed, "1", "A", "REFUND")).toBe(true);
  const requested = requestRelease(confirmed, ["1"], { comment: comment("A"), way: "REFUND", approvalId: "r1" });
  expect(hitIn(requested).state).toBe("CONFIRMED");
  expect(isReleaseToRequest(requested, "1", "A", "REFUND")).toBe(false);
  expect(() => isReleaseToRequest(requested, "1", "A", "CONTINUE")).toThrow(conflict);
  expect(() => isReleaseToRequest(requested, "1", "B", "REFUND")).toThrow(conflict);
  const refused = after(endRelease(requested, ["1"], { ...approval("r1", "REFUSED"), way: "REFUND" }));
  expect(hitIn(refused)).toEqual({ hitId: "1", state: "CONFIRMED", approvalId: "r1" });
  const released = after(endRelease(requested, ["1"], { ...approval("r1", "APPROVED"), way: "REFUND" }))!;
  expect(released).toMatchObject({ status: "NO_HIT", hits: [{ state: "RELEASED", release: { way: "REFUND" } }] });
  expect(hitIn(released).release).toMatchObject({ asked: comment("A"), agreed: comment("Z") });
  expect(endRelease(released, ["1"], { ...approval("r2", "APPROVED"), way: "CONTINUE" })).toBeUndefined();
  expect(isReleaseToRequest(released, "1", "A", "REFUND")).toBe(false);
  expect(() => isReleaseToRequest(released, "1", "B", "REFUND")).toThrow(conflict);
});

test("hits that are confirmed with one word make one block, and a release is of all that are confirmed", () => {
  const two = after(endConfirmation(screeningOf("OPEN", "OPEN", "OPEN"), ["2", "3"], approval("a1", "APPROVED")))!;
  expect(two.hits.map(({ blockOf }) => blockOf)).toEqual([undefined, undefined, "2"]);
  expect(two.hits.map((hit) => blockIdOf({ screeningId: "s" }, hit))).toEqual(["s.1", "s.2", "s.2"]);
  expect(hitNameOf({ screeningId: "s" }, two.hits[2]!)).toBe("s.3");
  const three = after(endConfirmation(two, ["1"], approval("a2", "APPROVED")))!;
  expect(three.hits.map((hit) => blockIdOf({ screeningId: "s" }, hit))).toEqual(["s.1", "s.2", "s.2"]);
  expect(releasedWith(three, "3")).toEqual(["3", "1", "2"]);

  const asking = { comment: comment("A"), way: "REFUND" as const, approvalId: "r1" };
  const one = requestRelease(three, ["1"], asking);
  // What waits for another release is not asked for twice.
  expect(releasedWith(one, "2")).toEqual(["2", "3"]);
  const requested = requestRelease(three, releasedWith(three, "3"), asking);
  const released = endRelease(requested, ["3", "1", "2"], { ...approval("r1", "APPROVED"), way: "REFUND" })!;
  expect(released.hitIds.toSorted()).toEqual(["1", "2", "3"]);
  expect(released.screening).toMatchObject({ status: "NO_HIT", hits: [1, 2, 3].map(() => ({ state: "RELEASED" })) });
});

test("a word on several hits counts for all of them or none", () => {
  const both = ["1", "2"];
  const screening = screeningOf("OPEN", "OPEN", "OPEN");
  const apart = markFalsePositives(screening, both, comment("A"))!;
  expect(apart).toMatchObject({ status: "IN_REVIEW", version: 2 });
  expect(apart.hits.map(({ state }) => state)).toEqual(["FALSE_POSITIVE", "FALSE_POSITIVE", "OPEN"]);
  expect(markFalsePositives(apart, both, comment("A"))).toBeUndefined();
  expect(() => markFalsePositives(apart, ["3", "1", "2"], comment("A"))).toThrow(
    "hit 1 is FALSE_POSITIVE: it is decided; hit 2 is FALSE_POSITIVE: it is decided",
  );
  expect(() => markFalsePositives(screening, ["1", "9"], comment("A"))).toThrow(
    expect.objectContaining({ code: "NOT_FOUND" }),
  );

  const requested = requestConfirmation(screening, both, comment("A"), "a1");
  expect(isConfirmationToRequest(requested, both, "A")).toBe(false);
  expect(() => isConfirmationToRequest(requested, ["2", "3"], "A")).toThrow("whether hit 2 is confirmed waits");
  const ended = endConfirmation(requested, both, approval("a1", "APPROVED"))!;
  expect(ended.hitIds).toEqual(both);
  expect(ended.screening.hits.map(({ state }) => state)).toEqual(["CONFIRMED", "CONFIRMED", "OPEN"]);
  // One that was decided by another way meanwhile stays so.
  const half = endConfirmation(screeningOf("OPEN", "FALSE_POSITIVE"), both, approval("a1", "APPROVED"))!;
  expect([half.hitIds, half.screening.hits.map(({ state }) => state)]).toEqual([
    ["1"],
    ["CONFIRMED", "FALSE_POSITIVE"],
  ]);
});
