import { alignNames, joinedToken, type Alignment, type WordCost, type WordPair } from "./align.js";
import { editCost, fullEdit } from "./edit-cost.js";
import { areConfusable } from "./look-alikes.js";
import type { Name, NamePart, NameToken } from "./name.js";
import { areOtherSyllables, differences, isUnwritten, mostCost } from "./word-cost.js";

/** What differences of names cost, per mille of the whole score. */
export const nameDeductions = {
  /** An edit costs this divided by the letters compared, within these bounds. */
  edit: 1200,
  leastEdit: 110,
  mostEdit: 350,
  differentName: 400,
  /**
   * Of a person: times the square of names of one side only, divided by the names that are alike.
   */
  aloneNames: 200,
  aloneBesideOne: 350,
  /** Of a company: times the letters of one side only, divided by the letters compared. */
  aloneLetters: 500,
  leastAloneWord: 60,
  title: 10,
  small: 5,
  formMissing: 20,
  formDifferent: 150,
};

/** Beside words that look alike and are spelt otherwise. */
export const lookAlikeReason = "letters that look alike";

/** What a part of a name adds to a score, and why. */
export interface ComparedPart {
  part: NamePart;
  ours: string;
  theirs: string;
  /** Per mille, of this part by itself. */
  score: number;
  /**
   * What it adds to the whole score, per mille; negative where it lowers.
   * The effects add up to the score.
   */
  effect: number;
  /** Why it takes nothing that it would take else; or that letters look alike. */
  note?: string;
}

export interface NameScore {
  /** Per mille; 0 at least. */
  score: number;
  parts: ComparedPart[];
}

const lengthOf = ({ ours, theirs }: WordPair) => Math.max(ours?.latin.length ?? 0, theirs?.latin.length ?? 0);
const isSmall = (token: NameToken | undefined) => token?.role === "SMALL";

/**
 * Compares two readings of one kind; by one word where a search has no other, whatever else stands
 * in theirs. The effects of the parts add up to the score; undefined below one.
 */
export function scoreNames(ours: Name, theirs: Name, costOf?: WordCost, isByWord = false): NameScore | undefined {
  const aligned = alignNames(ours, theirs, costOf);
  const alone = isByWord ? aligned.alone.filter((pair) => pair.ours !== undefined) : aligned.alone;
  const words = scoreAlignment({ ...aligned, alone }, ours, theirs);
  const whole = scoreJoined(ours, theirs);
  return whole !== undefined && (words === undefined || whole.score > words.score) ? whole : words;
}

function scoreAlignment(alignment: Alignment, ours: Name, theirs: Name): NameScore | undefined {
  const alike = withOnce(alignment.alike.filter((pair) => !isSmall(pair.ours)));
  const compared = [...alike, ...alignment.different];
  const letters = compared.reduce((sum, pair) => sum + lengthOf(pair), 0);
  if (letters === 0 || compared.length === alignment.different.length) return undefined;
  const perEdit = editDeduction(letters);
  const shares = shareOut(1000, compared.map(lengthOf));
  const parts = compared.map((pair, at) => comparedPart(pair, shares[at]!, perEdit));
  const alone = ours.kind === "PERSON" ? alonePersonNames(alignment, letters) : aloneCompanyWords(alignment, letters);
  return totalOf([...parts, ...alone, ...formPart(ours, theirs)]);
}

/**
 * What is taken once of a name, at the first such word: vowels that are not written, and an
 * initial more than further ones.
 */
function withOnce(pairs: readonly WordPair[]): WordPair[] {
  const unwritten = pairs.findIndex(({ ours, theirs }) => ours && theirs && isUnwritten(ours, theirs));
  const initial = pairs.findIndex(
    ({ cost, ours, theirs }) => cost > 0 && (ours?.role === "INITIAL") !== (theirs?.role === "INITIAL"),
  );
  const more = (at: number) =>
    (at === unwritten ? differences.vowelsUnwritten : 0) +
    (at === initial ? differences.initial - differences.furtherInitial : 0);
  return pairs.map((pair, at) => (more(at) === 0 ? pair : { ...pair, cost: pair.cost + more(at) }));
}

/** What one edit costs, per mille, where so many letters are compared. */
export function editDeduction(letters: number): number {
  const { edit, leastEdit, mostEdit } = nameDeductions;
  return Math.min(mostEdit, Math.max(leastEdit, Math.round(edit / letters)));
}

function comparedPart(pair: WordPair, share: number, perEdit: number): ComparedPart {
  const isDifferent = pair.cost > mostCost;
  const deduction = isDifferent ? nameDeductions.differentName : Math.round((pair.cost * perEdit) / fullEdit);
  const lost = (1000 * pair.cost) / (fullEdit * lengthOf(pair));
  return {
    part: partOf(pair.ours, pair.theirs),
    ours: pair.ours?.written ?? "",
    theirs: pair.theirs?.written ?? "",
    score: isDifferent ? 0 : Math.max(0, Math.round(1000 - lost)),
    effect: share - Math.min(deduction, nameDeductions.differentName),
    ...(isLookAlike(pair) && { note: lookAlikeReason }),
  };
}

// Only of names as they are written: those in an index's memory have no letters but Latin ones.
function isLookAlike({ cost, ours, theirs }: WordPair): boolean {
  if (ours === undefined || theirs === undefined || cost > mostCost) return false;
  if (ours.isLookAlike || theirs.isLookAlike) return true;
  return cost > 0 && theirs.written.trim() !== "" && areConfusable(ours.written, theirs.written);
}

