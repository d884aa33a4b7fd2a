import { isPlainLatin, joinDotted, plainText, wordsOf, type Word } from "./clean.js";
import { companyFormAt, dividedForms } from "./company-forms.js";
import { joinCompounds } from "./compounds.js";
import { consonantsOf, foldSpelling } from "./fold.js";
import { drawingOf, letterForms, type LetterForm } from "./look-alikes.js";
import { commonWords, fatherWords, halfTitles, numberAt, particles, sameWords, titles } from "./small-words.js";

export type NameKind = "PERSON" | "COMPANY";

/** What a word is in its name; the legal form of a company is none of its words. */
export type NamePart = "GIVEN" | "FAMILY" | "PATRONYMIC" | "NAME" | "COMPANY_FORM";

/** A word of a name as it is compared. */
export interface NameToken {
  latin: string;
  folded: string;
  consonants: string;
  /** What its letters look like in print. */
  drawing: string;
  written: string;
  isAbjad: boolean;
  /** Of a word whose vowels are not written. */
  letters?: string;
  /** Written behind the article. */
  hasArticle?: true;
  /** Of other letters, and read by what they look like. */
  isLookAlike?: true;
  role: "WORD" | "INITIAL" | "SMALL" | "TITLE" | "HALF_TITLE";
  part: NamePart;
}

/** One way to read a name: its words, without the legal form. */
export interface Name {
  kind: NameKind;
  tokens: readonly NameToken[];
  /** LIMITED, STOCK …; empty where none is written. */
  form: string;
  formWritten: string;
}

const mostReadings = 4;

/** The ways to read a name: "X / Y" is X, Y and both. None where there is no letter in it. */
export function readName(text: string, kind: NameKind): Name[] {
  // Of a person each letter with a dot is an initial; of a company they are one word.
  const plain = kind === "PERSON" ? plainText(text) : joinDotted(dividedForms(plainText(text)));
  const pieces = plain.split(/[/;]/);
  const texts = pieces.length > 1 ? [plain, ...pieces.filter((piece) => piece.trim().length >= 4)] : [plain];
  const names = texts
    .slice(0, mostReadings)
    .flatMap((each) => [readAs(each, kind), ...lookAlikes(each, kind)])
    .filter((name) => name.tokens.length > 0);
  return names;
}

function readAs(text: string, kind: NameKind, letterForm?: LetterForm): Name {
  return kind === "PERSON" ? person(text, letterForm) : company(text, letterForm);
}

/** A name of other letters as it reads by what they look like: the same in each look is one. */
function lookAlikes(text: string, kind: NameKind): Name[] {
  if (isPlainLatin(text)) return [];
  const found = new Map<string, Name>();
  for (const letterForm of letterForms) {
    const name = readAs(text, kind, letterForm);
    if (name.tokens.some((token) => token.isLookAlike))
      found.set(name.tokens.map(({ latin }) => latin).join(" "), name);
  }
  return [...found.values()].slice(0, mostReadings);
}

function person(text: string, letterForm?: LetterForm): Name {
  const commas = text.split(",");
  const hasFamilyFirst = commas.length === 2 && commas.every((piece) => piece.trim() !== "");
  const familyWords = hasFamilyFirst ? joinCompounds(wordsOf(commas[0]!, letterForm)) : [];
  const givenWords = joinCompounds(wordsOf(hasFamilyFirst ? commas[1]! : text, letterForm));
  const words = [...givenWords, ...familyWords];
  const tokens = words.map((word, at) => tokenOf(word, personRole(word, words[at + 1]), "NAME"));
  const hasOnlySmall = tokens.every((token) => token.role !== "WORD" && token.role !== "INITIAL");
  const named = hasOnlySmall ? tokens.map((token) => ({ ...token, role: "WORD" as const })) : tokens;
  return { kind: "PERSON", tokens: withParts(named), form: "", formWritten: "" };
}

