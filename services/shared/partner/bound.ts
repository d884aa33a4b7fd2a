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
