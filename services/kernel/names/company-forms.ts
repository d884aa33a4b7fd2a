// Legal forms that answer to each other. Phrases are in lower-case Latin letters without dots.
const classes: Readonly<Record<string, readonly string[]>> = {
  LIMITED: [
    "limited liability company",
    "private limited company",
    "private limited",
    "pvt limited",
    "pvt ltd",
    "pte ltd",
    "pty ltd",
    "sdn bhd",
    "company limited",
    "co limited",
    "co ltd",
    "limited",
    "ltd",
    "llc",
    "lc",
    "ltda",
    "limitada",
    "ooo",
    "tov",
    "too",
    "obshchestvo s ogranichennoy otvetstvennostyu",
    "tovarystvo z obmezhenoyu vidpovidalnistyu",
    "tovarishchestvo s ogranichennoy otvetstvennostyu",
    "gmbh",
    "gesellschaft mit beschrankter haftung",
    "gesellschaft mit beschraenkter haftung",
    "ug haftungsbeschrankt",
    "bv",
    "besloten vennootschap",
    "bvba",
    "sarl",
    "societe a responsabilite limitee",
    "srl",
    "societatea cu raspundere limitata",
    "societate cu raspundere limitata",
    "societa a responsabilita limitata",
    "sociedad de responsabilidad limitada",
    "s de rl",
    "sl",
    "sociedad limitada",
    "sp z oo",
    "spolka z ograniczona odpowiedzialnoscia",
    "sro",
    "spol s ro",
    "doo",
    "dooel",
    "eood",
    "ood",
    "kft",
    "sia",
    "uab",
    "lda",
    "aps",
    "fze",
    "fzco",
    "fzc",
    "fz llc",
    "wll",
  ],
  STOCK: [
    "public limited company",
    "plc",
    "public joint stock company",
    "open joint stock company",
    "closed joint stock company",
    "joint stock company",
    "jointstock company",
    "public jointstock company",
    "open jointstock company",
    "closed jointstock company",
    "jsc",
    "ojsc",
    "cjsc",
    "pjsc",
    "oao",
    "pao",
    "zao",
    "ao",
    "aktsionernoye obshchestvo",
    "aktsionernoe obshchestvo",
    "publichnoye aktsionernoye obshchestvo",
    "publichnoe aktsionernoe obshchestvo",
    "otkrytoye aktsionernoye obshchestvo",
    "otkrytoe aktsionernoe obshchestvo",
    "zakrytoye aktsionernoye obshchestvo",
    "zakrytoe aktsionernoe obshchestvo",
    "ag",
    "aktiengesellschaft",
    "sa de cv",
    "sab de cv",
    "sa",
    "societe anonyme",
    "sociedad anonima",
    "spa",
    "societa per azioni",
    "sas",
    "nv",
    "naamloze vennootschap",
    "as",
    "aktieselskab",
    "asa",
    "ab",
    "aktiebolag",
    "oy",
    "oyj",
    "se",
    "ad",
    "dd",
    "akciju sabiedriba",
    "nyrt",
    "zrt",
    "tbk",
    "pt",
    "perseroan terbatas",
    "kk",
    "kabushiki kaisha",
    "anonim sirketi",
    "berhad",
    "bhd",
    "saoc",
    "saog",
  ],
  INCORPORATED: ["incorporated", "inc", "corporation", "corp", "korporatsiya", "na", "national association"],
  PARTNERSHIP: [
    "limited liability partnership",
    "limited partnership",
    "general partnership",
    "llp",
    "lp",
    "kg",
    "ohg",
    "gmbh co kg",
    "gmbh and co kg",
    "kommanditgesellschaft",
    "snc",
    "cv",
  ],
  NON_PROFIT: ["ano", "avtonomnaya nekommercheskaya organizatsiya", "ev", "eingetragener verein", "asbl", "ngo"],
  STATE: ["fgup", "gup", "mup", "state unitary enterprise", "federal state unitary enterprise"],
  SOLE: ["ip", "sole proprietor", "individualnyy predprinimatel", "eireli"],
};

const form = "PJSC|OJSC|CJSC|JSC|LLC|LLP|PLC|Ltd|LTD|Inc|INC|GmbH|AG|OOO|OAO|ZAO|PAO|ООО|ОАО|ЗАО|ПАО|АО";
const behind = new RegExp(`(?<=\\p{Ll})(?:${form})(?![\\p{L}\\p{N}])`, "gu");
const before = new RegExp(`(?<![\\p{L}\\p{N}])(?:${form})(?=\\p{Lu}\\p{Ll})`, "gu");

/**
 * Parts a legal form from the name that it is written together with: "SiemensAG", "OOORomashka".
 */
export function dividedForms(text: string): string {
  return text.replaceAll(behind, " $&").replaceAll(before, "$& ");
}

interface Phrase {
  words: readonly string[];
  form: string;
}

const byFirstWord = new Map<string, Phrase[]>();
for (const [form, phrases] of Object.entries(classes)) {
  for (const phrase of phrases) {
    const words = phrase.split(" ");
    const [first = ""] = words;
    const known = [...(byFirstWord.get(first) ?? []), { words, form }];
    byFirstWord.set(
      first,
      known.toSorted((a, b) => b.words.length - a.words.length),
    );
  }
}

/** The longest legal form that begins at the word, by its class and number of words. */
export function companyFormAt(words: readonly string[], at: number): { form: string; length: number } | undefined {
  const phrases = byFirstWord.get(words[at] ?? "") ?? [];
  const found = phrases.find((phrase) => phrase.words.every((word, offset) => words[at + offset] === word));
  return found && { form: found.form, length: found.words.length };
}
