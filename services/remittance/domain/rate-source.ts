/** What a source of rates is told, with what follows from it where it is absent. */
export interface RateSourceSettings {
  url: string;
  /** Such as "EUR-NGN"; all that the source has where there are none. */
  pairs: readonly string[];
  everyMs: number;
  validForMs: number;
  guardPercent: number;
  staleAfterMs: number;
  timeoutMs: number;
  /** The oldest document that counts. */
  maxAgeMs: number;
}

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
// A rate is renewed when half of its time is over, so it outlives the alarm by a reading.
const usualValidity = 8;
const usualPatience = 3;

/** Of an installation's configuration, which its type's schema has checked. */
export function rateSourceSettings(configuration: Readonly<Record<string, unknown>>): RateSourceSettings {
  const { url, pairs } = configuration;
  const whole = (name: string, usual: number) => {
    const value = configuration[name];
    return typeof value === "number" ? value : usual;
  };
  const everyMinutes = whole("everyMinutes", 60);
  const staleAfterMs = whole("staleAfterMinutes", usualPatience * everyMinutes) * minuteMs;
  const maxAgeDays = whole("maxAgeDays", 0);
  return {
    url: String(url),
    pairs: Array.isArray(pairs) ? pairs.map(String) : [],
    everyMs: everyMinutes * minuteMs,
    validForMs: whole("validForMinutes", usualValidity * everyMinutes) * minuteMs,
    guardPercent: whole("guardPercent", 5),
    staleAfterMs,
    timeoutMs: whole("timeoutMs", 10_000),
    maxAgeMs: maxAgeDays === 0 ? staleAfterMs : maxAgeDays * dayMs,
  };
}

/** Such as "plugin:fx-ecb:0199…": what rates of an installation name as their source. */
export function sourceOfPlugin({ type, installationId }: { type: string; installationId: string }): string {
  return `plugin:${type}:${installationId}`;
}
