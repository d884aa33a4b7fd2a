import type { Match } from "../../../screening/domain/hit.js";
import type { ListSource } from "../list-entry.js";
import type { ScreenedParty } from "../party.js";
import type { YearEffect } from "../../../screening/domain/policy.js";
import type { WordCost } from "../../../../kernel/names/align.js";
import { attributeEffects, documentKey } from "./attributes.js";
import { findCandidates, searchBounds, type SearchWork } from "./candidates.js";
import type { ListIndex } from "./list-index.js";
import type { NameToken } from "../../../../kernel/names/name.js";
import { readingsOf } from "./name-index.js";
import { isByWord, isOtherKind, readParty, type ReadParty } from "./read-party.js";
import {
  bestName,
  entryDeductions,
  scoreEntry,
  weakDeduction,
  type NamedEntry,
  type PossibleName,
} from "./score-entry.js";
import { wordCost } from "../../../../kernel/names/word-cost.js";

export interface SearchOptions {
  /** Per mille. */
  threshold: number;
  otherYearOfBirth: YearEffect;
  /** Years. */
  yearTolerance: number;
  /** The most matches that are wanted. */
  limit?: number;
}

const mostMatches = 50;
/**
 * Names whose entries are read and scored, for each match that is wanted and at
 * least: those that can score most.
 */
const scoredPerMatch = 2;
const leastScored = 120;
const mostDocuments = 32;

const nameKinds = ["PERSON", "COMPANY"] as const;

/** An entry that is to be read, and the most that it can score. */
interface Possible {
  ordinal: number;
  atMost: number;
  /** The name that fits best; all of them where a document is the same. */
  among?: readonly PossibleName[];
}

/** A match, and the place of its entry's id among all ids. */
interface Ranked {
  match: Match;
  rank: number;
}

/**
 * Entries that a party resembles by the threshold or more, best first. Names are
 * scored from memory; an entry is read where it may be among those that are wanted.
 * `work` counts what was looked at.
 */
export function searchIndex(
  index: ListIndex,
  source: ListSource,
  party: ScreenedParty,
  options: SearchOptions,
  work: SearchWork = { names: 0, entries: 0 },
): Match[] {
  const ours = readOnce(party);
  const { limit = mostMatches, threshold } = options;
  const { rankOf } = index.store;
  const found: Ranked[] = [];
  for (const { among, atMost, ordinal } of possibleEntries(index, ours, options, work)) {
    const last = found[limit - 1];
    if (last !== undefined && isBefore(last, atMost, rankOf(ordinal))) break;
    work.entries++;
    const match = scoreEntry(source, ours, index.store.entryOf(ordinal), options, among);
    if (match !== undefined && match.score >= threshold) keep(found, { match, rank: rankOf(ordinal) });
  }
  return found.slice(0, limit).map(({ match }) => match);
}

function isBefore({ match, rank }: Ranked, score: number, otherRank: number): boolean {
  return match.score > score || (match.score === score && rank < otherRank);
}

/** In its place, best first. */
function keep(found: Ranked[], one: Ranked): void {
  let at = found.length;
  while (at > 0 && !isBefore(found[at - 1]!, one.match.score, one.rank)) at--;
  found.splice(at, 0, one);
}

/** Entries that may reach the threshold, those that can score most first. */
function possibleEntries(index: ListIndex, ours: ReadParty, options: SearchOptions, work: SearchWork): Possible[] {
  const { store } = index;
  const documented = entriesOfDocuments(index, ours.party);
  const possible: Possible[] = [...documented].map((ordinal) => ({ ordinal, atMost: 1_000 }));
  const raise = mostRaise(ours.party);
  const costOf = rememberedCosts();
  for (const [ordinal, names] of namedEntries(index, ours, options, work)) {
    if (documented.has(ordinal)) continue;
    const best = bestName(ours, namedOf(index, ordinal, costOf), names);
    if (best === undefined || best.score + raise < options.threshold) continue;
    possible.push({ ordinal, atMost: Math.min(1_000, best.score + raise), among: [best.name] });
  }
  return possible.sort((a, b) => b.atMost - a.atMost || store.rankOf(a.ordinal) - store.rankOf(b.ordinal));
}

/** An entry's names as they lie in memory. */
function namedOf({ byKind, store }: ListIndex, ordinal: number, costOf: WordCost): NamedEntry {
  return {
    kind: store.kindOf(ordinal),
    costOf,
    readingsOf: (listed, kind) => readingsOf(byKind[kind], ordinal, listed),
  };
}

/** wordCost for one search, in which the same words are compared again and again. */
function rememberedCosts(): WordCost {
  const costs = new Map<NameToken, Map<NameToken, number>>();
  return (ours, theirs, kind) => {
    if (ours.latin === theirs.latin && ours.isAbjad === theirs.isAbjad) return 0;
    let known = costs.get(ours);
    if (known === undefined) costs.set(ours, (known = new Map()));
    let cost = known.get(theirs);
    if (cost === undefined) known.set(theirs, (cost = wordCost(ours, theirs, kind)));
    return cost;
  };
}

/**
 * Entries with those of their names that may reach the threshold, the
 * names that can score most first.
 */
export function namedEntries(
  index: ListIndex,
  ours: ReadParty,
  { threshold, limit = mostMatches }: SearchOptions,
  work: SearchWork,
): ReadonlyMap<number, readonly PossibleName[]> {
  const found = nameKinds.flatMap((kind) => {
    const isLowered = isOtherKind(ours.party, kind) && ours.party.isClaimed !== true;
    const needed = threshold - mostRaise(ours.party) + (isLowered ? entryDeductions.otherKind : 0);
    return ours.readings[kind].flatMap((name) =>
      findCandidates(
        index.byKind[kind],
        name,
        needed,
        isByWord(ours.party, name) ? () => 0 : weakDeduction,
        work,
        isByWord(ours.party, name),
      ).map((each) => ({ ...each, kind })),
    );
  });
  found.sort((a, b) => b.atMost - a.atMost || a.name - b.name);
  const entries = new Map<number, PossibleName[]>();
  // Who looks by hand sees all that have the word, however many names one of them has.
  const most = ours.party.isSearch === true ? searchBounds.names : Math.max(leastScored, scoredPerMatch * limit);
  for (const { atMost, kind, name } of found.slice(0, most)) {
    const { entries: ordinals, isWeak, listed: places } = index.byKind[kind];
    const [ordinal, listed] = [ordinals[name]!, places[name]!];
    const known = entries.get(ordinal) ?? [];
    if (known.some((one) => one.listed === listed)) continue;
    known.push({ listed, isWeak: isWeak[name] === 1, atMost });
    entries.set(ordinal, known);
  }
  return entries;
}

// The most that date of birth and country add.
function mostRaise({ countries, dateOfBirth }: ScreenedParty): number {
  const day = dateOfBirth === undefined ? 0 : attributeEffects.sameDay;
  return day + (countries.length === 0 ? 0 : attributeEffects.sameCountry);
}

function entriesOfDocuments(index: ListIndex, { documents }: ScreenedParty): ReadonlySet<number> {
  const keys = documents.slice(0, mostDocuments).map(documentKey);
  return new Set(keys.flatMap((key) => (key === undefined ? [] : (index.byDocument.get(key) ?? []))));
}

const read = new WeakMap<ScreenedParty, ReadParty>();

// A party is compared with one list after another.
function readOnce(party: ScreenedParty): ReadParty {
  const known = read.get(party);
  if (known !== undefined) return known;
  const made = readParty(party);
  read.set(party, made);
  return made;
}
