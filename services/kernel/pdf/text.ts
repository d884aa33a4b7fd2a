import bidiFactory from "bidi-js";

/** A font that some letters are drawn in. */
export interface Face {
  name: string;
  has(codePoint: number): boolean;
}

/** Letters of one font and one direction, in the order in which they are read. */
export interface Run {
  face: Face;
  text: string;
  width: number;
  /** From right to left: drawn as a whole. */
  isTurned: boolean;
}

// Its types describe the module as a namespace; what it exports is the function.
const bidi = (bidiFactory as unknown as () => BidiLevels)();

type Direction = "auto" | "ltr" | "rtl";

interface BidiLevels {
  getEmbeddingLevels(text: string, direction: Direction): { levels: Uint8Array; paragraphs: { level: number }[] };
  getMirroredCharacter(letter: string): string | null;
}

/** What words and letters take in each font; a document asks for each of them once. */
export interface Measure {
  widthOf(face: Face, text: string): number;
}

/** Measures each text once: shaping it is what a page costs. */
export function createMeasure(widthOf: (face: Face, text: string) => number): Measure {
  const known = new Map<Face, Map<string, number>>();
  return {
    widthOf(face, text) {
      const ofFace = known.get(face) ?? new Map<string, number>();
      known.set(face, ofFace);
      const before = ofFace.get(text);
      if (before !== undefined) return before;
      const width = widthOf(face, text);
      if (ofFace.size < mostMeasured) ofFace.set(text, width);
      return width;
    },
  };
}

const mostMeasured = 20_000;

/**
 * Text as lines of runs from left to right, broken at `width`, one after the other. A
 * run from right to left is turned round by the font itself. A letter that no font
 * knows is written as its code point.
 */
export function* visualLines(
  text: string,
  width: number,
  faces: readonly Face[],
  measure: Measure,
): Generator<Run[], void> {
  for (const paragraph of text.split("\n")) {
    const direction = directionOf(paragraph);
    for (const line of broken(spelled(paragraph, faces), width, faces, measure))
      yield ordered(line, direction, faces, measure);
  }
}

/** Of all its lines, also of one that begins with letters of the other direction. */
function directionOf(paragraph: string): Direction {
  if (isPlain(paragraph)) return "ltr";
  const [first] = bidi.getEmbeddingLevels(paragraph, "auto").paragraphs;
  return (first?.level ?? 0) % 2 === 1 ? "rtl" : "ltr";
}

/** Whether a font lacks a letter of a text that is seen. */
export function missesIn(text: string, face: Face): boolean {
  if (isCommon(text, face)) return false;
  return Array.from(text.normalize("NFC")).some((letter) => !face.has(letter.codePointAt(0)!) && !unseen.test(letter));
}

const common = /^[\x20-\x7e]*$/;
const withCommon = new WeakMap<Face, boolean>();

/**
 * Whether a text has the letters alone that every keyboard has, and a font has all of them: most
 * texts, and nothing to look up.
 */
function isCommon(text: string, face: Face): boolean {
  if (!common.test(text)) return false;
  const before = withCommon.get(face);
  if (before !== undefined) return before;
  const hasAll = Array.from({ length: 95 }, (_, index) => 32 + index).every((codePoint) => face.has(codePoint));
  withCommon.set(face, hasAll);
  return hasAll;
}

const unseen = /[\p{M}\p{Cf}\p{Cc}]/u;

function spelled(text: string, faces: readonly Face[]): string {
  if (isCommon(text, faces[0]!)) return text;
  return Array.from(text.normalize("NFC").replaceAll("\t", "  "), (letter) => {
    const codePoint = letter.codePointAt(0)!;
    if (faces.some((face) => face.has(codePoint))) return letter;
    return /\p{M}|\p{Cf}/u.test(letter) ? "" : `U+${codePoint.toString(16).toUpperCase().padStart(4, "0")}`;
  }).join("");
}

const segmenter = new Intl.Segmenter("und", { granularity: "grapheme" });

/** A letter with its marks, and with those that it is joined with. */
const joinedLetters = (word: string) => Array.from(segmenter.segment(word), ({ segment }) => segment);

interface BrokenLine {
  line: string;
  taken: number;
}

