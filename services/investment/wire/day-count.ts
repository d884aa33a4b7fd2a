import { invalidInput } from "../../kernel/refusal.js";
import type { InvestmentDayCount } from "../domain/interest.js";

/** The API's words for investments; of a loan THIRTY_360 is bond basis. */
const words: Readonly<Record<InvestmentDayCount, string>> = {
  "ACT/365 FIXED": "ACT_365",
  "ACT/360": "ACT_360",
  "ACT/ACT ISDA": "ACT_ACT",
  "30E/360": "THIRTY_360",
};

const conventions = Object.keys(words) as InvestmentDayCount[];

/** The convention that a word of the API means. Refuses INVALID_INPUT at the path. */
export function dayCountFromWire(text: string, path: string): InvestmentDayCount {
  const found = conventions.find((convention) => words[convention] === text);
  if (found === undefined) throw invalidInput(path, `must be one of ${Object.values(words).join(", ")}`);
  return found;
}

/** The API's word for a convention. */
export function dayCountToWire(convention: InvestmentDayCount): string {
  return words[convention];
}
