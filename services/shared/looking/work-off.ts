export interface Due<T> {
  /** Takes one that is due; undefined where none is. */
  take: () => Promise<T | undefined>;
  work: (due: T) => Promise<void>;
  /** How many are worked on at the same time. */
  atOnce: number;
}

/** Works off what is due. Where nothing is, it has looked once. */
export async function workOff<T>({ take, work, atOnce }: Due<T>): Promise<void> {
  const oneByOne = async (taken?: T) => {
    for (let due = taken ?? (await take()); due !== undefined; due = await take()) await work(due);
  };
  const first = await take();
  if (first === undefined) return;
  await Promise.all([oneByOne(first), ...Array.from({ length: atOnce - 1 }, () => oneByOne())]);
}
