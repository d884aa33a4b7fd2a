import type { RateSourceSettings } from "./rate-source.js";

/** A tenant's source of rates, from its first test until it is gone. */
export interface RateFeed {
  tenantId: string;
  installationId: string;
  /** When it is looked at next; while somebody is at it, when somebody else may. */
  dueAt: Date;
  /** When it was asked last, whatever came of it. */
  triedAt?: Date;
  /** Readings that failed since the last one that did not. */
  failures: number;
  /** When rates were read last, and from which revision of the installation. */
  readAt?: Date;
  readRevision?: number;
  /** From when on it has no rates for too long; absent while it is not ENABLED. */
  staleAt?: Date;
  /** The log was told that it is stale. */
  isStale?: boolean;
}

const firstRetryMs = 60_000;

/** When an ENABLED source is asked next: after a failure sooner, each time after twice as long. */
export function nextReadingOf(
  { triedAt, failures }: Pick<RateFeed, "triedAt" | "failures">,
  { everyMs }: Pick<RateSourceSettings, "everyMs">,
): Date {
  if (triedAt === undefined) return new Date(0);
  const pauseMs = failures === 0 ? everyMs : Math.min(everyMs, firstRetryMs * 2 ** Math.min(failures - 1, 20));
  return new Date(triedAt.getTime() + pauseMs);
}