function* broken(
  text: string,
  width: number,
  faces: readonly Face[],
  { widthOf }: Measure,
): Generator<BrokenLine, void> {
  const [first] = faces;
  const wide = isCommon(text, first!)
    ? (part: string) => widthOf(first!, part)
    : (part: string) => runsOf(part, faces).reduce((sum, run) => sum + widthOf(run.face, run.text), 0);
  let line = "";
  let taken = 0;
  const end = function* () {
    yield { line, taken };
    line = "";
    taken = 0;
  };
  for (const word of text.split(/(?<= )/)) {
    const wordWidth = wide(word);
    if (taken + wordWidth <= width) {
      line += word;
      taken += wordWidth;
      continue;
    }
    if (line !== "") yield* end();
    if (wordWidth <= width) {
      line = word;
      taken = wordWidth;
      continue;
    }
    // A word longer than a line, such as a digest, is cut where the line ends.
    for (const letter of isPlain(word) ? word : joinedLetters(word)) {
      const letterWidth = wide(letter);
      if (line !== "" && taken + letterWidth > width) yield* end();
      line += letter;
      taken += letterWidth;
    }
  }
  yield { line, taken };
}

function ordered(
  { line, taken }: BrokenLine,
  direction: Direction,
  faces: readonly Face[],
  { widthOf }: Measure,
): Run[] {
  if (direction === "ltr" && line !== "" && isCommon(line, faces[0]!))
    return [{ face: faces[0]!, text: line, width: taken, isTurned: false }];
  if (direction === "ltr" && isPlain(line))
    return runsOf(line, faces).map((run) => ({ ...run, width: widthOfWords(run, widthOf), isTurned: false }));
  const embedding = bidi.getEmbeddingLevels(line, direction);
  const runs: { text: string; level: number; face: Face }[] = [];
  let at = 0;
  for (const run of runsOf(line, faces)) {
    for (const letter of run.text) {
      const level = embedding.levels[at] ?? 0;
      const last = runs.at(-1);
      if (last?.face === run.face && last.level === level) last.text += letter;
      else runs.push({ text: letter, level, face: run.face });
      at += letter.length;
    }
  }
  // UAX 9, L2: from the highest level down, what stands at it or above is turned round.
  for (let level = Math.max(0, ...runs.map((run) => run.level)); level > 0; level--) {
    for (let from = 0; from < runs.length; from++) {
      let to = from;
      while (to < runs.length && runs[to]!.level >= level) to++;
      if (to > from + 1) runs.splice(from, to - from, ...runs.slice(from, to).toReversed());
      from = Math.max(from, to - 1);
    }
  }
  return runs.map(({ text, level, face }) => {
    const drawn = level % 2 === 1 ? fromTheRight(text) : text;
    return { face, text: drawn, width: widthOf(face, drawn), isTurned: level % 2 === 1 };
  });
}

const plain = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\d\x20-\x7e]*$/u;

/** Whether all letters are written from left to right everywhere: most lines have no others. */
export function isPlain(text: string): boolean {
  return plain.test(text);
}

function widthOfWords({ face, text }: { face: Face; text: string }, widthOf: Measure["widthOf"]): number {
  return text.split(/(?<= )/).reduce((sum, word) => sum + widthOf(face, word), 0);
}

/**
 * Letters from right to left with their brackets turned. A font turns round what has letters of
 * such a script; brackets, commas and spaces alone it would leave as they are.
 */
function fromTheRight(text: string): string {
  const letters = Array.from(text, (letter) => bidi.getMirroredCharacter(letter) ?? letter);
  const hasScript = /[^\p{Script=Common}\p{Script=Inherited}]/u.test(text);
  return (hasScript ? letters : letters.toReversed()).join("");
}

function runsOf(text: string, faces: readonly Face[]): { face: Face; text: string }[] {
  if (text !== "" && isCommon(text, faces[0]!)) return [{ face: faces[0]!, text }];
  const runs: { face: Face; text: string }[] = [];
  for (const letter of text) {
    const codePoint = letter.codePointAt(0)!;
    const last = runs.at(-1);
    // A mark or joiner belongs to the letter before it.
    const isJoined = last !== undefined && unseen.test(letter) && last.face.has(codePoint);
    const face = isJoined ? last.face : (faces.find((one) => one.has(codePoint)) ?? faces[0]!);
    if (last?.face === face) last.text += letter;
    else runs.push({ face, text: letter });
  }
  return runs;
}
