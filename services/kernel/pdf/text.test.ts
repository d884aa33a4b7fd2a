import { createMeasure, visualLines, type Face } from "./text.js";

const latin: Face = { name: "latin", has: (codePoint) => codePoint < 0x700 };
const other: Face = { name: "other", has: (codePoint) => codePoint < 0x10000 };
const widthOf = (_face: Face, text: string) => Array.from(text).length;
const drawn = (text: string, width = 100) =>
  [...visualLines(text, width, [latin, other], { widthOf })].map((line) => line.map((run) => run.text));

test("each word is measured once, however often it comes", () => {
  const requested: string[] = [];
  const measure = createMeasure((_face, text) => (requested.push(text), Array.from(text).length));
  for (const text of ["one two one two ", "two one two one "])
    expect([...visualLines(text, 8, [latin, other], measure)]).toHaveLength(2);
  expect(requested.toSorted()).toEqual(["one ", "two "]);
});

test("what is written from right to left stands in its order, with brackets that open to their text", () => {
  expect(drawn("Ada 12")).toEqual([["Ada 12"]]);
  // Runs from left to right; the font turns the Hebrew one round, so
  // that its bracket comes last here.
  const [line = []] = drawn("שלום (Cohen) 12");
  expect(line).toHaveLength(4);
  expect(line.slice(0, 3)).toEqual(["12", " (", "Cohen"]);
  expect(line[3]).toBe(`שלום${" )"}`);
});

test("lines are broken between words, and inside a word that is longer than a line", () => {
  expect(drawn("one two three", 8)).toEqual([["one two "], ["three"]]);
  expect(drawn("abcdefghij", 4)).toEqual([["abcd"], ["efgh"], ["ij"]]);
});

test("a line of a paragraph goes in the paragraph's direction, whatever it begins with", () => {
  expect(drawn("אבג abc def דהו", 8)[1]).toEqual([" דהו", "def"]);
});

test("a letter that no font knows is written as its code point", () => {
  expect(drawn("a\u{1F600}")).toEqual([["aU+1F600"]]);
  expect(drawn("王a")).toEqual([["王", "a"]]);
});
