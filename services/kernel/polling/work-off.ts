import type { Clock } from "../time/clock.js";

export interface Due<T> {
  clock: Clock;
  /** For how long one that is taken is nobody else's, in ms. */
  takenForMs: number;
  /** Takes one that is due, until then; undefined where none is. */
  take: (now: Date, until: Date) => Promise<T | undefined>;
  work: (due: T) => Promise<void>;
  /** How many are worked on at the same time. */
  atOnce: number;
  /** Takes no more where it is aborted. */
  signal: AbortSignal;
}

/** Works off what is due. Where nothing is, it has looked once. */
export async function workOff<T>({ clock, takenForMs, take, work, atOnce, signal }: Due<T>): Promise<void> {
  async function next(): Promise<T | undefined> {
    const now = clock.now();
    return signal.aborted ? undefined : take(now, new Date(now.getTime() + takenForMs));
  }
  const oneByOne = async (taken?: T) => {
    for (let due = taken ?? (await next()); due !== undefined; due = await next()) await work(due);
  };
  const first = await next();
  if (first === undefined) return;
  await Promise.all([oneByOne(first), ...Array.from({ length: atOnce - 1 }, () => oneByOne())]);
}
