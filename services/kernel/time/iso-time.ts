/**
 * An ISO 8601 time as it is, with Z where it names no offset: such a time is UTC. A date alone is
 * left alone.
 */
export function asUtc(text: string): string {
  return /T[\d:.,]+$/i.test(text) ? `${text}Z` : text;
}
