import { languageStore, type Language } from "./language";

const separators: Record<Language, { group: string; point: string }> = {
  en: { group: ",", point: "." },
  // Narrow no-break spaces, as French is set.
  fr: { group: "\u202f", point: "," },
};

/** Decimal text with its thousands grouped, digit by digit: no amount passes through a number. */
export function grouped(text: string, language: Language): string {
  const { group, point } = separators[language];
  const [, sign = "", whole = "", , fraction] = /^(-?)(\d+)(\.(\d+))?$/.exec(text) ?? [];
  if (whole === "") return text;
  const thousands = whole.replaceAll(/\B(?=(\d{3})+$)/g, group);
  return (sign && "\u2212") + thousands + (fraction === undefined ? "" : point + fraction);
}

/**
 * What a person typed as an amount, as decimal text; undefined where it is none. A comma is the
 * point of French and parts the thousands of English: "1,234" is not the same in both.
 */
export function typedAmount(text: string, language: Language = languageStore.get()): string | undefined {
  const plain = text.replaceAll(/[\s\u00a0\u202f]/g, "");
  const isGrouped = /^\d{1,3}(,\d{3})+(\.\d+)?$/.test(plain);
  const pointed = language === "fr" ? plain.replace(",", ".") : isGrouped ? plain.replaceAll(",", "") : plain;
  return /^(0|[1-9]\d*)(\.\d+)?$/.test(pointed) ? pointed : undefined;
}
