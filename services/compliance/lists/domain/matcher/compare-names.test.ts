import { arabicCompound } from "../../../../kernel/names/arabic-words.js";
import { compareNames } from "../../../../kernel/names/compare-names.js";
import { shippedThreshold } from "./index.js";

const same: readonly [string, string][] = [
  ["Maria Lopez Garcia", "MARIA LÓPEZ GARCÍA"],
  ["Ivan Petrov", "Иван Петров"],
  ["Petrov, Ivan", "Ivan Petrov"],
  ["Ivan Petrov", "I\u200Bvan\u202E Petrov"],
  ["Abdurrahman Nasser", "Abd al-Rahman Nasser"],
];

it.each(same)("%s and %s are the same name", (ours, theirs) => {
  expect(compareNames(ours, theirs, "PERSON").score).toBeGreaterThanOrEqual(950);
});

it("legal forms that answer to each other are one", () => {
  const { score, parts } = compareNames('ООО "Северный ветер"', "Severnyy Veter LLC", "COMPANY");
  expect(score).toBe(1000);
  expect(parts.map((part) => part.part)).toContain("COMPANY_FORM");
});

it("another family name is another person", () => {
  expect(compareNames("Maria Lopez", "Maria Hernandez", "PERSON").score).toBeLessThan(700);
});

it("the effects of the parts add up to the score", () => {
  for (const [ours, theirs] of [
    ...same,
    ["Jon A. Smyth", "John Adam Smith"],
    ["Anna Maria Berg", "Ana Berg"],
  ] as const) {
    const { score, parts } = compareNames(ours, theirs, "PERSON");
    expect(parts.reduce((sum, part) => sum + part.effect, 0)).toBe(score);
  }
});

it("names that nobody bears are compared without an error", () => {
  const hostile = [
    "",
    " ",
    "\u200B",
    "😀😀",
    "a",
    "\uD800",
    "x".repeat(10_000),
    "a b ".repeat(5_000),
    "\u202E".repeat(9_000),
    "ﷺ".repeat(600),
  ];
  for (const ours of hostile) {
    for (const theirs of hostile) {
      for (const kind of ["PERSON", "COMPANY", "UNKNOWN"] as const) {
        expect(compareNames(ours, theirs, kind).score).toBeLessThanOrEqual(1000);
      }
    }
  }
});

describe("letters that look alike", () => {
  const note = "letters that look alike";
  it.each([
    ["Lisu", "ꓳꓢꓮꓟꓮ ꓡꓮꓓꓰꓠ", "Osama Laden"],
    ["Cherokee", "ᎷᎪᎡᏞᎪ ᏀᎪᎳᎪ", "Marla Gawa"],
    ["Armenian", "օՏօ ՏօօՏօ", "oSo SooSo"],
    ["Cyrillic in small letters", "раѵеӏ реѕсо", "Pavel Pesco"],
    ["Cyrillic in capitals", "АВЕАНА СТОМАЕ", "Abeaha Ctomae"],
    ["Greek in capitals", "ΑΒΙΚΑ ΖΟΜΕΤΟ", "Abika Zometo"],
    ["one word of two", "Osama ꓡꓮꓓꓰꓠ", "LADEN, Osama"],
    ["Arabic names of two words", "ꓮꓐꓓꓴꓡ ꓣꓮꓧꓟꓮꓠ ꓟꓴꓢꓮ", "Abdulrahman Musa"],
    ["Latin letters in print", "Osarna vvalid", "Osama Walid"],
    ["Cyrillic that a list has", "Poca Bepa", "Роса Вера"],
  ])("%s: %s is %s, and the hit says so", (_, ours, theirs) => {
    const { parts, score } = compareNames(ours, theirs, "PERSON");
    expect(score).toBeGreaterThanOrEqual(940);
    expect(parts.filter((part) => part.note === note)).not.toHaveLength(0);
  });

  it("a name of other letters is still compared as it sounds", () => {
    const { parts, score } = compareNames("Роса Вера", "Rosa Vera", "PERSON");
    expect(score).toBe(1000);
    expect(parts.every((part) => part.note === undefined)).toBe(true);
    expect(compareNames("Müller Øster", "Muller Oster", "PERSON").parts.every(({ note }) => note === undefined)).toBe(
      true,
    );
  });
});

