import type { Match, MatchPart } from "../../../screening/domain/hit.js";
import type { ListEntry, ListSource } from "../list-entry.js";
import type { WordCost } from "../../../../kernel/names/align.js";
import {
  attributeEffects,
  birthPart,
  claimedReason,
  countryPart,
  genderPart,
  sameDocument,
  type DateOptions,
} from "./attributes.js";
import { readName, type Name, type NameKind } from "../../../../kernel/names/name.js";
import { scoreNames } from "../../../../kernel/names/name-score.js";
import { isByWord, isOtherKind, kindsOfEntry, type ReadParty } from "./read-party.js";

/** What lowers a name that fits, per mille of the whole score. */
export const entryDeductions = {
  /** A weak alias of three words or more; each word fewer takes `weakPerWord` besides. */
  weakAlias: 120,
  weakPerWord: 100,
  /** A person by the name of a company, or the other way round. */
  otherKind: 100,
};

const most = 1000;

/** A name of an entry, by its place among them, and the most that it can score. */
export interface PossibleName {
  listed: number;
  isWeak: boolean;
  atMost: number;
}

/** What of an entry its names are compared by. */
export interface NamedEntry {
  kind: ListEntry["kind"];
  readingsOf(listed: number, kind: NameKind): readonly Name[];
  /** Where it is remembered. */
  costOf?: WordCost;
}

/** The name that fits best, and how far it does. */
export interface FoundName {
  name: PossibleName;
  score: number;
  parts: readonly MatchPart[];
}

/**
 * Compares a party with an entry: the name that fits best, and what date of birth, gender, country
 * and documents say to it. Undefined where nothing fits, or where another year of birth rules the
 * entry out. `among` are the names that may fit, those that can score most first.
 */
export function scoreEntry(
  source: ListSource,
  ours: ReadParty,
  entry: ListEntry,
  options: DateOptions,
  among: readonly PossibleName[] = allNames(entry),
): Match | undefined {
  const named = bestName(ours, asNamed(entry), among);
  const documents = sameDocument(ours.party, entry);
  if (named === undefined && documents === undefined) return undefined;
  const birth = birthPart(ours.party, entry, options);
  if (birth === "EXCLUDED" && documents === undefined) return undefined;
  const parts = named?.parts ?? [];
  const all = [...parts];
  const add = (part: MatchPart | undefined) => {
    if (part !== undefined) all.push({ ...part, effect: within(totalOf(all), part.effect) });
  };
  add(birth === "EXCLUDED" ? undefined : birth);
  add(genderPart(ours.party, entry));
  add(countryPart(ours.party, entry));
  if (documents !== undefined) {
    const [our, their] = documents;
    const effect = Math.max(0, attributeEffects.sameDocument - totalOf(all));
    add({ part: "DOCUMENT", ours: our.number, theirs: their.number, score: most, effect });
  }
  const matchedName = entry.names[named?.name.listed ?? 0]?.text ?? "";
  return { source, entry, matchedName, score: totalOf(all), parts: all };
}

/** Of `among` the one that fits best; undefined where none does. */
export function bestName(ours: ReadParty, entry: NamedEntry, among: readonly PossibleName[]): FoundName | undefined {
  let best: FoundName | undefined;
  for (const name of among) {
    if (best !== undefined && best.score >= name.atMost) break;
    for (const kind of readingsFor(ours, entry)) {
      for (const theirs of entry.readingsOf(name.listed, kind)) {
        for (const our of ours.readings[kind]) {
          const found = scoreName(ours, entry, our, theirs, name);
          if (found !== undefined && found.score > (best?.score ?? 0)) best = found;
        }
      }
    }
  }
  return best;
}

function allNames({ names }: ListEntry): PossibleName[] {
  return names.map(({ quality }, listed) => ({ listed, isWeak: quality === "WEAK", atMost: most }));
}

function asNamed({ kind, names }: ListEntry): NamedEntry {
  return {
    kind,
    readingsOf: (listed, reading) => readName(names[listed]!.text, reading),
  };
}

// What a list does not call a person or a company is read as what the party is.
function readingsFor({ party }: ReadParty, entry: Pick<NamedEntry, "kind">): readonly NameKind[] {
  const kinds = kindsOfEntry(entry.kind);
  return kinds.length === 1 || party.isClaimed === true ? kinds : kinds.filter((kind) => !isOtherKind(party, kind));
}

function scoreName(
  { party }: ReadParty,
  entry: NamedEntry,
  ours: Name,
  theirs: Name,
  name: PossibleName,
): FoundName | undefined {
  const byWord = isByWord(party, ours);
  const named = scoreNames(ours, theirs, entry.costOf, byWord);
  if (named === undefined) return undefined;
  const parts = [...named.parts];
  if (name.isWeak && !byWord) {
    const effect = -weakDeduction(Math.min(countNamed(ours), countNamed(theirs)));
    parts.push({ part: "NAME", ours: "", theirs: "weak alias", score: 0, effect });
  }
  if (entry.kind !== "OTHER" && isOtherKind(party, ours.kind)) {
    const [our, their] = [party.kind, entry.kind].map((kind) => kind.toLowerCase());
    parts.push({
      part: "COMPANY_FORM",
      ours: our!,
      theirs: their!,
      score: 0,
      ...(party.isClaimed === true ? { effect: 0, note: claimedReason } : { effect: -entryDeductions.otherKind }),
    });
  }
  const score = totalOf(parts);
  return score > 0 ? { name, score, parts } : undefined;
}

function countNamed({ tokens }: Name): number {
  return tokens.filter(({ role }) => role === "WORD" || role === "INITIAL").length;
}

/**
 * What a weak alias of which so many words are compared loses: the
 * fewer, the less it tells anybody.
 */
export function weakDeduction(words: number): number {
  return entryDeductions.weakAlias + entryDeductions.weakPerWord * Math.max(0, 3 - words);
}

// A score stays from 0 to 1000, and what a part adds is what is left of it.
function within(total: number, effect: number): number {
  return Math.min(most, Math.max(0, total + effect)) - total;
}

function totalOf(parts: readonly MatchPart[]): number {
  return parts.reduce((sum, part) => sum + part.effect, 0);
}
