/** A call to a partner, as its caller noted it: never a body. */
export interface PluginCallRecord {
  /** Of the installation, and the call's number there. */
  pluginCallId: string;
  installationId: string;
  /** Rises by one with each call of the installation. */
  seq: number;
  callId: string;
  at: Date;
  operation: string;
  reference: string;
  status: number;
  durationMs: number;
  outcome: string;
}

export const retainedCalls = 1_000;
const windowMinutes = 15;
export const minuteMs = 60_000;
/** A breaker counts as open for so long after somebody noted it. */
const breakerOpenForMs = 30_000;

/** Calls of an installation in one minute. */
export interface PluginMinuteRecord {
  pluginMinuteId: string;
  installationId: string;
  minute: number;
  calls: number;
  errors: number;
  /** How many took how long, by `latencyBucket`. */
  took: Record<string, number>;
  expiresAt: Date;
}

/** What is known of an installation's calls beyond a minute. */
export interface PluginHealthRecord {
  installationId: string;
  /** Of the last call. */
  seq: number;
  lastCallAt?: Date;
  lastErrorAt?: Date;
  breakerOpenAt?: Date;
}

export interface PluginHealth {
  calls: number;
  errors: number;
  p50Ms: number;
  p95Ms: number;
  breaker: "CLOSED" | "OPEN";
  lastCallAt?: Date;
  lastErrorAt?: Date;
}

export const minuteOf = (at: Date) => Math.floor(at.getTime() / minuteMs);
/** The first minute that health looks at. */
export const firstMinute = (now: Date) => minuteOf(now) - windowMinutes + 1;

const growth = 1.1;

/** Durations that differ by less than a tenth are counted as one. */
export function latencyBucket(durationMs: number): number {
  return durationMs <= 1 ? 0 : Math.ceil(Math.log(durationMs) / Math.log(growth));
}

const longestOf = (bucket: number) => Math.floor(growth ** bucket + 1e-9);

/** Of the minutes that the window still has. */
export function healthOf(
  minutes: readonly Pick<PluginMinuteRecord, "calls" | "errors" | "took">[],
  known: PluginHealthRecord | undefined,
  now: Date,
): PluginHealth {
  const took = new Map<number, number>();
  for (const minute of minutes) {
    for (const [bucket, count] of Object.entries(minute.took)) {
      took.set(Number(bucket), (took.get(Number(bucket)) ?? 0) + count);
    }
  }
  const calls = minutes.reduce((sum, one) => sum + one.calls, 0);
  const inOrder = [...took].toSorted(([one], [other]) => one - other);
  const openAt = known?.breakerOpenAt?.getTime() ?? -Infinity;
  return {
    calls,
    errors: minutes.reduce((sum, one) => sum + one.errors, 0),
    p50Ms: percentile(inOrder, calls * 0.5),
    p95Ms: percentile(inOrder, calls * 0.95),
    breaker: now.getTime() - openAt < breakerOpenForMs ? "OPEN" : "CLOSED",
    ...(known?.lastCallAt && { lastCallAt: known.lastCallAt }),
    ...(known?.lastErrorAt && { lastErrorAt: known.lastErrorAt }),
  };
}

/** The longest duration of the bucket that the call of this rank is in. */
function percentile(took: readonly (readonly [number, number])[], rank: number): number {
  let passed = 0;
  for (const [bucket, count] of took) {
    passed += count;
    if (passed >= rank) return longestOf(bucket);
  }
  return 0;
}
