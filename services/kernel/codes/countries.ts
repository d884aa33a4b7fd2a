// This entry loads no names in eighty languages, as the main one does.
import countries from "i18n-iso-countries/index.js";

import { invalidInput } from "../refusal.js";

// Kosovo has no official code; payment networks use the user-assigned XKX, the library another.
const kosovo = new Map([
  ["XK", "XKX"],
  ["XKX", "XKX"],
]);

/**
 * ISO 3166-1 alpha-3 of an alpha-2 or alpha-3 code in any case. Refuses INVALID_INPUT at the path.
 */
export function toAlpha3(text: string, path: string): string {
  const found = find(text);
  if (found === undefined) throw invalidInput(path, "must be an ISO 3166-1 country code");
  return found;
}

/** ISO 3166-1 alpha-2 of an alpha-3 code that toAlpha3 gave. */
export function toAlpha2(alpha3: string): string {
  return alpha3 === "XKX" ? "XK" : (countries.alpha3ToAlpha2(alpha3) ?? "");
}

/** True for an alpha-2 or alpha-3 code in any case. */
export function isCountry(text: string): boolean {
  return find(text) !== undefined;
}

function find(text: string): string | undefined {
  if (!/^[A-Za-z]{2,3}$/.test(text)) return undefined;
  const code = text.toUpperCase();
  if (code.startsWith("XK")) return kosovo.get(code);
  if (code.length === 2) return countries.alpha2ToAlpha3(code);
  return countries.alpha3ToAlpha2(code) === undefined ? undefined : code;
}
