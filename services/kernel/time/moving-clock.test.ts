import { movingClock } from "./moving-clock.js";
import { outlast } from "../../../test/support/time.js";

test("it follows the clock that it is made of, forth and back, and moves on where that one stands still", async () => {
  let shown = new Date("2026-05-01T12:00:00Z");
  const clock = movingClock({ now: () => shown });
  const first = clock.now().getTime();
  await outlast(30);
  expect(clock.now().getTime()).toBeGreaterThanOrEqual(first + 20);
  for (const instant of ["2027-01-01T00:00:00Z", "2026-04-01T00:00:00Z"]) {
    shown = new Date(instant);
    const ahead = clock.now().getTime() - shown.getTime();
    expect(ahead).toBeGreaterThanOrEqual(0);
    expect(ahead).toBeLessThan(10);
  }
});
