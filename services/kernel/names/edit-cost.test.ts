import fc from "fast-check";
import { editCost } from "./edit-cost.js";

const word = fc.string({ unit: fc.constantFrom(..."abehikmnorstuv"), minLength: 0, maxLength: 9 });

it.each([
  ["anna", "anna", 0],
  ["anna", "ana", 2],
  ["katerina", "katarina", 2],
  ["mehmed", "memed", 2],
  ["ivan", "ivann", 2],
  ["petrov", "petrov1", 4],
  ["petrov", "pertov", 4],
  ["petrov", "petrav", 2],
  ["petrov", "petxov", 4],
  ["omar", "mar", 3],
])("%s and %s are %i quarters of an edit apart", (ours, theirs, cost) => {
  expect(editCost(ours, theirs, 10)).toBe(cost);
});

it("is the same in both directions", () => {
  fc.assert(fc.property(word, word, (a, b) => editCost(a, b, 10) === editCost(b, a, 10)));
});

it("a tighter limit changes no cost that is within it", () => {
  fc.assert(
    fc.property(word, word, fc.integer({ min: 0, max: 10 }), (a, b, limit) => {
      const whole = editCost(a, b, 100);
      expect(editCost(a, b, limit)).toBe(whole <= limit ? whole : limit + 1);
    }),
  );
});
