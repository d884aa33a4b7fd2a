import type { Places } from "../partner/bound.js";

interface Waiting {
  waitsFor?: string;
}

export type WaitingRows = ReturnType<typeof createWaitingRows>;

/**
 * The partners that a relay's rows wait for. A look passes over the rows of one that has no place
 * free in this process, or thousands of them would be taken each second to be put off again, and
 * takes no more rows of another than may be called.
 */
export function createWaitingRows() {
  const partners = new Map<string, Places>();
  return {
    /** A row was put off. */
    note: (places: Places): void => void partners.set(places.key, places),
    areThere: (): boolean => partners.size > 0,
    /** Keys of the partners whose rows are passed over. */
    full: (): string[] => [...partners.values()].filter(({ free }) => free() <= 0).map(({ key }) => key),
    /** Those rows that have a place, in their order: one that waits for nobody, or for whom this process does not know. */
    withPlace<Row extends Waiting>(rows: readonly Row[]): Row[] {
      const left = new Map([...partners.values()].map(({ key, free }) => [key, free()]));
      return rows.filter(({ waitsFor }) => {
        const places = waitsFor === undefined ? undefined : left.get(waitsFor);
        if (waitsFor === undefined || places === undefined) return true;
        left.set(waitsFor, places - 1);
        return places > 0;
      });
    },
    /** Forgets partners with places that none of the due rows waits for. */
    forgetOthers(waitingFor: readonly (string | undefined)[]): void {
      const wanted = new Set(waitingFor);
      for (const { key, free } of partners.values()) if (free() > 0 && !wanted.has(key)) partners.delete(key);
    },
  };
}
