import fc from "fast-check";
import { drawnIn, textsOf } from "../../../test/support/pdf-reader.js";
import { unitsOf } from "../../../test/support/turn-units.js";
import { turnEnds, type TurnEnd } from "../time/turns.js";
import { createPdf, page } from "./printer.js";

const column = { x: page.margin, width: 400 };

// Latin with hooks, strokes and dots below, signs of currencies, Greek, Cyrillic, Arabic (joined),
// Hebrew, Han, Hangul, Devanagari.
const names = [
  "Ɗangote Ƙano",
  "Łukasz Żółć",
  "Ọlá Ṣẹ́gun",
  "25.00 € £ ₦ ₹",
  "Νίκος Παππάς",
  "Иван Щукин",
  "محمد علي",
  "שרה כהן",
  "王伟",
  "김정은",
  "राम कुमार",
];

test("names of any script are printed in their own letters, and can be read back", async () => {
  const pdf = await createPdf({ title: "Names", work: "test pdf" });
  for (const name of names) await pdf.row([{ ...column, text: name }]);
  for (const name of names) await pdf.row([{ ...column, text: name, isBold: true }]);
  const texts = textsOf(await pdf.finish()).map((text) => text.normalize("NFC"));
  for (const name of names) {
    // A space may be another font's: words are compared.
    for (const word of name.normalize("NFC").split(" ")) {
      expect([word, texts.filter((text) => text.split(" ").includes(word)).length]).toEqual([word, 2]);
    }
  }
});

// A conjunct each; Sinhala's is asked for by a joiner.
test.each(["क्ष", "त्र", "ক্ষ", "ક્ષ", "ਪ੍ਰ", "ಕ್ಷ", "ക്ഷ", "କ୍ଷ", "ක්‍ෂ", "க்ஷ", "క్ష"])(
  "letters that join are drawn joined, and can be read back: %s",
  async (conjunct) => {
    const pdf = await createPdf({ title: "Joined", work: "test pdf" });
    for (const isBold of [false, true]) await pdf.row([{ ...column, text: `12 ${conjunct} Ada`, isBold }]);
    const all = drawnIn(await pdf.finish());
    const drawn = all.filter(({ text }) => text.trim() === conjunct);
    expect(drawn.map(({ y }) => y)).toEqual(all.filter(({ text }) => text.startsWith("12")).map(({ y }) => y));
    expect(drawn).toHaveLength(2);
    for (const { glyphs } of drawn) expect(glyphs).toBeLessThan(Array.from(conjunct).length);
  },
);

// Shaping goes by what a font says of its letters, and some say what the shaper cannot follow.
test.each(["Beng", "Deva", "Gujr", "Guru", "Knda", "Mlym", "Orya", "Sinh", "Taml", "Telu"])(
  "whatever is written in %s is printed",
  async (script) => {
    const all = Array.from({ length: 0xd80 }, (_, index) => String.fromCodePoint(0x900 + index));
    const written = all.filter((letter) => new RegExp(`\\p{scx=${script}}`, "u").test(letter));
    const names = fc.sample(fc.string({ unit: fc.constantFrom(...written, "\u200d", " "), maxLength: 12 }), 200);
    const pdf = await createPdf({ title: "Anything", work: "test pdf" });
    for (const [at, text] of names.entries()) await pdf.row([{ ...column, text, isBold: at % 2 === 0 }]);
    expect(drawnIn(await pdf.finish()).length).toBeGreaterThan(0);
  },
);

test("a line of two directions is drawn in the order in which it is read", async () => {
  const pdf = await createPdf({ title: "Directions", work: "test pdf" });
  await pdf.row([{ ...column, text: "שלום (Cohen) 12" }]);
  expect(textsOf(await pdf.finish()).map((text) => text.trim())).toEqual(["12", "(", "Cohen", "שלום )"]);
});

test("rows go on over pages, each with its head, and give turns up", async () => {
  const ends: number[] = [];
  const note = (end: unknown) => {
    const { work, units } = end as TurnEnd;
    if (work === "test pages") ends.push(units);
  };
  turnEnds.subscribe(note);
  const pdf = await createPdf({ title: "Rows", work: "test pages" });
  await pdf.heading("Rows", 16);
  await pdf.head([{ ...column, text: "Head" }]);
  for (let row = 0; row < 250; row++)
    await pdf.row([
      { ...column, text: `Row ${row}` },
      { x: 460, width: 60, text: "1.00", align: "right" },
    ]);
  const texts = textsOf(await pdf.finish());
  turnEnds.unsubscribe(note);
  expect(Math.max(...ends)).toBe(100);
  const pages = texts.filter((text) => text === "Head").length;
  expect(pages).toBeGreaterThan(4);
  expect(texts.filter((text) => text.startsWith("Row "))).toEqual(
    Array.from({ length: 250 }, (_, row) => `Row ${row}`),
  );
});

test("words that were not seen before fill a turn sooner", async () => {
  const units = await unitsOf("test words", async () => {
    const pdf = await createPdf({ title: "Words", work: "test words" });
    // Nine new words a line: each line is four units.
    for (let row = 0; row < 100; row++) {
      await pdf.row([{ ...column, text: Array.from({ length: 9 }, (_, at) => `w${row}x${at}`).join(" ") }]);
    }
    await pdf.finish();
  });
  const [, , ...drawn] = units;
  expect(drawn).toEqual([100, 100, 100, 100]);
});

test("a text that is longer than its column is broken, and what is beside it stands at its top", async () => {
  const pdf = await createPdf({ title: "Broken", work: "test pdf" });
  await pdf.row([
    { x: 56, width: 60, text: "one two three four five six seven" },
    { x: 300, width: 100, text: "beside" },
  ]);
  await pdf.row([{ ...column, text: "below" }]);
  const texts = textsOf(await pdf.finish());
  expect(texts.slice(0, 2)).toEqual([expect.stringMatching(/^one/), "beside"]);
  expect(texts.at(-1)).toBe("below");
  expect(texts.join("").replaceAll(/beside|below/g, "")).toBe("one two three four five six seven");
});
