import { compareNames } from "./compare-names.js";

const same: readonly [string, string][] = [
  ["Maria Lopez Garcia", "MARIA LÓPEZ GARCÍA"],
  ["Ivan Petrov", "Иван Петров"],
  ["Petrov, Ivan", "Ivan Petrov"],
  ["Ivan Petrov", "I\u200Bvan\u202E Petrov"],
  ["Abdurrahman Nasser", "Abd al-Rahman Nasser"],
];

it.each(same)("%s and %s are the same name", (ours, theirs) => {
  expect(compareNames(ours, theirs, "PERSON").score).toBeGreaterThanOrEqual(950);
});

it("legal forms that answer to each other are one", () => {
  const { score, parts } = compareNames('ООО "Северный ветер"', "Severnyy Veter LLC", "COMPANY");
  expect(score).toBe(1000);
  expect(parts.map((part) => part.part)).toContain("COMPANY_FORM");
});

it("another family name is another person", () => {
  expect(compareNames("Maria Lopez", "Maria Hernandez", "PERSON").score).toBeLessThan(700);
});

it("the effects of the parts add up to the score", () => {
  for (const [ours, theirs] of [
    ...same,
    ["Jon A. Smyth", "John Adam Smith"],
    ["Anna Maria Berg", "Ana Berg"],
  ] as const) {
    const { score, parts } = compareNames(ours, theirs, "PERSON");
    expect(parts.reduce((sum, part) => sum + part.effect, 0)).toBe(score);
  }
});

it("names that nobody bears are compared without an error", () => {
  const hostile = [
    "",
    " ",
    "\u200B",
    "😀😀",
    "a",
    "\uD800",
    "x".repeat(10_000),
    "a b ".repeat(5_000),
    "\u202E".repeat(9_000),
    "ﷺ".repeat(600),
  ];
  for (const ours of hostile) {
    for (const theirs of hostile) {
      for (const kind of ["PERSON", "COMPANY", "UNKNOWN"] as const) {
        expect(compareNames(ours, theirs, kind).score).toBeLessThanOrEqual(1000);
      }
    }
  }
});