function personRole({ isSmall, latin, letters }: Word, next: Word | undefined): NameToken["role"] {
  if (letters !== undefined && isSmall !== true) return letters.length === 1 ? "INITIAL" : "WORD";
  // "S. R." are initials, though "s" joins other names.
  if (latin.length === 1 && next?.latin.length === 1) return "INITIAL";
  if (particles.has(latin) || isArticleBefore(latin, next)) return "SMALL";
  if (latin.length === 1) return "INITIAL";
  if (halfTitles.has(latin)) return "HALF_TITLE";
  // Md. is Mohammed, and a doctor only behind the name.
  if (latin === "md" && next !== undefined) return "WORD";
  return titles.has(latin) ? "TITLE" : "WORD";
}

// "as" of "as-Sayyed", "ad" of "ad-Din": the article as it sounds before such a letter.
function isArticleBefore(latin: string, next: Word | undefined): boolean {
  const sound = /^[aeu]([sdtnrz]h?|l)$/.exec(latin)?.[1];
  return sound !== undefined && next !== undefined && next.latin.length > 3 && next.latin.startsWith(sound);
}

// Given names come first and the family's last; a father's name is told by its
// ending, or by the word before it.
function withParts(tokens: readonly NameToken[]): NameToken[] {
  const isName = (token: NameToken) => token.role === "WORD" || token.role === "INITIAL";
  const last = tokens.findLastIndex(isName);
  const first = tokens.findIndex(isName);
  return tokens.map((token, at) => {
    if (!isName(token)) return token;
    const isFathers = /(?:[oe]vich|[oe]vna|ichna|[oe]vych|ivna)$/.test(token.latin);
    if (isFathers || (at !== last && at > 0 && fatherWords.has(tokens[at - 1]!.latin)))
      return { ...token, part: "PATRONYMIC" };
    if (at === first) return { ...token, part: "GIVEN" };
    return at === last ? { ...token, part: "FAMILY" } : token;
  });
}

function company(text: string, letterForm?: LetterForm): Name {
  const words = wordsOf(text.replaceAll("&", " and "), letterForm);
  const latin = words.map((word) => word.latin);
  const retained: Word[] = [];
  let [form, formWritten] = ["", ""];
  for (let at = 0; at < words.length; at++) {
    const number = numberAt(latin, at);
    if (number !== undefined) {
      retained.push({ ...words[at]!, latin: number.latin, written: writtenOf(words, at, number.length) });
      at += number.length - 1;
      continue;
    }
    const found = companyFormAt(latin, at);
    if (found === undefined || found.length === words.length) {
      retained.push(words[at]!);
      continue;
    }
    form = found.form;
    formWritten = writtenOf(words, at, found.length);
    at += found.length - 1;
  }
  const tokens = retained.map((word) => tokenOf(word, commonWords.has(word.latin) ? "SMALL" : "WORD", "NAME"));
  const hasOnlySmall = tokens.every((token) => token.role === "SMALL");
  const named = hasOnlySmall ? tokens.map((token) => ({ ...token, role: "WORD" as const })) : tokens;
  return { kind: "COMPANY", tokens: named, form, formWritten };
}

function writtenOf(words: readonly Word[], at: number, length: number): string {
  return words
    .slice(at, at + length)
    .map((word) => word.written)
    .join(" ");
}

function tokenOf(word: Word, role: NameToken["role"], part: NamePart): NameToken {
  const latin = sameWords.get(word.latin) ?? word.latin;
  const { hasArticle, isAbjad, isLookAlike, letters, written } = word;
  const marks = {
    ...(letters !== undefined && { letters }),
    ...(hasArticle && { hasArticle }),
    ...(isLookAlike && { isLookAlike }),
  };
  return { latin, ...soundsOf(latin), written, isAbjad, ...marks, role, part };
}

interface Sounds {
  folded: string;
  consonants: string;
  drawing: string;
}

const mostKnown = 10_000;
const known = new Map<string, Sounds>();

// The same words come again and again: given names, "trading".
function soundsOf(latin: string): Sounds {
  const before = known.get(latin);
  if (before !== undefined) return before;
  const folded = foldSpelling(latin);
  const sounds = { folded, consonants: consonantsOf(folded), drawing: drawingOf(latin) };
  if (known.size >= mostKnown) known.clear();
  known.set(latin, sounds);
  return sounds;
}
