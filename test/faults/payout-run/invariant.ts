/** What has to hold, how many it was checked for, and where it does not. */
export interface Invariant {
  readonly what: string;
  readonly checked: number;
  readonly broken: readonly string[];
}

/** Checks each item, and collects the faults. */
export function checkEach<T>(what: string, items: readonly T[], faultOf: (item: T) => string | undefined): Invariant {
  return { what, checked: items.length, broken: items.map(faultOf).filter((fault) => fault !== undefined) };
}
