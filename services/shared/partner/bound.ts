import { Refusal } from "../refusal.js";

/** As many calls as may be are under way at the partner: what was asked is asked later, and has not been tried. */
export class PartnerBusy extends Refusal {
  constructor() {
    super("UNAVAILABLE", "as many calls as may be are under way at this partner");
  }
}

/** Lets at most so many run at once; further ones are refused PartnerBusy and hold nothing up. */
export function createBound(most: number) {
  let underWay = 0;
  return {
    isFull: () => underWay >= most,
    async within<T>(work: () => Promise<T>): Promise<T> {
      if (underWay >= most) throw new PartnerBusy();
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
      const known = bounds.get(key) ?? { bound: createBound(most), users: 0 };
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
