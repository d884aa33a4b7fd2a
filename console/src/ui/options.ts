import { inWords } from "./words";

/** Codes of the API as options of a select, in words. */
export const worded = (codes: readonly string[]) => codes.map((value) => ({ value, label: inWords(value) }));

/** Options of a select that read as they are: currencies, countries. */
export const plain = (values: readonly string[]) => values.map((value) => ({ value, label: value }));

/**
 * With the value that holds now: a select whose options come later would else show its first one.
 */
export function withCurrent(options: readonly { value: string; label: string }[], current: string) {
  const isThere = current === "" || options.some(({ value }) => value === current);
  return isThere ? options : [...options, { value: current, label: current }];
}
