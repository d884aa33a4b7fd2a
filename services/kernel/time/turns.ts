import { channel } from "node:diagnostics_channel";
import { setImmediate as nextTurn } from "node:timers/promises";

/** What is told of each turn that work has had: which work it was, and how many units. */
export interface TurnEnd {
  work: string;
  units: number;
}

/** Tells every turn's end to whoever counts them; nobody does but tests and benches. */
export const turnEnds = channel("manilla.turn");

export interface Turns {
  /**
   * Notes work that was done, in units; gives the event loop's turn up
   * where the turn has had its units.
   */
  spent(units?: number): Promise<void>;
  /** Ends the work: what the last turn had is told, too. */
  end(): void;
}

/**
 * Divides work whose size a caller decides into turns of the event loop, so that others'
 * calls go on meanwhile. `unitsPerTurn` is of what the work counts: rows, words or bytes;
 * choose what takes about 10 ms.
 */
export function createTurns(work: string, unitsPerTurn: number): Turns {
  let units = 0;
  const end = () => {
    if (units > 0 && turnEnds.hasSubscribers) turnEnds.publish({ work, units } satisfies TurnEnd);
    units = 0;
  };
  return {
    async spent(more = 1) {
      units += more;
      if (units < unitsPerTurn) return;
      end();
      await nextTurn();
    },
    end,
  };
}

/** What `make` makes of each item, in order, each counted as one unit or as `unitsOf` says. */
export async function mapInTurns<Item, Made>(
  items: readonly Item[],
  make: (item: Item, index: number) => Made,
  turns: { work: string; perTurn: number; unitsOf?: (item: Item) => number },
): Promise<Made[]> {
  const { spent, end } = createTurns(turns.work, turns.perTurn);
  const made: Made[] = [];
  for (const [index, item] of items.entries()) {
    made.push(make(item, index));
    await spent(turns.unitsOf?.(item) ?? 1);
  }
  end();
  return made;
}
