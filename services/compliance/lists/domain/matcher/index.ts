/** Compares people and companies with lists. Pure: no clock, no store. */
export { createIndexBuilder, type ListIndex, type ListIndexBuilder } from "./list-index.js";
export { searchIndex, type SearchOptions } from "./search.js";

/** Per mille: where a hit begins unless a tenant says otherwise. */
export const shippedThreshold = 785;
