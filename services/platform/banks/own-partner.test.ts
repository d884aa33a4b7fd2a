import { readOnAt } from "./own-partner.js";

test.each([
  ["nowhere yet", [], [], "b"],
  ["there", ["b"], [], "b"],
  ["there and elsewhere", ["a", "b"], [], "b"],
  ["elsewhere", ["a"], [], "a"],
  ["elsewhere, and both are named as the same books", ["a"], ["a", "b"], "b"],
  ["elsewhere, and only the earlier one is named", ["a"], ["a", "c"], "a"],
  ["elsewhere, and only the present one is named", ["a"], ["b", "c"], "a"],
  ["at two others of which one is named", ["a", "c"], ["b", "c"], "a"],
])("a list that was read %s", (_where, placesRead, placesOfSameBooks, place) => {
  const listed = { installationId: "i", place: "b", placesOfSameBooks };
  expect(readOnAt(listed, placesRead)).toEqual({ installationId: "i", place });
});
