import { turnEnds, type TurnEnd } from "../../services/kernel/time/turns.js";

/** How many units each turn of the work had while `run` was done. */
export async function unitsOf(work: string, run: () => Promise<unknown>): Promise<number[]> {
  const units: number[] = [];
  const note = (end: unknown) => {
    if ((end as TurnEnd).work === work) units.push((end as TurnEnd).units);
  };
  turnEnds.subscribe(note);
  try {
    await run();
  } finally {
    turnEnds.unsubscribe(note);
  }
  return units;
}
