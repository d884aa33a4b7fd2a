import { parseSearch, searchWordsOf } from "./search-words.js";

const wordsOf = (firstName: string, lastName: string, email = "a.b+c@demo.example", code = "C-7GH4") =>
  searchWordsOf({ emailKey: email, customer: { firstName, lastName, code } });

describe("words that a customer is found by", () => {
  test("are of names, of what stands before the @, and of the code, each name and code also whole", () => {
    expect(wordsOf("Ngozi Amina", "Bello-Okafor", "amina.b@demo.example")).toEqual([
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

describe("a search", () => {
  test("is folded as words are", () => {
    expect(parseSearch("  JOSÉ, o'bri ")).toEqual({ prefixes: ["jose", "obri"], phoneNumbers: [] });
  });

  test.each([
    ["+234 801 234-5678", "+2348012345678"],
    ["002348012345678", "+2348012345678"],
    ["2348012345678", "+2348012345678"],
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
