import type { Clock } from "./clock.js";

/**
 * A clock that follows another and goes on by real time while that one stands still, as tests' do:
 * a pause of some seconds ends under it, though nobody sets the other on.
 */
export function movingClock(clock: Clock): Clock {
  let seen = NaN;
  let seenAt = 0;
  return {
    now() {
      const shown = clock.now().getTime();
      if (shown !== seen) [seen, seenAt] = [shown, performance.now()];
      return new Date(seen + (performance.now() - seenAt));
    },
  };
}
