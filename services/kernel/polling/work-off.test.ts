import { setImmediate as turn } from "node:timers/promises";
import { systemClock } from "../time/clock.js";
import { workOff } from "./work-off.js";

const { signal } = new AbortController();
const common = { clock: systemClock, takenForMs: 1_000, signal };

function of(count: number) {
  const seen = { looks: 0, done: [] as number[], atOnce: 0, most: 0 };
  const take = async () => {
    const poll = (seen.looks += 1);
    await turn();
    return poll <= count ? poll : undefined;
  };
  const work = async (one: number) => {
    seen.most = Math.max(seen.most, (seen.atOnce += 1));
    await turn();
    seen.atOnce -= 1;
    seen.done.push(one);
  };
  return { seen, take, work };
}

test("where nothing is due it looks once", async () => {
  const { seen, ...due } = of(0);
  await workOff({ ...common, ...due, atOnce: 4 });
  expect(seen).toMatchObject({ looks: 1, done: [] });
});

test("each that is due is worked on once, so many at the same time", async () => {
  const { seen, ...due } = of(20);
  await workOff({ ...common, ...due, atOnce: 4 });
  expect(seen.done.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, n) => n + 1));
  expect(seen.most).toBe(4);
});

test("what work throws is thrown", async () => {
  const { take } = of(3);
  const work = async () => {
    throw new Error("away");
  };
  await expect(workOff({ ...common, take, work, atOnce: 2 })).rejects.toThrow("away");
});

test("it takes for so long by the clock, and nothing once it is aborted", async () => {
  const clock = { now: () => new Date("2026-05-01T12:00:00Z") };
  const stopping = new AbortController();
  const times: string[][] = [];
  const take = async (...requested: Date[]) => void times.push(requested.map((at) => at.toISOString()));
  const due = { clock, takenForMs: 1_000, take, work: async () => undefined, atOnce: 2, signal: stopping.signal };
  await workOff(due);
  stopping.abort();
  await workOff(due);
  expect(times).toEqual([["2026-05-01T12:00:00.000Z", "2026-05-01T12:00:01.000Z"]]);
});
