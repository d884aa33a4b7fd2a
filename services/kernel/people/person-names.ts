/**
 * A name without case, accents, apostrophes and what cannot be seen: Unicode's full case
 * folding of NFKD ("ß" is "ss"), letters with a stroke, hook or dot as people type them ("ø" is
 * "o"), Arabic letters as keyboards differ in them. Vowel signs of Indic and other scripts
 * stay: they tell names apart. Pure.
 */
export function foldedName(name: string): string {
  return withoutMarks(name.replaceAll(apostrophes, "").normalize("NFKD"));
}

/**
 * Whether two texts name one person: as folded, whatever the order of the names and what stands
 * between them ("O Brien" is "O'Brien", but "Li Nan" is not "Lin An"), and as passports spell
 * letters ("Mueller" is "Müller", ICAO Doc 9303-3, 6.A). A name without a letter is nobody's. For
 * who somebody is; names on lists of sanctions are compared by compliance.
 */
export function isSameName(one: string, other: string): boolean {
  const [ours, theirs] = [spellingsOf(one), spellingsOf(other)];
  return ours.some((words) =>
    theirs.some((others) => haveSameWords(words, others) || areJoinedOtherwise(words, others)),
  );
}

/**
 * A name as folded, and as folded where passports spell its letters: one or two texts, by
 * either of which a search finds it.
 */
export function foldedSpellings(name: string): string[] {
  return [...new Set([foldedName(name), foldedName(spelledOut(name))])];
}

const apostrophes = /['’‘‛`´ʹʻʼʽʾʿˈˊˋ′՚᾽᾿＇]/gu;
// The signs of a keyboard that make a letter of a sound longer, or join
// letters: ـ and what has no form.
const unseen = /[\p{Cf}\u0640]/gu;
// Marks of no one script (accents, vowels of Arabic), and points of Hebrew.
// Those of Kana make other letters.
const marks = /[[[\p{Script=Inherited}\p{Script=Hebrew}]&&\p{Mn}]--[\u3099\u309a]]/gv;

const pairsOf = (text: string) => new Map(text.split(", ").map((pair) => pair.split(" ") as [string, string]));
const anyOf = (letters: ReadonlyMap<string, string>) => new RegExp(`[${[...letters.keys()].join("")}]`, "gu");

// Letters that Unicode does not take apart.
const plainLetters = pairsOf(
  "æ ae, œ oe, ø o, ł l, đ d, ð d, þ th, ħ h, ŋ ng, ŧ t, ĸ q, ſ s, ƀ b, ȷ j, ƚ l, ǥ g, ƶ z, ɨ i, ʉ u, ɵ o, " +
    "ə e, ǝ e, ɛ e, ɔ o, ɓ b, ɗ d, ɖ d, ƙ k, ƴ y, ƒ f, ɣ g, ɩ i, ʋ v, ɲ n, ƈ c, ƥ p, ƭ t, " +
    "ς σ, ى ي, ی ي, ې ي, ک ك, ة ه, ہ ه, ە ه, ھ ه, ٱ ا",
);
const withoutParts = anyOf(plainLetters);

function withoutMarks(text: string): string {
  // Capitals of what has several letters ("ẞ", "ŉ", "ı") are reached from below only.
  const lower = text.replaceAll("\u0345", "ι").replaceAll(marks, "").toLowerCase().toUpperCase().toLowerCase();
  return lower
    .normalize("NFKD")
    .replaceAll(marks, "")
    .replaceAll(apostrophes, "")
    .replaceAll(unseen, "")
    .replaceAll(withoutParts, (letter) => plainLetters.get(letter) ?? letter)
    .normalize("NFC")
    .trim();
}

const passportLetters = pairsOf("ä ae, ö oe, ü ue, ø oe, å aa");
const inPassports = anyOf(passportLetters);

function spelledOut(name: string): string {
  return name
    .normalize("NFC")
    .toLowerCase()
    .replaceAll(inPassports, (letter) => passportLetters.get(letter) ?? letter);
}

function wordsOf(folded: string): string[] {
  return folded.split(/[^\p{L}\p{M}\p{N}]+/u).filter((word) => word !== "");
}

/** All by which a name is known, as words in their order; none where it has no letter. */
function spellingsOf(name: string): string[][] {
  return foldedSpellings(name)
    .map(wordsOf)
    .filter((words) => words.length > 0);
}

function haveSameWords(ours: readonly string[], theirs: readonly string[]): boolean {
  return ours.toSorted().join(" ") === theirs.toSorted().join(" ");
}

/**
 * Whether letters and their order are the same, and where words differ one name
 * has one and the other several.
 */
function areJoinedOtherwise(ours: readonly string[], theirs: readonly string[]): boolean {
  if (ours.join("") !== theirs.join("")) return false;
  const [ourEnds, theirEnds] = [endsOf(ours), endsOf(theirs)];
  let open: Set<number> | undefined;
  for (const end of [...ourEnds.union(theirEnds)].toSorted((one, other) => one - other)) {
    const several = !ourEnds.has(end) ? theirEnds : theirEnds.has(end) ? undefined : ourEnds;
    // "Li Nan" and "Lin An": each ends a word within a word of the other.
    if (open !== undefined && several !== undefined && open !== several) return false;
    open = several;
  }
  return true;
}

function endsOf(words: readonly string[]): Set<number> {
  let end = 0;
  return new Set(words.map((word) => (end += word.length)));
}
