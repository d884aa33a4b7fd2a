import { AsyncLocalStorage } from "node:async_hooks";

export interface BatcherOptions<Member> {
  /** In one group: members, or what weightOf makes of them. */
  readonly maxBatchSize: number;
  /** What a member counts for in maxBatchSize; 1 when absent. */
  weightOf?(member: Member): number;
  /** Groups of one lane at a time. */
  readonly maxInFlight: number;
  /** A group is no smaller than this while more wait: what waits is parted among the groups that may be under way. */
  readonly minBatchSize: number;
  /** How long a group holds back the next one at most, ms; 250 when absent. One that waits for a lock or a server does not keep all others waiting. */
  readonly maxHoldMs?: number;
  /** When so many members wait they are not held back: as many groups of the lane may then be under way; maxInFlight when absent. */
  readonly enough?: { readonly members: number; readonly maxInFlight: number };
  /** Works on a group and answers its members itself. */
  run(lane: string, members: Member[]): Promise<void>;
}

interface Lane<Member> {
  readonly waiting: Member[];
  underWay: number;
  isScheduled: boolean;
}

/**
 * Brings those together who come at the same time: who comes while a lane has its groups under way goes with its next one. A lone one goes
 * at once, with all who come in the same turn of the event loop.
 */
export function createBatcher<Member>(options: BatcherOptions<Member>) {
  const { maxBatchSize, maxInFlight, minBatchSize, maxHoldMs = 250, enough, weightOf = () => 1, run } = options;
  const lanes = new Map<string, Lane<Member>>();
  // A group is nobody's request: it has no part in the first one's trace.
  const outside = AsyncLocalStorage.snapshot();

  function laneOf(name: string): Lane<Member> {
    const lane = lanes.get(name) ?? { waiting: [], underWay: 0, isScheduled: false };
    lanes.set(name, lane);
    return lane;
  }

  function schedule(name: string, lane: Lane<Member>): void {
    const isEnough = enough !== undefined && lane.waiting.length >= enough.members;
    if (lane.isScheduled || lane.underWay >= (isEnough ? enough.maxInFlight : maxInFlight)) return;
    lane.isScheduled = true;
    outside(setImmediate, () => {
      lane.isScheduled = false;
      if (lane.waiting.length > 0) void go(name, lane);
      else if (lane.underWay === 0) lanes.delete(name);
    });
  }

  /** How many of them, from the front, one group may hold; one at least. */
  function fitting(waiting: readonly Member[]): number {
    let weight = 0;
    const end = waiting.findIndex((member) => (weight += weightOf(member)) > maxBatchSize);
    return end < 0 ? waiting.length : Math.max(1, end);
  }

  async function go(name: string, lane: Lane<Member>): Promise<void> {
    const { waiting } = lane;
    const share = Math.max(minBatchSize, Math.ceil(waiting.length / maxInFlight));
    const members = waiting.splice(0, Math.min(share, fitting(waiting)));
    lane.underWay += 1;
    let holds = true;
    const letGo = () => {
      if (!holds) return;
      holds = false;
      lane.underWay -= 1;
      schedule(name, lane);
    };
    const timer = setTimeout(letGo, maxHoldMs);
    if (waiting.length > 0) schedule(name, lane);
    try {
      await run(name, members);
    } finally {
      clearTimeout(timer);
      letGo();
    }
  }

  return {
    join(name: string, member: Member): void {
      const lane = laneOf(name);
      lane.waiting.push(member);
      schedule(name, lane);
    },
  };
}
