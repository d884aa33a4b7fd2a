import { isMasked, type KeyValue } from "./credit-party.js";

const shownCharacters = 3;

/** As answers show it: of personal data only the end. */
export function maskedParty(party: readonly KeyValue[]): KeyValue[] {
  return party.map(({ key, value }) => ({ key, value: isMasked(key) ? masked(value) : value }));
}

/** A party that repeats what an answer showed means what is stored. */
export function unmaskedParty(given: readonly KeyValue[], stored: readonly KeyValue[]): KeyValue[] {
  return given.map((pair) => {
    const own = isMasked(pair.key) ? stored.find(({ key }) => key === pair.key) : undefined;
    return own !== undefined && pair.value === masked(own.value) ? own : pair;
  });
}

function masked(value: string): string {
  const shown = value.length > 2 * shownCharacters ? value.slice(-shownCharacters) : "";
  return `*****${shown}`;
}
