/** What every source of rates is told beside where it is. */
export const fxSettings = {
  everyMinutes: { type: "integer", minimum: 5, maximum: 1_440, default: 60, title: "Asked every so many minutes" },
  validForMinutes: {
    type: "integer",
    minimum: 5,
    maximum: 20_160,
    title: "How long a rate holds, minutes; eight times as long as between two readings where it is absent",
  },
  guardPercent: {
    type: "integer",
    minimum: 1,
    maximum: 100,
    default: 5,
    title: "A rate that jumps by more percent waits for a person",
  },
  staleAfterMinutes: {
    type: "integer",
    minimum: 5,
    maximum: 20_160,
    title: "Alarm after so many minutes without rates; three times as long as between two readings where it is absent",
  },
  timeoutMs: {
    type: "integer",
    minimum: 100,
    maximum: 30_000,
    default: 10_000,
    title: "How long an answer is waited for, ms",
  },
} as const;

/** Pairs of currencies by name, such as "EUR-NGN": units of the second for one of the first. */
export const fxPairs = {
  type: "array",
  items: { type: "string", pattern: "^[A-Z]{3}-[A-Z]{3}$" },
  minItems: 1,
  maxItems: 500,
  uniqueItems: true,
} as const;
