const same: readonly (readonly [RegExp, string])[] = [
  [/[\p{M}ـء]/gu, ""],
  [/[أإآٱ]/g, "ا"],
  [/[یېئۍێ]/g, "ي"],
  [/ك/g, "ک"],
  [/[ؤۆۇ]/g, "و"],
  [/[ۀہھەۂ]/g, "ه"],
  [/ټ|ٹ/g, "ت"],
  [/ډ|ڈ/g, "د"],
  [/ړ|ڑ/g, "ر"],
  [/ڼ|ں/g, "ن"],
  [/ے/g, "ي"],
  [/ڤ/g, "ف"],
  [/ښ/g, "ش"],
  [/ږ/g, "ژ"],
  [/[ځڅ]/g, "ز"],
];

/**
 * A word of a script without vowels in one spelling: letters that sound alike in
 * another language or place are one.
 */
export function plainLetters(written: string): string {
  let letters = written.normalize("NFKC").normalize("NFC");
  for (const [from, to] of same) letters = letters.replaceAll(from, to);
  return letters;
}

// Words that join names, titles and honours, by what stands for them in Latin letters.
const smallWords: ReadonlyMap<string, string> = new Map(
  (
    "بن bin|ابن ibn|بنت bint|ولد ould|ابو abu|ابي abu|ابا aba|بو abu|ام umm|ال al|بني bani|شيخ sheikh|الشيخ sheikh|حاجي haji|حاج haji|" +
    "الحاج haji|دکتور dr|الدکتور dr|د dr|ملا mullah|الملا mullah|مولوي maulavi|السيد sayyid|سيد sayyid|خان khan|اغا agha|اللواء general|" +
    "اللوا general|لوا general|العميد general|عميد general|الفريق general|العقيد colonel|مهندس mr|المهندس mr|قاري qari"
  )
    .split("|")
    .map((row) => row.split(" ") as [string, string]),
);

/** A word that stands for one of Latin letters, whatever its vowels. */
export function smallArabicWord(letters: string): string | undefined {
  return smallWords.get(letters);
}

const servant = "عبد";
const god = "الله";
const faith = "الدين";

/**
 * "عبدالعزيز" as "عبدعزيز" and "شمسالدين" as "شمسدين": as the same
 * names of Latin letters are joined.
 */
export function withoutInnerArticle(letters: string): string {
  if (letters.startsWith(`${servant}ال`) && letters !== servant + god && letters.length > 6)
    return servant + letters.slice(5);
  if (letters.endsWith(faith) && letters.length > faith.length) return `${letters.slice(0, -faith.length)}دين`;
  return letters;
}

/** How many words from the first on are one name: "عبد ال عزيز", "نصر الله", "شمس ال دين". */
export function arabicCompound(first: string, second: string | undefined, third: string | undefined): number {
  if (second === undefined) return 1;
  if (first === servant) return second === "ال" && third !== undefined ? 3 : 2;
  if (first === "ال" || smallWords.has(first)) return 1;
  if (second === "ال" && third === "دين") return 3;
  return second === god ? 2 : 1;
}

/** The letters of such a name, without its article. */
export function joinedArabic(parts: readonly string[]): string {
  return withoutInnerArticle(
    parts
      .join("")
      .replace(/^(عبد)ال(?!له$)/, "$1")
      .replace(/الدين$/, "دين"),
  );
}
