const set = (words: string) => new Set(words.split(" "));

/** Words that join the parts of a name and hardly tell people apart. */
export const particles = set(
  "al el ul ur ar il bin ibn ben bint binte binti bani abu abou abo aba um umm oum ould wuld walad wald aw na " +
    "van von vom zu zum zur de der den des del della di da do dos das du la le les los las lo y e i af av ter ten te " +
    "the of and for und et o a s san st ap mac mc",
);

/** Words before which a father's name stands. */
export const fatherWords = set("bin ibn ben bint binte binti ould wuld wald walad");

/**
 * Titles, honours and ways of address; and forms of companies that are
 * written behind a person's name.
 */
export const titles = set(
  "mr mrs ms miss dr prof professor sir lord lady dame hon rev father brother sister president general gen colonel col " +
    "major maj captain capt lieutenant lt sergeant sgt commander cmdr minister senator judge king queen prince princess " +
    "herr frau monsieur madame mme mlle senor senora sr sra don dona doktor prasident praesident presidente " +
    "sheikh shaikh sheik shaykh cheikh sheykh shekh haji hajji hadji haj hajj hadj mullah mulla molla maulavi maulawi " +
    "mawlawi moulavi maulana mawlana qari hafiz ustad ustaz imam emir amir mufti sayyid sayyed sayed said syed seyyed " +
    "agha khan khwaja begum bibi shri sri smt kumari jr jnr snr senior junior ii iii iv phd md esq " +
    "llc ltd inc gmbh ooo jsc ojsc pjsc oao zao pao plc corp",
);

/** Titles that are names as well: they are compared, and missed less than other names. */
export const halfTitles = set(
  "khan agha sayed sayyed sayyid said amir emir sheikh haji qari prince bibi ii iii iv sr don father",
);

/** Words of companies that hardly tell them apart. */
export const commonWords = set(
  "the of and for de la el le les du des und et y di company co group gruppe groupe grupo gruppo holding holdings firm",
);

const equals: readonly string[] = [
  "and und et y e i",
  "1st first",
  "2nd second",
  "3rd third",
  "1 one",
  "2 two",
  "3 three",
  "4 four",
  "5 five",
  "6 six",
  "7 seven",
  "8 eight",
  "9 nine",
  "10 ten",
  "20 twenty",
  "international intl internatl inter",
  "national natl",
  "organization organisation org",
  "association assoc assn",
  "department dept",
  "university univ",
  "manufacturing mfg",
  "brothers bros",
  "engineering eng",
  "trading trade",
  "center centre tsentr centr",
  "saint st",
  "government govt",
  "people peoples",
];

const tens = new Map(
  "twenty 20|thirty 30|forty 40|fourty 40|fifty 50|sixty 60|seventy 70|eighty 80|ninety 90"
    .split("|")
    .map((row) => row.split(" ") as [string, string]),
);
const units = new Map(
  "one two three four five six seven eight nine".split(" ").map((word, at) => [word, `${at + 1}`] as const),
);

/**
 * A number from 20 to 99 in words, as its digits, and how many words it takes:
 * "forty-four" and "forty 4" are 44.
 */
export function numberAt(words: readonly string[], at: number): { latin: string; length: number } | undefined {
  const ten = tens.get(words[at] ?? "");
  if (ten === undefined) return undefined;
  const next = words[at + 1] ?? "";
  const unit = units.get(next) ?? (/^[1-9]$/.test(next) ? next : undefined);
  return unit === undefined ? { latin: ten, length: 1 } : { latin: ten[0]! + unit, length: 2 };
}

/** Words that mean the same, by one of them. */
export const sameWords: ReadonlyMap<string, string> = new Map(
  equals.flatMap((group) => {
    const [first = "", ...others] = group.split(" ");
    return others.map((other) => [other, first] as const);
  }),
);
