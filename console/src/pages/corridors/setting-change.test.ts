import { differences, fieldName, majorText } from "./setting-change";

test("what differs between two versions is named field by field", () => {
  const before = { enabled: true, fees: [{ fixedMinor: "200", rateBps: 50 }] };
  const after = { enabled: true, fees: [{ fixedMinor: "199", rateBps: 50 }, { fixedMinor: "0" }] };
  expect(differences(before, after)).toEqual([
    { field: "fees.0.fixedMinor", before: "200", after: "199" },
    { field: "fees.1", before: undefined, after: { fixedMinor: "0" } },
  ]);
  expect(differences(before, structuredClone(before))).toEqual([]);
});

test.each([
  ["12345", "1.00", "123.45"],
  ["5", "1.000", "0.005"],
  ["1500", "1", "1500"],
  ["-5", "0.00", "-0.05"],
  ["99999999999999999999", "0.00", "999999999999999999.99"],
])("%s minor units are written like %s: %s", (minor, like, major) => {
  expect(majorText(minor, like)).toBe(major);
});

test("a field is named in words, by its place", () => {
  expect(fieldName("fees.0.fixedMinor", true)).toBe("fees 1 fixed");
  expect(fieldName("maximumMinor", false)).toBe("maximum minor");
});
