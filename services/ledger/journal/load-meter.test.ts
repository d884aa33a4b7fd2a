import { createLoadMeter } from "./load-meter.js";

test("the load is what waits on average of the time, and three quarters of it what it was before", () => {
  let nowMs = 0;
  const meter = createLoadMeter(() => nowMs);
  meter.change(4);
  nowMs = 500;
  meter.change(-4);
  nowMs = 2_000;
  expect(meter.take()).toBe(1);
  meter.change(5);
  nowMs = 4_000;
  expect(meter.take()).toBe(2);
  expect(meter.now).toBe(5);
  // Asked twice at one moment, what waits now is what it was.
  expect(meter.take()).toBe(2.75);
});
