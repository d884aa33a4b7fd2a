import { invalidInput } from "../../kernel/refusal.js";
import type { LoanDayCount } from "../domain/schedule.js";

/** The API's words for loans; of an investment THIRTY_360 is 30E/360. */
const words: Readonly<Record<LoanDayCount, string>> = {
  "30/360 BOND BASIS": "THIRTY_360",
  "ACT/360": "ACTUAL_360",
  "ACT/365 FIXED": "ACTUAL_365",
  "ACT/ACT ISDA": "ACTUAL_ACTUAL",
};

const conventions = Object.keys(words) as LoanDayCount[];

/** The convention that a word of the API means. Refuses INVALID_INPUT at the path. */
export function dayCountFromWire(text: string, path: string): LoanDayCount {
  const found = conventions.find((convention) => words[convention] === text);
  if (found === undefined) throw invalidInput(path, `must be one of ${Object.values(words).join(", ")}`);
  return found;
}

/** The API's word for a convention. */
export function dayCountToWire(convention: LoanDayCount): string {
  return words[convention];
}