describe("names without their vowels", () => {
  it("words that are one name are taken together", () => {
    expect([
      arabicCompound("عبد", "ال", "عزيز"),
      arabicCompound("عبد", "الله", undefined),
      arabicCompound("شمس", "ال", "دين"),
      arabicCompound("نصر", "الله", "محمد"),
      arabicCompound("محمد", "علي", undefined),
    ]).toEqual([3, 2, 3, 2, 1]);
  });

  it.each([
    ["محمد", "Muhammad"],
    ["عمر محمود الفياض الكبيسي", "Umar Mahmud al-Fayyad al-Kubaysi"],
    ["برزان عبد الغفور سليمان مجيد", "Barzan Abd al-Ghafur Sulaiman Majid"],
    ["نصر الله بن عبد الله", "Nasrallah bin Abdullah"],
    ["نصرالله عبدالله", "Nasr Allah Abdallah"],
    ["رحمت الله شاه نواز", "Rahmatullah Shah Nawaz"],
    ["شمس الدین حقانی", "Shamsuddin Haqqani"],
    ["سيف الدين المشهداني", "Saif-al-Din al-Mashhadani"],
    ["محمدعلی جعفری", "Mohammad Ali Jafari"],
    ["جمال سعيد", "Gamal Said"],
    ["عثمان الغامدي", "Othman Alghamdi"],
    ["سيد پرويز فتاح", "Seyed Parviz Fattah"],
    ["יוסף כהן", "Yosef Kohen"],
  ])("%s is %s", (ours, theirs) => {
    expect(compareNames(ours, theirs, "PERSON").score).toBeGreaterThanOrEqual(shippedThreshold);
    expect(compareNames(theirs, ours, "PERSON").score).toBeGreaterThanOrEqual(shippedThreshold);
  });

  it.each([
    ["عمر حسن", "Amr Hasan"],
    ["عمر حسن", "Mr. Hasan"],
    ["محمد سالم", "Mahmud Salim"],
    ["حسن كريم", "Hussein Karim"],
    ["خالد رشيد", "Hamid Rashid"],
    ["حسن مراد", "Hasan Mirza"],
  ])("%s is not %s", (ours, theirs) => {
    expect(compareNames(ours, theirs, "PERSON").score).toBeLessThan(shippedThreshold);
  });

  it("vowels that are missing cost once a name, not once a word", () => {
    const lost = (ours: string, theirs: string) => 1000 - compareNames(ours, theirs, "PERSON").score;
    expect(lost("برزان سبعاوي حسن التكريتي", "Barzan Sabawi Hasan al-Tikriti")).toBe(
      lost("برزان التكريتي", "Barzan al-Tikriti"),
    );
  });
});

describe("names as they are written elsewhere", () => {
  it.each([
    ["Md Karim", "Mohammed Karim"],
    ["Mohd. Karim", "Muhammad Karim"],
    ["Muhd Karim", "Mohammed Karim"],
    ["Moh. Karim", "Mohammed Karim"],
    ["Muh. Karim", "Mohammed Karim"],
    ["Karim Farouk MD", "Karim Farouk"],
    ["S. R. Venkataraman", "Srinivasa Raghavan Venkataraman"],
    ["S.R. Venkataraman", "S. R. Venkataraman"],
    ["J.-C. Jelinek", "Jean-Claude Jelinek"],
    ["JC Jelinek", "J. C. Jelinek"],
    ["Ri Yong Ho", "Lee Yong Ho"],
    ["Yi Yong Ho", "Ri Yong Ho"],
    ["Chan Tai Man", "Chen Tai Man"],
    ["Teng Hsiao Wei", "Deng Xiao Wei"],
    ["Mao Tse-tung", "Mao Zedong"],
    ["Tse-tung Mao", "MAO, Ze Dong"],
    ["Chiang Kai-shek", "Jiang Jieshi"],
    ["Teng Hsiao-p'ing", "Deng Xiaoping"],
    ["Sun Yat-sen", "Sun Yixian"],
    ["Chan Wing-kuen", "Chen Yongquan"],
    ["Lee Kwok-keung", "Li Guoqiang"],
    ["Chou Chung-hsien", "Zhou Zhongxian"],
  ])("%s is %s", (ours, theirs) => {
    expect(compareNames(ours, theirs, "PERSON").score).toBeGreaterThanOrEqual(shippedThreshold);
    expect(compareNames(theirs, ours, "PERSON").score).toBeGreaterThanOrEqual(shippedThreshold);
  });

  it.each([
    ["Mao Tse-tung", "Mao Zemin"],
    ["Lee Kwok-keung", "Li Guoping"],
    ["Chan Wing-kuen", "Chen Weiming"],
  ])("%s is not %s", (ours, theirs) => {
    expect(compareNames(ours, theirs, "PERSON").score).toBeLessThan(shippedThreshold);
  });

  it("Yong is not Jong", () => {
    expect(compareNames("Kim Yong Un", "Kim Jong Un", "PERSON").score).toBeLessThan(shippedThreshold);
  });

  it.each([
    ["Brigade Fourty-Four", "Brigade 44"],
    ["Brigade Forty 4", "Brigade 44"],
    ["DrakonAG", "Drakon AG"],
    ["OOORomashka", "OOO Romashka"],
    ["Drakon JointStock Company", "Drakon JSC"],
  ])("%s is %s, a company", (ours, theirs) => {
    expect(compareNames(ours, theirs, "COMPANY").score).toBeGreaterThanOrEqual(950);
  });
});
