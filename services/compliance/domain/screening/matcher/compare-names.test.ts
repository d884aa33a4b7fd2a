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

describe("letters that look alike", () => {
  const note = "letters that look alike";
  it.each([
    ["Lisu", "ꓳꓢꓮꓟꓮ ꓡꓮꓓꓰꓠ", "Osama Laden"],
    ["Cherokee", "ᎷᎪᎡᏞᎪ ᏀᎪᎳᎪ", "Marla Gawa"],
    ["Armenian", "օՏօ ՏօօՏօ", "oSo SooSo"],
    ["Cyrillic in small letters", "раѵеӏ реѕсо", "Pavel Pesco"],
    ["Cyrillic in capitals", "АВЕАНА СТОМАЕ", "Abeaha Ctomae"],
    ["Greek in capitals", "ΑΒΙΚΑ ΖΟΜΕΤΟ", "Abika Zometo"],
    ["one word of two", "Osama ꓡꓮꓓꓰꓠ", "LADEN, Osama"],
    ["Arabic names of two words", "ꓮꓐꓓꓴꓡ ꓣꓮꓧꓟꓮꓠ ꓟꓴꓢꓮ", "Abdulrahman Musa"],
    ["Latin letters in print", "Osarna vvalid", "Osama Walid"],
    ["Cyrillic that a list has", "Poca Bepa", "Роса Вера"],
  ])("%s: %s is %s, and the hit says so", (_, ours, theirs) => {
    const { parts, score } = compareNames(ours, theirs, "PERSON");
    expect(score).toBeGreaterThanOrEqual(940);
    expect(parts.filter((part) => part.note === note)).not.toHaveLength(0);
  });

  it("a name of other letters is still compared as it sounds", () => {
    const { parts, score } = compareNames("Роса Вера", "Rosa Vera", "PERSON");
    expect(score).toBe(1000);
    expect(parts.every((part) => part.note === undefined)).toBe(true);
    expect(compareNames("Müller Øster", "Muller Oster", "PERSON").parts.every(({ note }) => note === undefined)).toBe(
      true,
    );
  });
});
