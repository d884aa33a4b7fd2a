import anyAscii from "any-ascii";
import { plainLetters, smallArabicWord, withoutInnerArticle } from "./arabic-words.js";
import { drawnAsLatin, type LetterForm } from "./look-alikes.js";

/** A word of a name in lower-case Latin letters and digits, and how it was written. */
export interface Word {
  latin: string;
  written: string;
  /** Written without its vowels (Arabic, Hebrew): only consonants can be compared. */
  isAbjad: boolean;
  /** Of such a word: its letters, one for those that differ from place to place. */
  letters?: string;
  /** A particle or a title of that script, which `latin` names. */
  isSmall?: true;
  /** Written behind the article. */
  hasArticle?: true;
  /** Of other letters, and read by what they look like. */
  isLookAlike?: true;
}

/**
 * More than any name needs: what lies behind is not read, so that hostile
 * names cost no more than long ones.
 */
export const readLetters = 512;
export const readWords = 24;
const longestWord = 32;

// Apostrophes belong to a word; everything else that is no letter, mark or digit ends it.
const apostrophes = /['’‘`´ʻʼʽʾʿ′"“”«»„]/gu;
const invisible = /[\p{Cf}\p{Cc}\p{Cs}\p{Co}]/gu;
const spaces = /[\t\n\v\f\r\u0085]/g;
const word = /[\p{L}\p{M}\p{N}]+/gu;
const dottedLetters = /(?<![\p{L}\p{N}])((?:\p{L}\.)+\p{L})\.?(?![\p{L}\p{N}])/gu;
const slashedLetters = /(?<![\p{L}\p{N}])(\p{L})\/(\p{L})(?![\p{L}\p{N}])/gu;
const asciiOnly = /^[\0-\x7f]*$/;
const abjad = /[\p{Script=Arabic}\p{Script=Hebrew}]/u;
const syllabic = /^[\p{Script=Han}\p{Script=Hangul}]{2,4}$/u;

/** Whether a text has no letters but the common Latin ones, with marks or without. */
export function isPlainLatin(text: string): boolean {
  return asciiOnly.test(text) || asciiOnly.test(text.normalize("NFD").replaceAll(/\p{M}/gu, ""));
}

/** One form of Unicode, without what cannot be seen, of bounded length. */
export function plainText(text: string): string {
  const seen = text
    .slice(0, 8 * readLetters)
    .replaceAll(spaces, " ")
    .replaceAll(invisible, "");
  return seen.normalize("NFKC").slice(0, readLetters);
}

/** "A.B.C." and "A/S" are one word. */
export function joinDotted(text: string): string {
  return text.replaceAll(dottedLetters, (letters) => letters.replaceAll(".", "")).replaceAll(slashedLetters, "$1$2");
}

/**
 * The words of a plain text, at most `readWords`; with a look, those of letters that
 * look like Latin ones are read so.
 */
export function wordsOf(text: string, letterForm?: LetterForm): Word[] {
  const found = text.replaceAll(apostrophes, "").match(word) ?? [];
  const words: Word[] = [];
  for (const written of found) {
    if (words.length >= readWords) break;
    const sounding = latinWords(written, found.length === 1);
    const drawn = letterForm && drawnAsLatin(written, letterForm);
    const [drawnWord] = drawn === undefined ? [] : wordIfAny(drawn, written, false);
    const isLookAlike = drawnWord !== undefined && drawnWord.latin !== sounding[0]?.latin;
    words.push(...(isLookAlike ? [{ ...drawnWord, isLookAlike } as const] : sounding));
  }
  return words.slice(0, readWords);
}

/**
 * Whether a name is read to its end, and any word of it: what lies behind `readLetters` or
 * `readWords`, or has no Latin letters by the library, is compared with nothing. Words are counted
 * as in `wordsOf`, so that one which is read as two counts as two.
 */
export function isReadWhole(text: string): boolean {
  const plain = joinDotted(plainText(text)).replaceAll("&", " and ");
  if (plainText(text).length >= readLetters || text.length > 8 * readLetters) return false;
  const found = plain.replaceAll(apostrophes, "").match(word) ?? [];
  if (found.length > readWords) return false;
  const read = found.flatMap((written) => latinWords(written, found.length === 1)).length;
  return read > 0 && read <= readWords;
}

function latinWords(written: string, isAlone: boolean): Word[] {
  if (asciiOnly.test(written)) return wordIfAny(written, written, false);
  if (isAlone && syllabic.test(written)) return familyAndGiven(written);
  return abjad.test(written) ? unwrittenWords(written) : wordIfAny(anyAscii(written), written, false);
}

const article = "ال";
const god = "الله";

/** Of a word whose vowels are not written; its article is a word of its own. */
function unwrittenWords(written: string): Word[] {
  const letters = plainLetters(written);
  const small = smallArabicWord(letters);
  if (small !== undefined) return wordIfAny(small, written, true).map((word) => ({ ...word, letters, isSmall: true }));
  const hasArticle = letters.startsWith(article) && letters.length > 4 && letters !== god;
  const stem = hasArticle ? letters.slice(article.length) : letters;
  const [word] = wordIfAny(anyAscii(stem), hasArticle ? written.slice(written.indexOf("ل") + 1) : written, true);
  if (word === undefined) return [];
  const named: Word = { ...word, letters: withoutInnerArticle(stem) };
  if (!hasArticle) return [named];
  const [al] = wordIfAny("al", article, true);
  return [
    { ...al!, letters: article, isSmall: true },
    { ...named, hasArticle },
  ];
}

// Chinese and Korean names are written without a space: the first sign is the family's.
function familyAndGiven(written: string): Word[] {
  const [family = "", ...given] = written;
  const name = given.join("");
  return [...wordIfAny(anyAscii(family), family, false), ...wordIfAny(anyAscii(name), name, false)];
}

function wordIfAny(letters: string, written: string, isAbjad: boolean): Word[] {
  const latin = letters
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, "")
    .slice(0, longestWord);
  return latin === "" ? [] : [{ latin, written: written.slice(0, 64), isAbjad }];
}
