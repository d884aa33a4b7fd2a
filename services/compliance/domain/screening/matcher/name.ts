import type { MatchPart } from "../hit.js";
import { joinDotted, plainText, wordsOf, type Word } from "./clean.js";
import { companyFormAt } from "./company-forms.js";
import { joinCompounds } from "./compounds.js";
import { consonantsOf, foldSpelling } from "./fold.js";
import { commonWords, fatherWords, halfTitles, particles, sameWords, titles } from "./small-words.js";

export type NameKind = "PERSON" | "COMPANY";

/** A word of a name as it is compared. */
export interface NameToken {
  latin: string;
  folded: string;
  consonants: string;
  written: string;
  isAbjad: boolean;
  role: "WORD" | "INITIAL" | "SMALL" | "TITLE" | "HALF_TITLE";
  part: MatchPart["part"];
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
  const plain = joinDotted(plainText(text));
  const pieces = plain.split(/[/;]/);
  const texts = pieces.length > 1 ? [plain, ...pieces.filter((piece) => piece.trim().length >= 4)] : [plain];
  const names = texts.slice(0, mostReadings).map((each) => (kind === "PERSON" ? person(each) : company(each)));
  return names.filter((name) => name.tokens.length > 0);
}

function person(text: string): Name {
  const commas = text.split(",");
  const hasFamilyFirst = commas.length === 2 && commas.every((piece) => piece.trim() !== "");
  const familyWords = hasFamilyFirst ? joinCompounds(wordsOf(commas[0]!)) : [];
  const givenWords = joinCompounds(wordsOf(hasFamilyFirst ? commas[1]! : text));
  const words = [...givenWords, ...familyWords];
  const tokens = words.map((word) => tokenOf(word, personRole(word), "NAME"));
  const hasOnlySmall = tokens.every((token) => token.role !== "WORD" && token.role !== "INITIAL");
  const named = hasOnlySmall ? tokens.map((token) => ({ ...token, role: "WORD" as const })) : tokens;
  return { kind: "PERSON", tokens: withParts(named), form: "", formWritten: "" };
}

function personRole({ latin }: Word): NameToken["role"] {
  if (particles.has(latin)) return "SMALL";
  if (latin.length === 1) return "INITIAL";
  if (halfTitles.has(latin)) return "HALF_TITLE";
  return titles.has(latin) ? "TITLE" : "WORD";
}

// Given names come first and the family's last; a father's name is told by its ending, or by the word before it.
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

function company(text: string): Name {
  const words = wordsOf(text.replaceAll("&", " and "));
  const latin = words.map((word) => word.latin);
  const kept: Word[] = [];
  let [form, formWritten] = ["", ""];
  for (let at = 0; at < words.length; at++) {
    const found = companyFormAt(latin, at);
    if (found === undefined || found.length === words.length) {
      kept.push(words[at]!);
      continue;
    }
    form = found.form;
    formWritten = words
      .slice(at, at + found.length)
      .map((word) => word.written)
      .join(" ");
    at += found.length - 1;
  }
  const tokens = kept.map((word) => tokenOf(word, commonWords.has(word.latin) ? "SMALL" : "WORD", "NAME"));
  const hasOnlySmall = tokens.every((token) => token.role === "SMALL");
  const named = hasOnlySmall ? tokens.map((token) => ({ ...token, role: "WORD" as const })) : tokens;
  return { kind: "COMPANY", tokens: named, form, formWritten };
}

function tokenOf(word: Word, role: NameToken["role"], part: MatchPart["part"]): NameToken {
  const latin = sameWords.get(word.latin) ?? word.latin;
  return { latin, ...soundsOf(latin), written: word.written, isAbjad: word.isAbjad, role, part };
}

interface Sounds {
  folded: string;
  consonants: string;
}

const mostKnown = 10_000;
const known = new Map<string, Sounds>();

// The same words come again and again: given names, "trading".
function soundsOf(latin: string): Sounds {
  const before = known.get(latin);
  if (before !== undefined) return before;
  const folded = foldSpelling(latin);
  const sounds = { folded, consonants: consonantsOf(folded) };
  if (known.size >= mostKnown) known.clear();
  known.set(latin, sounds);
  return sounds;
}
