import { pairOf, parseSearch, searchWordsOf, statusWordOf } from "./search-words.js";

const wordsOf = (firstName: string, lastName: string, email = "a.b+c@demo.example", code = "C-7GH4") =>
  searchWordsOf({ emailKey: email, customer: { firstName, lastName, code } });

describe("words that a customer is found by", () => {
  test("are of names, of what stands before the @, and of the code, each name and code also whole", () => {
    const words = wordsOf("Ngozi Amina", "Bello-Okafor", "amina.b@demo.example");
    expect(words.filter((word) => !word.startsWith(" "))).toEqual([
      "7gh4",
      "amina",
      "amina.b",
      "amina.b@demo.example",
      "bello",
      "bello-okafor",
      "c-7gh4",
      "ngozi",
      "okafor",
    ]);
  });

  test.each([
    ["José", "Núñez", ["jose", "nunez"]],
    ["Łukasz", "Øster", ["lukasz", "oster"]],
    ["Ọlá", "Ṣẹ́gun", ["ola", "segun"]],
    ["Siobhán", "O’Brien", ["siobhan", "obrien"]],
    ["ＡＮＮＡ", "Weiß", ["anna", "weiss"]],
    ["王", "小明", ["王", "小明"]],
    ["रीता", "-", ["रीता"]],
  ])("%s %s has %j", (first, last, words) => {
    expect(wordsOf(first, last)).toEqual(expect.arrayContaining(words));
  });

  test("no letter of the alphabet stands alone", () => {
    expect(wordsOf("J. P.", "X", "x@demo.example", "C-AB").filter((word) => /^[a-z]$/.test(word))).toEqual([]);
  });
});

const isPair = (word: string) => /^ [^A-Z]/u.test(word);

describe("pairs", () => {
  test("are of what two words begin with, once each, and of no word of one character", () => {
    const words = wordsOf("Ada 王", "Bello", "ada.bello@demo.example", "BE-7");
    expect(words.filter(isPair)).toEqual([" ad be"]);
  });

  test("of a name that is a list of words are of the first sixteen", () => {
    const many = Array.from({ length: 26 }, (_, index) => `${String.fromCodePoint(97 + index)}x`).join(" ");
    expect(wordsOf(many, "-").filter(isPair)).toHaveLength((16 * 15) / 2);
  });

  test("are found by two words whose beginnings differ, in either order", () => {
    expect([pairOf(["bello", "ada"]), pairOf(["ad", "be"]), pairOf(["ada", "adeyemi", "bello"])]).toEqual(
      Array.from({ length: 3 }, () => " ad be"),
    );
    expect([pairOf(["ada", "adeyemi"]), pairOf(["王", "bello"])]).toEqual([undefined, undefined]);
    expect(pairOf(["𠮷野", "ada"])).toBe(" ad 𠮷野");
  });
});

describe("words of a status", () => {
  const customer = { firstName: "Ada", lastName: "王", code: "AD-7" };
  const ofStatus = (status?: "PENDING" | "BLOCKED" | "CONFIRMED") => {
    const standing = status === undefined ? {} : { standing: { status, sequence: 1, at: new Date(0) } };
    const words = searchWordsOf({ emailKey: "ada@demo.example", customer: { ...customer, ...standing } });
    return words.filter((word) => /^ [A-Z]/u.test(word));
  };

  test("are of what is not CONFIRMED, PENDING where nothing was said, and of what words begin with", () => {
    expect([ofStatus(), ofStatus("PENDING")]).toEqual([[" PENDING ad"], [" PENDING ad"]]);
    expect([ofStatus("BLOCKED"), ofStatus("CONFIRMED")]).toEqual([[" BLOCKED ad"], []]);
  });

  test("are found by the status and the first word that is long enough", () => {
    expect(statusWordOf("PENDING", ["王", "adeyemi"])).toBe(" PENDING ad");
    expect([statusWordOf("PENDING", ["王"]), statusWordOf("CONFIRMED", ["ada"])]).toEqual([undefined, undefined]);
  });
});

describe("a search", () => {
  test("is folded as words are", () => {
    expect(parseSearch("  JOSÉ, o'bri ")).toEqual({ prefixes: ["jose", "obri"], phoneNumbers: [] });
  });

  test.each([
    ["+234 801 234-5678", "+2348012345678"],
    ["002348012345678", "+2348012345678"],
    ["2348012345678", "+2348012345678"],
    ["+234 0801 234 5678", "+2348012345678"],
    ["234 (0)801 234 5678", "+2348012345678"],
  ])("%s may be the number %s", (text, number) => {
    expect(parseSearch(text).phoneNumbers).toEqual([number]);
  });

  test.each(["08012345678", "12345", "amina"])("%s is no international number", (text) => {
    expect(parseSearch(text).phoneNumbers).toEqual([]);
  });

  test.each(["a", "a b", ",", Array.from({ length: 11 }, () => "ab").join(" ")])("%j is refused", (text) => {
    expect(() => parseSearch(text)).toThrow(expect.objectContaining({ code: "INVALID_INPUT" }));
  });
});

test.each([
  ["a", "must have a word of two letters or more"],
  [" , x;y", "must have a word of two letters or more"],
  ["", "must have a word of two letters or more"],
  ["a2 b3 c4 d5 e6 f7 g8 h9 i10 j11 k12", "must have at most 10 words"],
])("a search for %j is refused, since it %s", (text, message) => {
  const refusal = expect.objectContaining({
    code: "INVALID_INPUT",
    details: { errors: [{ path: "search", message }] },
  }) as unknown;
  expect(() => parseSearch(text)).toThrow(refusal as Error);
});
