/**
 * Decisions of a history, one after the other. Once they are used up everything goes well: 0 is the
 * benign choice.
 */
export interface Tape {
  /** 0 to n - 1. */
  choose(n: number): number;
  isOver(): boolean;
}

export function createTape(numbers: readonly number[]): Tape {
  let at = 0;
  return {
    choose(n) {
      const number = numbers[at++];
      return number === undefined ? 0 : number % n;
    },
    isOver: () => at >= numbers.length,
  };
}

/** A process of the world. What a killed one was about to do, it never does. */
export interface Process {
  readonly name: string;
  isDead: boolean;
}

interface Parked {
  process: Process;
  resume(): void;
}

export type Schedule = ReturnType<typeof createSchedule>;

/**
 * Every effect of a process waits for its turn, so that the history decides in which order the
 * effects of all processes happen, and between which two of them a process is killed.
 */
export function createSchedule() {
  let parked: Parked[] = [];
  return {
    /** Resolves when it is this process's turn; never, once the process is dead. */
    step(process: Process): Promise<void> {
      return new Promise((resume) => {
        if (!process.isDead) parked.push({ process, resume });
      });
    },
    waiting: () => parked.length,
    /** Lets the one at `index` go on, and waits until it waits for its turn again or has ended. */
    async release(index: number): Promise<void> {
      const [next] = parked.splice(index, 1);
      next?.resume();
      await settled();
    },
    kill(process: Process): void {
      process.isDead = true;
      parked = parked.filter((one) => one.process !== process);
    },
  };
}

/** Resolves once everything that can go on without a turn has done so. */
export function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
