import type { Tried } from "./attempts.js";

// Of one process. Each attempt that is under way holds an event of some kilobytes.
const maxInAll = 1_024;
const first = 16;
const most = 64;
const fewest = 2;
/** An answer that takes so long is as bad as none: it holds a slot, ms. */
const slowMs = 2_000;
const maxRemembered = 10_000;

interface Lane {
  running: number;
  slots: number;
}

/**
 * How many attempts of an endpoint may be under way: more with every answer that comes soon, half
 * of them with one that is slow or missing.
 */
export function createSlots() {
  const lanes = new Map<string, Lane>();
  let total = 0;

  function laneOf(endpointId: string): Lane {
    const known = lanes.get(endpointId);
    if (known !== undefined) return known;
    if (lanes.size >= maxRemembered) forgetIdle();
    const fresh = { running: 0, slots: first };
    lanes.set(endpointId, fresh);
    return fresh;
  }

  function forgetIdle(): void {
    for (const [endpointId, { running }] of lanes) if (running === 0) lanes.delete(endpointId);
  }

  const isFull = ({ running, slots }: Lane) => running >= slots;

  return {
    hasRoom: (): boolean => total < maxInAll,
    /** Endpoints that have none left. */
    full: (): string[] => [...lanes].filter(([, lane]) => lane.running > 0 && isFull(lane)).map(([id]) => id),
    roomFor(endpointId: string): number {
      const { running, slots } = laneOf(endpointId);
      return Math.min(slots - running, maxInAll - total);
    },
    /** Takes up to so many slots; how many. Each is given back by `give` or by `release`. */
    reserve(endpointId: string, wanted: number): number {
      const room = Math.max(0, Math.min(wanted, this.roomFor(endpointId)));
      laneOf(endpointId).running += room;
      total += room;
      return room;
    },
    /** Gives back what was reserved for attempts that did not begin. */
    release(endpointId: string, count: number): void {
      laneOf(endpointId).running -= count;
      total -= count;
    },
    /** After an attempt; whether somebody waits for the slot. */
    give(endpointId: string, tried: Tried | undefined): boolean {
      const lane = laneOf(endpointId);
      const wasFull = isFull(lane) || total >= maxInAll;
      lane.running -= 1;
      total -= 1;
      if (tried !== undefined) lane.slots = slotsAfter(lane.slots, tried);
      return wasFull;
    },
  };
}

function slotsAfter(slots: number, { attempt, verdict }: Tried): number {
  if (verdict === "UNSENT") return slots;
  const isGood = attempt.status !== undefined && attempt.durationMs < slowMs;
  return isGood ? Math.min(most, slots + 1) : Math.max(fewest, Math.floor(slots / 2));
}
