/**
 * What one word may be made of besides one script: the Highly Restrictive
 * level of UTS #39, section 5.2.
 */
const combinations: readonly (readonly string[])[] = [
  ["Latin", "Han", "Hiragana", "Katakana"],
  ["Latin", "Han", "Bopomofo"],
  ["Latin", "Han", "Hangul"],
];

/** Every script of Unicode 17, those of living languages first. */
export const scripts = (
  "Latin Arabic Cyrillic Greek Han Hangul Hiragana Katakana Bopomofo Hebrew Devanagari Bengali Thai Armenian Georgian Ethiopic " +
  "Tamil Telugu Kannada Malayalam Sinhala Gujarati Gurmukhi Oriya Khmer Lao Myanmar Tibetan Mongolian Syriac Thaana Cherokee " +
  "Canadian_Aboriginal Coptic Lisu Yi Tifinagh Nko Vai Adlam Bamum Osage Ogham Runic Old_Italic Gothic Deseret Tagalog Hanunoo " +
  "Buhid Tagbanwa Limbu Tai_Le Linear_B Ugaritic Shavian Osmanya Cypriot Braille Buginese New_Tai_Lue Glagolitic Syloti_Nagri " +
  "Old_Persian Kharoshthi Balinese Cuneiform Phoenician Phags_Pa Sundanese Lepcha Ol_Chiki Saurashtra Kayah_Li Rejang Lycian " +
  "Carian Lydian Cham Tai_Tham Tai_Viet Avestan Egyptian_Hieroglyphs Samaritan Javanese Meetei_Mayek Imperial_Aramaic " +
  "Old_South_Arabian Inscriptional_Parthian Inscriptional_Pahlavi Old_Turkic Kaithi Batak Brahmi Mandaic Chakma " +
  "Meroitic_Cursive Meroitic_Hieroglyphs Miao Sharada Sora_Sompeng Takri Caucasian_Albanian Bassa_Vah Duployan Elbasan Grantha " +
  "Pahawh_Hmong Khojki Linear_A Mahajani Manichaean Mende_Kikakui Modi Mro Old_North_Arabian Nabataean Palmyrene Pau_Cin_Hau " +
  "Old_Permic Psalter_Pahlavi Siddham Khudawadi Tirhuta Warang_Citi Ahom Anatolian_Hieroglyphs Hatran Multani Old_Hungarian " +
  "SignWriting Bhaiksuki Marchen Newa Tangut Masaram_Gondi Nushu Soyombo Zanabazar_Square Dogra Gunjala_Gondi Makasar " +
  "Medefaidrin Hanifi_Rohingya Sogdian Old_Sogdian Elymaic Nandinagari Nyiakeng_Puachue_Hmong Wancho Chorasmian Dives_Akuru " +
  "Khitan_Small_Script Yezidi Cypro_Minoan Old_Uyghur Tangsa Toto Vithkuqi Kawi Nag_Mundari Garay Gurung_Khema Kirat_Rai " +
  "Ol_Onal Sunuwar Todhri Tulu_Tigalari Sidetic Tai_Yo Tolong_Siki Beria_Erfe"
).split(" ");

// Extensions of scripts: a letter or mark that several scripts share is of each of them.
const wordOf = (allowed: readonly string[]) =>
  new RegExp(`^[${["Common", "Inherited", ...allowed].map((script) => `\\p{scx=${script}}`).join("")}]*$`, "u");
const allowedWords = [...scripts.map((script) => [script]), ...combinations].map(wordOf);

/**
 * Whether a word of the text has letters of scripts that no honest writer puts into one word. Pure.
 */
export function mixesScripts(text: string): boolean {
  if (/^[\0-\x7f]*$/.test(text)) return false;
  const words = text.split(/[^\p{L}\p{M}]+/u);
  return words.some((word) => !allowedWords.some((allowed) => allowed.test(word)));
}

/** What is said of a text that does. */
export const mixedScripts = "must not mix letters of several scripts in one word";
