import { foldedName } from "../../kernel/people/person-names.js";

const set = (words: string): ReadonlySet<string> => new Set(words.split(" "));

/**
 * Ways of address before a name, in English, German, French, Spanish, Portuguese, Italian, Dutch
 * and as West Africa writes them. What is somebody's first name too ("Prince", "Lady") is none.
 */
const titles = set(
  "mr mrs ms mx miss mister dr doctor prof professor sir madam rev reverend herr frau doktor dipl-ing " +
    "mm mme mmes mlle monsieur madame mademoiselle docteur professeur maitre sr sra srta senor senora senorita dra " +
    "profa profesor profesora senhor senhora doutor doutora sigra signor signora signorina dott dottssa dottore " +
    "dottoressa avv dhr mevr mw mevrouw meneer drs alhaji alhaja hajia engr chief",
);
// Names too, or an initial: titles with a dot alone.
const dotted = set("m hr fr hon mag ing ir sig arc barr");
// Of a doctorate, behind a title: "Dr. rer. nat."
const further = set("rer nat phil med jur hc habil");

/** As it is asked about: without titles at its start, spaces as one, letters composed (NFC). */
export function plainPayeeName(name: string): string {
  const plain = name.normalize("NFC").replaceAll(/\p{Cf}+/gu, "");
  let words = plain
    .split(/\s+/u)
    .filter((word) => word !== "")
    .flatMap(apart);
  for (let after = false; isTitle(words, after); after = true) words = words.slice(1);
  return words.join(" ");
}

/** Whether two names differ by titles, case, spaces and how their letters are coded alone. */
export function isSamePayeeName(one: string, other: string): boolean {
  return comparable(one) === comparable(other);
}

function comparable(name: string): string {
  // Capitals of what has several letters ("ß", "ﬁ") are reached from below only.
  return plainPayeeName(name).toLowerCase().toUpperCase().toLowerCase().normalize("NFC");
}

/** Whether the first word is one; a name is left behind it. */
function isTitle([first = "", ...rest]: readonly string[], isBehindTitle: boolean): boolean {
  if (!rest.some((one) => /\p{L}/u.test(one))) return false;
  const word = titleWord(first);
  if (titles.has(word)) return true;
  if (!first.endsWith(".")) return false;
  // "M. Okafor" may be somebody's initial.
  if (dotted.has(word)) return word.length > 1 || rest.length > 1;
  return isBehindTitle && further.has(word) && first === first.toLowerCase();
}

/** "Dr.Okafor" is two words, and "Dott.ssa" one. */
function apart(word: string): string[] {
  const end = word.indexOf(".") + 1;
  const [title, rest] = [word.slice(0, end), word.slice(end)];
  const isJoined = titles.has(titleWord(title)) && /\p{L}/u.test(rest) && !titles.has(titleWord(word));
  return isJoined ? [title, ...apart(rest)] : [word];
}

const titleWord = (word: string) => foldedName(word).replaceAll(/[.,]/g, "");
