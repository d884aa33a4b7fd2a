import { soundsOfUnwritten } from "../../../../kernel/names/abjad.js";
import { createPostingsBuilder, membersOf } from "./postings.js";

/**
 * Numbers by hashed keys. Different keys may share a place: whoever asks compares what is found.
 */
export interface KeyIndex {
  membersOf(key: number): Uint32Array;
  bytes: number;
}

export function createKeyIndexBuilder() {
  const pairs: number[] = [];
  return {
    add(key: number, member: number): void {
      pairs.push(key, member);
    },
    finish(): KeyIndex {
      const places = 2 ** Math.ceil(Math.log2(Math.max(2, pairs.length)));
      const postings = createPostingsBuilder();
      for (let at = 0; at < pairs.length; at += 2) postings.add(pairs[at]! & (places - 1), pairs[at + 1]!);
      const found = postings.finish(places);
      return {
        membersOf: (key) => membersOf(found, key & (places - 1)),
        bytes: found.starts.byteLength + found.members.byteLength,
      };
    },
  };
}

// What stays of a word when soft changes are made to it: vowels, h, j and y are left out, and
// consonants that stand for nearly the same sound are one.
const soundOf = new Uint8Array(128);
for (const [number, letters] of ["kqcgxsz", "td", "pbfvw", "mn", "lr"].entries()) {
  for (const letter of letters) soundOf[letter.charCodeAt(0)] = number + 1;
}
for (const digit of "0123456789") soundOf[digit.charCodeAt(0)] = digit.charCodeAt(0);

/**
 * Keys of a spelling that it shares with those that sound like it: the same consonants in the same
 * order, and where it has a v, which may be a vowel, the same without it. One or two.
 */
export function soundKeys(folded: string): number[] {
  const key = soundKey(folded);
  return /[vw]/.test(folded) ? [key, soundKey(folded.replaceAll(/[vw]/g, "u"))] : [key];
}

/**
 * Keys of a word whose vowels are not written: it shares one with each
 * Latin spelling that it may have.
 */
export function unwrittenKeys(letters: string): number[] {
  const keys = soundsOfUnwritten(letters).map((sounds) => {
    let [key, before] = [hashStart, 0];
    for (const sound of sounds) {
      if (sound !== before) key = hashed(key, sound);
      before = sound;
    }
    return spread(key);
  });
  return [...new Set(keys)];
}

function soundKey(folded: string): number {
  let [key, before] = [hashStart, 0];
  for (let at = 0; at < folded.length; at++) {
    const sound = soundOf[folded.charCodeAt(at)]!;
    if (sound !== 0 && sound !== before) key = hashed(key, sound);
    before = sound === 0 ? before : sound;
  }
  return spread(key);
}

/**
 * Keys that two spellings share where one letter of them differs, is left out, or
 * is exchanged with its neighbour.
 */
export function editKeys(latin: string): number[] {
  const keys: number[] = [];
  for (let without = -1; without < latin.length; without++) {
    let key = hashStart;
    for (let at = 0; at < latin.length; at++) if (at !== without) key = hashed(key, latin.charCodeAt(at));
    keys.push(spread(key));
  }
  return keys;
}

// FNV-1a.
const hashStart = 0x811c9dc5;

function hashed(key: number, code: number): number {
  return Math.imul(key ^ code, 0x01000193);
}

function spread(key: number): number {
  return (key ^ (key >>> 15)) >>> 0;
}

/** A bit for each letter that occurs; digits share the last ones. */
export function letterSet(text: string): number {
  let set = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    set |= 1 << (code >= 97 ? code - 97 : 26 + (code % 6));
  }
  return set >>> 0;
}

/** How many of a set are not in another. */
export function lettersMissing(set: number, other: number): number {
  const missing = set & ~other;
  let bits = missing - ((missing >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return (((bits + (bits >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
}

/** A bit for each sound of consonants that occurs. */
export function soundSet(folded: string): number {
  let set = 0;
  for (let at = 0; at < folded.length; at++) {
    const sound = soundOf[folded.charCodeAt(at)]!;
    if (sound !== 0 && sound < 32) set |= 1 << sound;
  }
  return set;
}
