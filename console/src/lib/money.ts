import type { Language } from "../i18n/language";

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

/** What a person typed as an amount, as decimal text; undefined where it is none. */
export function typedAmount(text: string): string | undefined {
  const plain = text.replaceAll(/[\s\u00a0\u202f]/g, "");
  // A comma is a point where it is the only one and no group of thousands stands after it.
  const pointed = /^\d+,\d{1,2}$/.test(plain) ? plain.replace(",", ".") : plain.replaceAll(/,(?=\d{3}(\D|$))/g, "");
  return /^(0|[1-9]\d*)(\.\d+)?$/.test(pointed) ? pointed : undefined;
}