function partOf(ours: NameToken | undefined, theirs: NameToken | undefined): NamePart {
  if (ours?.part === "PATRONYMIC" || theirs?.part === "PATRONYMIC") return "PATRONYMIC";
  if (ours === undefined || theirs === undefined) return (ours ?? theirs)!.part;
  return ours.part === theirs.part ? ours.part : "NAME";
}

function alonePersonNames({ alike, alone }: Alignment, letters: number): ComparedPart[] {
  const weightOf = (pair: WordPair) =>
    pair.ours?.part === "PATRONYMIC" || pair.theirs?.part === "PATRONYMIC" ? 0.5 : 1;
  const isNamed = (pair: WordPair) => ["WORD", "INITIAL"].includes((pair.ours ?? pair.theirs)!.role);
  const named = alone.filter(isNamed);
  const found = alike.filter((pair) => pair.ours?.role === "WORD" && pair.theirs?.role === "WORD").length;
  const missing = named.reduce((sum, pair) => sum + weightOf(pair), 0);
  const whole =
    found <= 1 ? nameDeductions.aloneBesideOne * missing : nameDeductions.aloneNames * (missing / found) ** 2;
  const missingLetters = named.reduce((sum, pair) => sum + weightOf(pair) * lengthOf(pair), 0);
  const ofShort = letters <= shortLetters ? (nameDeductions.aloneNames * missingLetters) / letters : 0;
  return alone.flatMap((pair) => {
    const deduction = isNamed(pair) ? (Math.max(whole, ofShort) * weightOf(pair)) / missing : smallDeduction(pair);
    return alonePart(pair, Math.round(deduction));
  });
}

/** So few letters in common tell little: what stands beside them counts by its letters. */
const shortLetters = 8;

function aloneCompanyWords({ alone }: Alignment, letters: number): ComparedPart[] {
  return alone.flatMap((pair) => {
    if (isSmall(pair.ours ?? pair.theirs)) return alonePart(pair, nameDeductions.small);
    const share = (nameDeductions.aloneLetters * lengthOf(pair)) / letters;
    return alonePart(pair, Math.max(nameDeductions.leastAloneWord, Math.round(share)));
  });
}

function smallDeduction(pair: WordPair): number {
  return isSmall(pair.ours ?? pair.theirs) ? nameDeductions.small : nameDeductions.title;
}

function alonePart({ ours, theirs }: WordPair, deduction: number): ComparedPart[] {
  if (deduction === 0) return [];
  const part = partOf(ours, theirs);
  return [{ part, ours: ours?.written ?? "", theirs: theirs?.written ?? "", score: 0, effect: -deduction }];
}

function formPart(ours: Name, theirs: Name): ComparedPart[] {
  if (ours.kind === "PERSON" || (ours.form === "" && theirs.form === "")) return [];
  const isMissing = ours.form === "" || theirs.form === "";
  const isSame = ours.form === theirs.form;
  const deduction = isSame ? 0 : isMissing ? nameDeductions.formMissing : nameDeductions.formDifferent;
  const score = isSame ? 1000 : 0;
  return [{ part: "COMPANY_FORM", ours: ours.formWritten, theirs: theirs.formWritten, score, effect: 0 - deduction }];
}

const shortestWhole = 6;
const longestWhole = 32;
// Of as many words that are divided elsewhere: "Myongc Hin".
const mostCostDivided = 3;

// Names without their spaces: "Fridrichbuchenberg".
function scoreJoined(ours: Name, theirs: Name): NameScore | undefined {
  const [left, right] = [wholeOf(ours), wholeOf(theirs)];
  if (left === undefined || right === undefined) return undefined;
  const letters = Math.max(left.latin.length, right.latin.length);
  if (letters < shortestWhole || Math.abs(left.latin.length - right.latin.length) > 2) return undefined;
  const cost = editCost(left.latin, right.latin, mostCost - 2) + 1;
  const isDivided = ours.tokens.length === theirs.tokens.length;
  const isOther = ours.tokens.some((token) => theirs.tokens.some((one) => areOtherSyllables(token.latin, one.latin)));
  if (isDivided && isOther) return undefined;
  if (cost > (isDivided ? mostCostDivided : mostCost - 2)) return undefined;
  const part = comparedPart({ ours: left, theirs: right, cost }, 1000, editDeduction(letters));
  return totalOf([part, ...formPart(ours, theirs)]);
}

function wholeOf(name: Name): NameToken | undefined {
  const tokens = name.tokens.filter((token) => token.role !== "TITLE");
  const latin = tokens.map((token) => token.latin).join("");
  return latin.length > longestWhole ? undefined : joinedToken(tokens, latin);
}

function totalOf(parts: ComparedPart[]): NameScore | undefined {
  const score = parts.reduce((sum, part) => sum + part.effect, 0);
  return score > 0 ? { score, parts } : undefined;
}

/**
 * Divides a whole by weights into integers that add up to it; what rounding
 * leaves goes to the first ones.
 */
function shareOut(whole: number, weights: readonly number[]): number[] {
  const sum = weights.reduce((total, weight) => total + weight, 0);
  const shares = weights.map((weight) => Math.floor((whole * weight) / sum));
  const left = whole - shares.reduce((total, share) => total + share, 0);
  return shares.map((share, at) => (at < left ? share + 1 : share));
}
