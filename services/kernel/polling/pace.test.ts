import { waitFor } from "../../../test/support/index.js";
import { keepPace, type Pace } from "./pace.js";
import { nothingFor, runsFor } from "../../../test/support/time.js";

let pace: Pace | undefined;
let polls = 0;
const poll = (): void => void (polls += 1);
const slowMs = 3_600_000;

beforeEach(() => (polls = 0));
afterEach(() => pace?.stop());

test("looks quickly at first, then rests, and looks again once something happens", async () => {
  pace = keepPace({ poll, quickMs: 10, slowMs, quickForMs: 100 });
  await waitFor(() => polls > 2);
  await waitFor(() => pace!.aheadMs() === slowMs);
  // The last quick look may be under way.
  await runsFor(50);
  const resting = polls;
  await nothingFor(100);
  expect(polls).toBe(resting);
  pace.pollFast();
  expect(pace.aheadMs()).toBe(0);
  await waitFor(() => polls > resting + 2);
});

test("looks at the time that it is told, be it before the next look or not", async () => {
  pace = keepPace({ poll, quickMs: slowMs });
  pace.within(2 * slowMs);
  pace.within(20);
  await waitFor(() => polls === 1);
});

test("without a slow pace of its own it never looks more rarely than quickly", async () => {
  pace = keepPace({ poll, quickMs: 20, slowMs: 20, quickForMs: 0 });
  await waitFor(() => polls > 2);
  expect(pace.aheadMs()).toBe(20);
});

test("looks no more once it is stopped", async () => {
  pace = keepPace({ poll, quickMs: 10 });
  pace.stop();
  pace.pollFast();
  pace.within(0);
  await nothingFor(50);
  expect(polls).toBe(0);
});
