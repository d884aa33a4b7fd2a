import { isOtherArabicName, isSameArabicName } from "./arabic-names.js";

/** Letters that only say that there is a vowel, or none. */
const vowelLetters = "اويىعאויעهةהة";

// How letters of scripts that write no vowels come out in Latin ones.
const spellings = new Map(
  (
    "ا a,e,aa,o|ب b,p|پ p,b|ت t|ث th,s,t|ج j,g,dj,dsch,zh|چ ch,tch,c|ح h,kh|خ kh,ch,h,k,x|د d|ذ dh,z,d,th|ر r|ز z|ژ zh,j,z|" +
    "س s,c,z|ش sh,ch,sch,s|ص s,c|ض d,dh,z|ط t|ظ z,dh,th,d|ع a,e,i,o,u,aa|غ gh,g,q|ف f,ph,v|ق q,k,g,c,ck,gh|ک k,c,q,g,ck|گ g,k|" +
    "ل l|م m|ن n|ه h,a,e|ة h,a,e,t,ah,eh|و w,v,u,o,ou,oo,au,aw|ي y,i,e,j,ee,ei,ai,ay,iy,ie|ى a,i,e,y|" +
    "א a,e,i,o,u|ב b,v|ג g,j|ד d|ה h,a,e|ו w,v,u,o,ou|ז z,s|ח h,ch,kh|ט t|י y,i,e,j,ei,ai|כ k,ch,kh|ך k,ch,kh|ל l|מ m|ם m|נ n|ן n|" +
    "ס s|ע a,e,i,o,u|פ p,f,ph|ף f,p|צ ts,tz,z,s|ץ ts,tz,z|ק q,k,c|ר r|ש sh,s,sch|ת t,th"
  )
    .split("|")
    .map((row): [string, readonly string[]] => {
      const [letter = "", latin = ""] = row.split(" ");
      return [letter, latin.split(",")];
    }),
);
const vowels = /[aeiouy]/;
const startingVowels = ["a", "e", "i", "o", "u", "y"];

// Quarters of an edit.
const full = 4;
const costs = { first: 3, long: 2, h: 2, vowelLetter: 2, weak: 3, otherName: 6 };

/** What a Latin word may leave out of a letter, in quarters of an edit. */
function leftOut(letters: string, at: number): number {
  const letter = letters[at]!;
  const isLast = at === letters.length - 1;
  if (letter === "ع" || letter === "\u05e2" || letter === "ة") return 0;
  if ("هو".includes(letter) && isLast) return letter === "ه" ? 0 : 1;
  if (letter === "ا" || letter === "ى" || letter === "א") return at === 0 || isLast ? 1 : costs.vowelLetter;
  return "وي".includes(letter) ? costs.weak : full;
}

function spellingsAt(letters: string, at: number): readonly string[] {
  const letter = letters[at]!;
  if (at === 0 && (letter === "ا" || letter === "א")) return startingVowels;
  return letter === "ه" && at < letters.length - 1 ? ["h"] : (spellings.get(letter) ?? []);
}

const unreachable = 99;

/**
 * How far a word in Latin letters is from one whose vowels are not written, in quarters of an edit:
 * nothing where it may be read so. `limit + 1` where it is more than that.
 */
export function unwrittenCost(letters: string, latin: string, limit: number): number {
  if (isSameArabicName(letters, latin)) return 0;
  const other = isOtherArabicName(letters, latin) ? costs.otherName : 0;
  const cost = other + readingCost(letters, latin, limit) + (strengthOf(letters) <= 1 ? 1 : 0);
  return Math.min(cost, limit + 1);
}

/** How many letters say more than that there is a vowel. */
export function strengthOf(letters: string): number {
  return Array.from(letters).filter((letter) => !vowelLetters.includes(letter)).length;
}

function readingCost(letters: string, latin: string, limit: number): number {
  // Of each place of the Latin word, and whether a vowel was left out just before it.
  const width = latin.length + 1;
  const rows = Array.from({ length: letters.length + 1 }, () => new Uint8Array(2 * width).fill(unreachable));
  rows[0]![0] = 0;
  for (let i = 0; i <= letters.length; i++) {
    const row = rows[i]!;
    for (let j = 0; j < width; j++) {
      for (const isSkipped of [0, 1] as const) {
        const cost = row[2 * j + isSkipped]!;
        if (cost > limit) continue;
        if (j < latin.length) skipLatin(row, latin, j, isSkipped, cost);
        if (i < letters.length) readLetter(rows, letters, latin, i, j, cost);
      }
    }
  }
  const last = rows[letters.length]!;
  return Math.min(last[2 * latin.length]!, last[2 * latin.length + 1]!);
}

function reach(row: Uint8Array, place: number, cost: number): void {
  if (cost < row[place]!) row[place] = cost;
}

function skipLatin(row: Uint8Array, latin: string, j: number, isSkipped: 0 | 1, cost: number): void {
  const letter = latin[j]!;
  const next = 2 * (j + 1);
  if (letter === latin[j - 1] && !vowels.test(letter)) reach(row, next + isSkipped, cost);
  if (vowels.test(letter)) {
    const isDear = j === 0 || j === latin.length - 1 || isSkipped === 1;
    reach(row, next + 1, cost + (j === 0 ? costs.first : isDear ? costs.long : 0));
  } else if (letter === "h") {
    reach(row, next + isSkipped, cost + (j === latin.length - 1 ? 0 : costs.h));
  } else reach(row, next, cost + full);
}

function readLetter(rows: Uint8Array[], letters: string, latin: string, i: number, j: number, cost: number): void {
  const below = rows[i + 1]!;
  for (const spelling of spellingsAt(letters, i)) {
    if (latin.startsWith(spelling, j)) reach(below, 2 * (j + spelling.length), cost);
  }
  reach(below, 2 * j, cost + leftOut(letters, i));
  if (letters[i] === letters[i - 1]) reach(below, 2 * j, cost);
  if (j < latin.length && !vowels.test(latin[j]!)) reach(below, 2 * (j + 1), cost + full);
}

const soundClasses = new Map(
  ["kqcgxsz سشصخقغکگزچکכקגסשצזחךץ", "td تدطתטד", "pbfvw بپفבפף", "mn منמנםן", "lr لرלר"].flatMap((group, number) => {
    const letters = group.split(" ")[1] ?? "";
    return Array.from(letters, (letter): [string, readonly number[]] => [letter, [number + 1]]);
  }),
);
// Letters that are written with consonants of several kinds, or are a vowel as well.
for (const letter of "ذثظض") soundClasses.set(letter, [1, 2]);
for (const letter of "وו") soundClasses.set(letter, [0, 3]);
for (const letter of "جخח") soundClasses.set(letter, [0, 1]);
soundClasses.set("ة", [0, 2]);
const mostSounds = 16;

/**
 * The sounds of consonants that a Latin spelling may have, as keys.ts counts
 * them; those of all its spellings.
 */
export function soundsOfUnwritten(letters: string): number[][] {
  let found: number[][] = [[]];
  for (const letter of letters) {
    const classes = soundClasses.get(letter) ?? [0];
    if (classes.length > 1 && found.length * classes.length > mostSounds) continue;
    found = classes.flatMap((sound) => found.map((before) => (sound === 0 ? before : [...before, sound])));
  }
  return found;
}
