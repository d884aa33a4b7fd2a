import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { createTurns } from "../time/turns.js";
import { createMeasure, isPlain, missesIn, type Face, type Measure } from "./text.js";
import { openTypeOf } from "./woff.js";

/** What pdfkit has to measure with. */
interface Measured {
  registerFont(name: string, bytes: Buffer): unknown;
  font(name: string): { fontSize(size: number): { widthOfString(text: string, options: { features?: [] }): number } };
}

export type Fonts = ReturnType<typeof createFonts>;

/**
 * The fonts of one document, each there once a letter needs it, and what
 * words took in them at each size.
 */
export function createFonts(document: Measured) {
  const known = new Set<string>();
  const measures = new Map<number, Measure>();
  let shaped = 0;
  const open = async (file: string, letters?: RegExp): Promise<Face> => {
    const face = await openFace(file, letters);
    if (!known.has(file)) document.registerFont(face.name, face.bytes);
    known.add(file);
    return face;
  };
  const features = (isTurned: boolean) => featuresOf(isTurned || shaped > maxShapedCached);
  return {
    features,
    /** How many words and letters were shaped so far: each once, at each size. */
    shaped: () => shaped,
    async facesFor(text: string, isBold: boolean): Promise<Face[]> {
      const first = await open(isBold ? boldFile : regularFile);
      if (!missesIn(text, first)) return [first];
      const shaping = indicFonts.filter(({ script }) => script.test(text));
      const faces = await Promise.all(shaping.map(({ letters, file }) => open(file(isBold ? 700 : 400), letters)));
      return [first, ...faces, await open(otherFile)];
    },
    measureAt(size: number): Measure {
      const measure = measures.get(size) ?? createMeasure(widthAt(size));
      measures.set(size, measure);
      return measure;
    },
  };
  function widthAt(size: number) {
    return (face: Face, text: string): number => {
      shaped += 1;
      return document
        .font(face.name)
        .fontSize(size)
        .widthOfString(text, features(!isPlain(text)));
    };
  }
}

/** A document whose words are all others would keep 400 MB of them. */
const maxShapedCached = 20_000;

// Each word is shaped once: pdfkit keeps it where it is asked for no features. What goes from
// right to left is shaped as a whole.
function featuresOf(isTurned: boolean): { features?: [] } {
  return isTurned ? { features: [] } : {};
}

/** Of the first font, in thousandths of its size: letters of all fonts stand on its line. */
export const ascent = 928;

// The fonts that every reader has know Latin letters only, and names are in any script.
const regularFile = "@fontsource/dejavu-sans/files/dejavu-sans-latin-400-normal.woff";
const boldFile = "@fontsource/dejavu-sans/files/dejavu-sans-latin-700-normal.woff";
const otherFile = "@fontsource/unifontex/files/unifontex-latin-400-normal.woff";

// Letters of these scripts join and change places, which takes a font that says how; and of those
// that do, one whose rules the shaper can follow: it throws at some marks of Noto Sans' Gujarati,
// Gurmukhi, Malayalam and Telugu.
const indicFonts = [
  indic("Beng", "noto-sans-bengali", "bengali"),
  indic("Deva", "noto-sans-devanagari", "devanagari"),
  indic("Gujr", "hind-vadodara", "gujarati"),
  // Its rules for joiners are cut off.
  indic("Guru", "mukta-mahee", "gurmukhi", ""),
  indic("Knda", "noto-sans-kannada", "kannada"),
  indic("Mlym", "manjari", "malayalam"),
  indic("Orya", "noto-sans-oriya", "oriya"),
  indic("Sinh", "noto-sans-sinhala", "sinhala"),
  indic("Taml", "noto-sans-tamil", "tamil"),
  indic("Telu", "hind-guntur", "telugu"),
];

function indic(code: string, font: string, script: string, joiners = "\\p{Join_Control}") {
  return {
    script: new RegExp(`\\p{sc=${code}}`, "u"),
    /** With marks and signs that scripts share. */
    letters: new RegExp(`[\\p{scx=${code}}${joiners}]`, "u"),
    file: (weight: 400 | 700) => `@fontsource/${font}/files/${font}-${script}-${weight}-normal.woff`,
  };
}

/** Asking for one reads the table of all. */
const firstLetter = 0x41;

const opened = new Map<string, Promise<Face & { bytes: Buffer }>>();

/** Read once: whether a font knows a letter is asked for every letter. */
function openFace(file: string, letters?: RegExp): Promise<Face & { bytes: Buffer }> {
  const face = opened.get(file) ?? readFace(file, letters);
  opened.set(file, face);
  face.catch(() => opened.delete(file));
  return face;
}

async function readFace(file: string, letters?: RegExp) {
  const { create } = await import("fontkit");
  const { resolve } = createRequire(import.meta.url);
  const turns = createTurns("pdf font", 1);
  const bytes = openTypeOf(await readFile(resolve(file)));
  await turns.spent();
  const font = create(bytes);
  font.hasGlyphForCodePoint(firstLetter);
  await turns.spent();
  // It looks a letter up in the file, which took a third of a long document's time.
  const known = new Map<number, boolean>();
  const has = (codePoint: number): boolean => {
    const before = known.get(codePoint);
    if (before !== undefined) return before;
    const isItsOwn = letters?.test(String.fromCodePoint(codePoint)) ?? true;
    const found = isItsOwn && font.hasGlyphForCodePoint(codePoint);
    known.set(codePoint, found);
    return found;
  };
  return { name: file, bytes, has };
}
