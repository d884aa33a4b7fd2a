// Frequent given names, each with what it is in Latin letters; what
// stands here is no other of them.
const names: readonly string[] = [
  "محمد muhammad mohammad mohammed mohamed mohamad muhammed muhamed muhamad mohd muhd md mehmet mohamud",
  "محمود mahmud mahmoud mahmood mehmood mahmut",
  "احمد ahmad ahmed ahmet",
  "حامد hamid hamed haamid",
  "حميد hamid hameed hamied",
  "حسن hasan hassan hassen hasen",
  "حسين husayn hussein husain hussain hossein hosein husein hussayn hoseyn hocine hossain hussien",
  "علي ali aly aliy",
  "عمر umar omar omer oumar amor amar umer",
  "عمرو amr amro amrou",
  "عامر amir amer aamir aamer",
  "امير amir emir ameer amer",
  "عثمان uthman othman osman usman othmane ousmane usmaan",
  "عيسى isa issa eisa essa aissa eissa",
  "عيسي isa issa eisa essa aissa eissa",
  "موسى musa moussa mousa moosa mosa",
  "موسي musa moussa mousa moosa mosa",
  "يحيى yahya yahia yehya yahiya yehia",
  "يحيي yahya yahia yehya yahiya yehia",
  "يوسف yusuf yousef youssef yousuf yusef yossef yousif yusif yousaf youcef yosef",
  "ابراهيم ibrahim ebrahim ibraheem brahim",
  "اسماعيل ismail ismael esmail ismaeel esmaeil ismaiel",
  "مصطفى mustafa mostafa moustafa mustapha mostapha mustafah",
  "مصطفي mustafa mostafa moustafa mustapha mostapha mustafah",
  "سعيد said saeed saeid sayeed sayid saiid sa'id",
  "سعد saad sad saed",
  "سالم salim salem saalim",
  "سليم salim saleem selim slim",
  "سليمان sulayman suleiman sulaiman soleiman soleyman soliman sulaymaan",
  "صالح salih saleh salah salah saleh",
  "صلاح salah saleh",
  "خالد khalid khaled chalid haled",
  "خليل khalil khaleel",
  "جمال jamal gamal djamal jamaal djamel",
  "جميل jamil jameel gamil djamil",
  "كريم karim kareem",
  "رشيد rashid rasheed rachid",
  "راشد rashid rashed rached",
  "ماجد majid majed magid",
  "مجيد majid majeed",
  "ناصر nasir nasser naser nacer naseer",
  "نصر nasr nasser",
  "طارق tariq tarek tareq tarik",
  "ياسر yasir yasser yaser",
  "ياسين yasin yassin yaseen yassine",
  "فاطمه fatima fatimah fatemeh fatma",
  "فاطمة fatima fatimah fatemeh fatma",
  "مريم maryam mariam miriam meryem",
  "رضا rida reza ridha redha riza",
  "جعفر jafar jaafar gafar djafar jaffar",
  "طه taha",
  "نور nur noor nour",
  "مسعود masud masoud massoud masood mesud",
  "داود dawud daoud dawood davoud daud",
  "زين zayn zain zein",
  "زيد zayd zaid zeid",
  "الله allah ullah ollah",
  "عبدالله abdallah",
];

const ofLetters = new Map<string, ReadonlySet<string>>();
const known = new Set<string>();
for (const row of names) {
  const [letters = "", ...latin] = row.replaceAll("ك", "ک").split(" ");
  ofLetters.set(letters, new Set(latin));
  for (const name of latin) known.add(name);
}

/** Whether a frequent name of Arabic letters is written so in Latin ones. */
export function isSameArabicName(letters: string, latin: string): boolean {
  return ofLetters.get(letters)?.has(latin) === true;
}

/** Whether a frequent name is another one in Latin letters. */
export function isOtherArabicName(letters: string, latin: string): boolean {
  return ofLetters.has(letters) && known.has(latin) && !isSameArabicName(letters, latin);
}
