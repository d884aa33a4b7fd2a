export interface ScreeningFigures {
  /** Transactions. */
  waiting: number;
  /** People. */
  behind: number;
}

/** What the operator loads for everybody. */
export const publishedLists = ["OFAC_SDN", "EU", "UN", "UK"];

export interface ListAge {
  source: string;
  tenants: "live" | "sandbox";
  ageS: number;
}

export interface OutboxFigures {
  oldestDueS: number;
  parked: number;
}

export type ReadOutboxFigures = () => Promise<OutboxFigures>;
