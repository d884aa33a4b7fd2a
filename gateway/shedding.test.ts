import { createMetrics } from "../services/kernel/telemetry/metrics.js";
import { createShedding } from "./shedding.js";

const deadlineMs = 10_000;

function sheddingAt() {
  const clock = { ms: 0 };
  const shedding = createShedding({ deadlineMs, metrics: createMetrics(), nowMs: () => clock.ms });
  const begin = (count: number) => Array.from({ length: count }, () => shedding.enter("pay"));
  return { clock, shedding, begin };
}

const overloaded = expect.objectContaining({ code: "OVERLOADED" });

test("few requests are always let in, however long they take", () => {
  const { clock, shedding, begin } = sheddingAt();
  begin(31);
  clock.ms += 60_000;
  expect(() => shedding.enter("pay")).not.toThrow();
});

test("a burst after quiet is let in: nothing says yet what is possible", () => {
  const { clock, begin } = sheddingAt();
  clock.ms += 60_000;
  expect(() => begin(500)).not.toThrow();
});

test("what could not be finished in half of the deadline is refused, with the time to wait", () => {
  const { clock, shedding, begin } = sheddingAt();
  const ends = begin(200);
  clock.ms += 1_000;
  ends.splice(0, 20).forEach((end) => end());
  clock.ms += 1_000;
  // A second of which nothing is known, then one in which twenty were answered: nine seconds' work.
  let refused: unknown;
  try {
    shedding.enter("pay");
    ends.splice(0, 20).forEach((end) => end());
    clock.ms += 1_000;
    shedding.enter("pay");
  } catch (error) {
    refused = error;
  }
  expect(refused).toEqual(overloaded);
  expect(refused).toMatchObject({ details: { retryAfterS: expect.any(Number) } });
});

test("lets in again when what was under way has ended", () => {
  const { clock, shedding, begin } = sheddingAt();
  const ends = begin(100);
  for (let second = 0; second < 2; second++) {
    clock.ms += 1_000;
    try {
      shedding.enter("pay")();
    } catch {
      // Refused or not, the second counts.
    }
  }
  expect(() => shedding.enter("pay")).toThrow(overloaded);
  for (const end of ends) end();
  clock.ms += 1_000;
  expect(() => shedding.enter("pay")).not.toThrow();
});

test("many at once that are answered fast are let in", () => {
  const { clock, shedding, begin } = sheddingAt();
  const ends = begin(64);
  for (let round = 0; round < 400; round++) {
    clock.ms += 10;
    ends.shift()!();
    ends.push(shedding.enter("pay"));
  }
  expect(ends).toHaveLength(64);
});

test("a request with less time left than its route takes is refused; the memory forgets slow days", () => {
  const { shedding } = sheddingAt();
  const left = (ms: number) => new Date(Date.now() + ms);
  shedding.assertTimeFor("pay", left(10));
  shedding.took("pay", 800);
  expect(() => shedding.assertTimeFor("pay", left(500))).toThrow(overloaded);
  expect(() => shedding.assertTimeFor("pay", left(9_000))).not.toThrow();
  expect(() => shedding.assertTimeFor("read", left(500))).not.toThrow();
  for (let each = 0; each < 50; each++) shedding.took("pay", 60_000);
  expect(() => shedding.assertTimeFor("pay", left(deadlineMs))).not.toThrow();
});

test("an operation that hangs is refused alone: the others are let in", () => {
  const { clock, shedding, begin } = sheddingAt();
  begin(100);
  for (let second = 0; second < 2; second++) {
    clock.ms += 1_000;
    shedding.enter("read")();
    try {
      shedding.enter("pay")();
    } catch {
      // Refused or not, the second counts.
    }
  }
  expect(() => shedding.enter("pay")).toThrow(overloaded);
  expect(() => shedding.enter("read")).not.toThrow();
});
