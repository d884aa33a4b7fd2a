// Between two letters of these scripts a joiner changes how they are written, and belongs to names.
const joinedScripts = ["Arabic", "Syriac", "Devanagari", "Bengali", "Gurmukhi", "Gujarati", "Oriya", "Tamil", "Telugu"]
  .concat(["Kannada", "Malayalam", "Sinhala", "Khmer", "Myanmar", "Mongolian"])
  .map((script) => `\\p{Script=${script}}`)
  .join("");
const joiner = `(?<=[${joinedScripts}])[\\u200c\\u200d](?=[${joinedScripts}])`;
const joiners = new RegExp(joiner, "gu");

// Control and format characters (zero-width and bidirectional ones too), private use, halves of
// pairs, line ends, and what is drawn as nothing.
const hidden = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;
const joinerOrHidden = new RegExp(`(${joiner})|${hidden.source}`, "gu");
const spaces = /[\s\u0085]+/gu;

/** Whether a text has characters that nobody sees, or that turn its order round. Pure. */
export function hasHiddenCharacters(text: string): boolean {
  return hidden.test(text.replaceAll(joiners, ""));
}

/** The text without characters that nobody sees, in one line with single spaces. Pure. */
export function visibleText(text: string): string {
  return text.replaceAll(spaces, " ").replaceAll(joinerOrHidden, "$1").replaceAll(/ {2,}/g, " ").trim();
}

// These letters are drawn as Latin ones are.
const cyrillicOrGreekAsLatin = /^[асԁеһіјӏорԛѕԝхуъЬҽпгѵѡкмтвнзбαινοπρτυχωγκ\d-]+$/iu;

/**
 * Whether a label of a domain is made of letters of another script that look like Latin ones, all
 * of them. Pure.
 */
export function looksLatin(label: string): boolean {
  return /[^\d-]/.test(label) && cyrillicOrGreekAsLatin.test(label);
}
