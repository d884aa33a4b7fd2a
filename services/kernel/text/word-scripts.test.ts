import { mixesScripts, scripts } from "./word-scripts.js";

it.each([
  "Osama bin Laden",
  "Усама бин Ладен",
  "ᎣᏌᎹ ᏆᏌ",
  "ꓳꓢꓮꓟꓮ ꓡꓮꓓꓰꓠ",
  "Օսամա Լադեն",
  "Ὀσάμα Λάντεν",
  "Ayşe Çelik-Øster d’Árbenz",
  "O'Brien Иван",
  "スズキ工業Co ソニーPSX",
  "株式会社ラーメンABC",
  "LG전자 李Kim",
  "ㄅㄆ李Li",
  "محمد‌رضا حُسَيْن",
  "ᬓᬶ ʻOkina",
])("%s has words of one script, or of such as are written together", (text) => {
  expect(mixesScripts(text)).toBe(false);
});

it.each([
  ["Cyrillic", "Оsama bin Laden"],
  ["Greek", "Osama Λaden"],
  ["Armenian", "օsama"],
  ["Lisu", "ꓳsama"],
  ["Cherokee", "ᎳADEN"],
  ["Coptic", "Ⲟsama"],
  ["Georgian", "Ⴝaddam"],
  ["Hebrew", "סsama"],
  ["Canadian syllabics", "ᗪavid"],
  ["Cyrillic with Greek", "Оσама"],
  ["Han with Cyrillic", "李Иван"],
  ["Kana with Hangul", "カ전"],
  ["Bopomofo with Hangul", "ㄅ전"],
  ["behind a hyphen", "Al-Qаeda"],
])("a word that mixes scripts is told: %s", (_, text) => {
  expect(mixesScripts(text)).toBe(true);
});

it("knows the script of every letter", () => {
  const known = new RegExp(`[${["Common", ...scripts].map((script) => `\\p{scx=${script}}`).join("")}]`, "u");
  const unknown: string[] = [];
  for (let code = 0; code <= 0x10ffff; code++) {
    const letter = String.fromCodePoint(code);
    if (/\p{L}/u.test(letter) && !known.test(letter)) unknown.push(code.toString(16));
  }
  expect(unknown).toEqual([]);
});
