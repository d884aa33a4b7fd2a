import type { Places } from "../batching/bound.js";

interface Waited {
  places: Places;
  /** Rows that waited for it, were taken and have not ended. */
  running: number;
}

export type WaitingRows = ReturnType<typeof createWaitingRows>;

/**
 * The partners that a relay's rows wait for. Looks pass over the rows of one that has no room in
 * this process, or thousands of them would be taken again and again to be put off.
 */
export function createWaitingRows() {
  const partners = new Map<string, Waited>();
  // Between the taking of a row and its call there is time, in which its place looks free.
  const room = ({ places, running }: Waited) => Math.max(0, Math.min(places.free(), places.most - running));
  const rooms = () => [...partners].map(([key, waited]) => ({ key, room: room(waited) }));
  return {
    /** A row was put off. */
    note(places: Places): void {
      partners.set(places.key, { places, running: partners.get(places.key)?.running ?? 0 });
    },
    areThere: (): boolean => partners.size > 0,
    /** Whom this process may call, and how often. */
    withRoom: (): { key: string; room: number }[] => rooms().filter((one) => one.room > 0),
    /**
     * A row that fell due while it waits: to be taken as any other (GO), by the room of its partner
     * (WAIT), or to be passed over. Behind a breaker that is open it may find another partner.
     */
    verdictOn(key: string | undefined): "GO" | "WAIT" | "PASS_OVER" {
      const waited = key === undefined ? undefined : partners.get(key);
      if (waited === undefined || waited.places.isShut()) return "GO";
      return room(waited) > 0 ? "WAIT" : "PASS_OVER";
    },
    /** A row was taken that waited for it; `ended` must follow. */
    took(key: string): void {
      const waited = partners.get(key);
      if (waited !== undefined) waited.running += 1;
    },
    ended(key: string): void {
      const waited = partners.get(key);
      if (waited !== undefined && waited.running > 0) waited.running -= 1;
    },
    /** No row waits for it any more. */
    forget(key: string): void {
      if (partners.get(key)?.running === 0) partners.delete(key);
    },
  };
}
