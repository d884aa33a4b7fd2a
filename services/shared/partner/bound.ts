import { Refusal } from "../refusal.js";

/** A partner's places in this process. */
export interface Places {
  /** Names the partner. */
  key: string;
  /** Calls that may begin at this moment. */
  free(): number;
}

/** As many calls as may be are under way at the partner: what was asked is asked later, and has not been tried. */
export class PartnerBusy extends Refusal {
  readonly places: Places;

  constructor(places: Places) {
    super("UNAVAILABLE", "as many calls as may be are under way at this partner");
    this.places = places;
  }
}

/** Lets at most so many run at once; further ones are refused PartnerBusy and hold nothing up. */
export function createBound(most: number, key: string) {
  let underWay = 0;
  const places: Places = { key, free: () => most - underWay };
  return {
    places,
    async within<T>(work: () => Promise<T>): Promise<T> {
      if (underWay >= most) throw new PartnerBusy(places);
      underWay += 1;
      try {
        return await work();
      } finally {
        underWay -= 1;
      }
    },
  };
}

export type Bound = ReturnType<typeof createBound>;

/** The same for each key of many; one with nothing under way is forgotten. */
export function createBounds(most: number) {
  const bounds = new Map<string, { bound: Bound; users: number }>();
  return {
    async within<T>(key: string, work: () => Promise<T>): Promise<T> {
      const known = bounds.get(key) ?? { bound: createBound(most, key), users: 0 };
      bounds.set(key, known);
      known.users += 1;
      try {
        return await known.bound.within(work);
      } finally {
        known.users -= 1;
        if (known.users === 0) bounds.delete(key);
      }
    },
  };
}

/**
 * A quarter of what relays run at a time: a partner that hangs leaves the rest to others. Of one
 * installation in a process.
 */
export const mostCallsAtPartner = 8;
