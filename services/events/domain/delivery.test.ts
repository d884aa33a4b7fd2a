import { givenUpWith } from "./delivery.js";

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
