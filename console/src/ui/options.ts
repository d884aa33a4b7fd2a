import { inWords } from "./words";

/** Codes of the API as options of a select, in words. */
export const worded = (codes: readonly string[]) => codes.map((value) => ({ value, label: inWords(value) }));

/** Options of a select that read as they are: currencies, countries. */
export const plain = (values: readonly string[]) => values.map((value) => ({ value, label: value }));
