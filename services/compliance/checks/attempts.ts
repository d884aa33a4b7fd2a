const maxLeftOut = 64;

/** A short cut that others can spoil costs a step and gains nothing then: the more attempts fail in a row, the more are left out. */
export function createAttempts() {
  let pause = 0;
  let left = 0;
  return {
    mayTry(): boolean {
      if (left === 0) return true;
      left -= 1;
      return false;
    },
    note(hasSucceeded: boolean): void {
      pause = hasSucceeded ? 0 : Math.min(maxLeftOut, Math.max(1, 2 * pause));
      left = pause;
    },
  };
}
