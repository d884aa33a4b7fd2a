import { Refusal } from "../refusal.js";

/** A partner's places in this process. */
export interface Places {
  /** Names the partner, or the tenant where all its partners together have none left. */
  key: string;
  /** How many there are. */
  most: number;
  /** Calls that may begin at this moment. */
  free(): number;
  /** Its breaker lets nobody begin: whoever waits may find another partner meanwhile. */
  isShut(): boolean;
}

/**
 * As many calls as may be are under way at the partner: what was asked is asked
 * later, and has not been tried.
 */
export class PartnerBusy extends Refusal {
  readonly places: Places;

  constructor(places: Places) {
    super("UNAVAILABLE", "as many calls as may be are under way at this partner");
    this.places = places;
  }
}

export interface BoundOptions {
  /** A bound within which this one is. */
  around?: Bound;
  /** How many a breaker lets be under way at this moment. */
  lets?: () => number;
}

/**
 * Lets at most so many run at once, and no more than `around` and the breaker let; further ones are
 * refused PartnerBusy and hold nothing up.
 */
export function createBound(most: number, key: string, { around, lets = () => Infinity }: BoundOptions = {}): Bound {
  let underWay = 0;
  const free = () => Math.min(most, lets()) - underWay;
  const places: Places = {
    key,
    most,
    free: () => Math.max(0, Math.min(free(), around?.places.free() ?? most)),
    isShut: () => lets() <= underWay,
  };
  return {
    places,
    async within<T>(work: () => Promise<T>): Promise<T> {
      if (free() <= 0) throw new PartnerBusy(places);
      underWay += 1;
      try {
        return await (around === undefined ? work() : around.within(work));
      } finally {
        underWay -= 1;
      }
    },
  };
}

export interface Bound {
  readonly places: Places;
  within<T>(work: () => Promise<T>): Promise<T>;
}

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

/**
 * Of all partners of a tenant in a process: not even one with many that hang takes what relays run.
 */
export const mostCallsOfTenant = 12;
