/** Throws a saga out of its process's hands, once, at the crash point that a test has named. */
export function createCrashSwitch() {
  let armed: string | undefined;
  return {
    /** For the service under test. */
    crashPoint(point: string): void {
      if (point !== armed) return;
      armed = undefined;
      throw new Error(`crashed at ${point}`);
    },
    crashAt(point: string | undefined): void {
      armed = point;
    },
    crashedAt: (point: string): boolean => armed !== point,
  };
}
