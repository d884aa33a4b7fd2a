import { givenUpWith } from "./delivery.js";
import { nextAttempt, usualWaitsMs } from "./schedule.js";

test.each([
  [undefined, 3, "3"],
  ["3", 4, "3-4"],
  ["3-4", 5, "3-5"],
  ["3-5", 8, "3-5,8"],
  ["3-5,8", 9, "3-5,8-9"],
  ["3-5,8", 8, "3-5,8"],
] as const)("behind %s the sequence %d is given up: %s", (givenUp, sequence, says) => {
  expect(givenUpWith({ sequence, ...(givenUp !== undefined && { givenUp }) })).toBe(says);
});

test("a header of many gaps is bounded: the newest ranges are named", () => {
  let givenUp = "1";
  for (let sequence = 3; sequence < 2_001; sequence += 2) givenUp = givenUpWith({ givenUp, sequence });
  expect(givenUp.split(",")).toHaveLength(50);
  expect(givenUp.endsWith(",1997,1999")).toBe(true);
});

test("the next attempt is by the schedule, or when the receiver asks for it where that is later, up to a day", () => {
  const now = new Date("2026-05-01T12:00:00Z");
  const waitMs = (attempts: number, retryAfterMs?: number) => {
    const at = nextAttempt(attempts, now, { retryAfterMs, random: () => 0 });
    return at === undefined ? undefined : at.getTime() - now.getTime();
  };
  expect([waitMs(1), waitMs(2), waitMs(usualWaitsMs.length + 1)]).toEqual([5_000, 300_000, undefined]);
  expect([waitMs(1, 1_000), waitMs(1, 60_000), waitMs(1, 999 * 86_400_000)]).toEqual([5_000, 60_000, 86_400_000]);
});
