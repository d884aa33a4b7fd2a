import anyAscii from "any-ascii";
import { confusables } from "./confusables.js";

/**
 * In which letters a word is tried: as it is written, in capitals and in small ones, since other
 * letters look alike in each; and for what may be a capital i or a small l, which of them.
 */
export const letterForms = ["as written", "capital", "small"].flatMap((letters) =>
  (["i", "l"] as const).map((stroke) => ({ letters, stroke })),
);
export type LetterForm = (typeof letterForms)[number];

let prototypes: ReadonlyMap<string, string> | undefined;

// Read when the first such word comes.
function prototypeOf(character: string): string {
  prototypes ??= new Map(
    confusables.matchAll(/([0-9a-f ]+)=([0-9a-f,]+);/g).flatMap(([, to = "", from = ""]) => {
      const prototype = textOf(to.split(" "));
      return from.split(",").map((code) => [textOf([code]), prototype] as const);
    }),
  );
  return prototypes.get(character) ?? character;
}

function textOf(codes: readonly string[]): string {
  return codes.map((code) => String.fromCodePoint(Number.parseInt(code, 16))).join("");
}

/** What a text looks like: equal for two that are confusable (UTS #39, section 4). */
export function skeletonOf(text: string): string {
  return Array.from(text.normalize("NFD"), prototypeOf).join("").normalize("NFD");
}

const marks = /\p{M}/gu;
const latinOnly = /^\p{Script=Latin}+$/u;
const asciiOnly = /^[\0-\x7f]*$/;

/**
 * The small Latin letters that a word of other letters is drawn as; undefined
 * where any of it is drawn otherwise.
 */
export function drawnAsLatin(written: string, { letters, stroke }: LetterForm): string | undefined {
  if (asciiOnly.test(written)) return undefined;
  const tried = letters === "capital" ? written.toUpperCase() : letters === "small" ? written.toLowerCase() : written;
  const drawn = Array.from(tried.normalize("NFD").replaceAll(marks, ""), (letter) => {
    const prototype = prototypeOf(letter).normalize("NFD").replaceAll(marks, "");
    if (prototype === "l" && letter !== "l") return stroke;
    return prototype === "rn" && letter !== "rn" ? "m" : prototype;
  }).join("");
  return latinOnly.test(drawn) ? anyAscii(drawn).toLowerCase() : undefined;
}

/**
 * A spelling that is the same for those of Latin letters and digits that are drawn alike in print.
 */
export function drawingOf(latin: string): string {
  return latin.replaceAll("m", "rn").replaceAll("vv", "w").replaceAll("1", "l").replaceAll("0", "o");
}

/** Whether two words as they are written are confusable, whatever their letters' size. */
export function areConfusable(ours: string, theirs: string): boolean {
  const sizes = (text: string) => new Set([text, text.toUpperCase(), text.toLowerCase()].map(skeletonOf));
  const others = sizes(theirs);
  return [...sizes(ours)].some((skeleton) => others.has(skeleton));
}
