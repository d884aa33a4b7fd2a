import { randomUUID } from "node:crypto";
import { silentLog, testRedis, workerRedisUrl } from "../../../test/support/index.js";
import { createRedis, type Redis } from "../../kernel/process/redis.js";
import { createPacing, type PacingDeps } from "./pacing.js";

// Places are those of a whole cluster: in a database of their own nobody else's accrual takes them.
let redis: Redis;
beforeAll(async () => {
  redis = await testRedis(workerRedisUrl());
});
beforeEach(() => redis.flushdb());
afterAll(() => redis.disconnect());

const place = "lending:{accrual}:place:0";
const replica = (given: Partial<PacingDeps> = {}) =>
  createPacing({ redis, atOnce: 1, rest: 0, keepMs: 60_000, ...given });

/** Work of four replicas: how many were at it at the same time, and who came when. */
async function together(given: Partial<PacingDeps>) {
  let [now, most] = [0, 0];
  const turns: number[] = [];
  const each = Array.from({ length: 4 }, () => replica(given));
  await Promise.all(
    each.map(async ({ pace }, who) => {
      for (let turn = 0; turn < 5; turn += 1) {
        await pace(async () => {
          now += 1;
          most = Math.max(most, now);
          await redis.ping();
          await redis.ping();
          now -= 1;
          turns.push(who);
        });
      }
    }),
  );
  return { most, turns };
}

test("replicas work one at a time, and each has all its turns", async () => {
  const { most, turns } = await together({});
  expect(most).toBe(1);
  expect(turns.toSorted()).toEqual([0, 1, 2, 3].flatMap((who) => [who, who, who, who, who]));
});

test("as many at a time as are allowed, not more", async () => {
  const { most, turns } = await together({ atOnce: 2 });
  expect(turns).toHaveLength(20);
  expect(most).toBe(2);
});

test("gives what the work gives, throws what it throws, and its place is free either way", async () => {
  const { pace } = replica();
  expect(await pace(() => Promise.resolve(7))).toBe(7);
  await expect(pace(() => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(await redis.exists(place)).toBe(0);
});

test("rests for a part of what the work took, no longer than is sensible, and keeps its place meanwhile", async () => {
  let at = 0;
  const slept: number[] = [];
  let heldMs = 0;
  const sleep = async (ms: number): Promise<void> => {
    slept.push(ms);
    heldMs = await redis.pttl(place);
  };
  const work = async (): Promise<void> => void (at += 40_000);
  await replica({ rest: 0.5, maxRestMs: 30_000, sleep, elapsed: () => at }).pace(work);
  expect(slept).toEqual([20_002]);
  expect(heldMs).toBeGreaterThan(1_000);
  expect(heldMs).toBeLessThanOrEqual(20_000);
  await redis.del(place);
  await replica({ rest: 0.5, maxRestMs: 250, sleep, elapsed: () => at }).pace(work);
  expect(slept).toEqual([20_002, 252]);
});

test("whoever waits looks again when a rest ends, and now and then while somebody works", async () => {
  const waits: number[] = [];
  const sleep = async (ms: number): Promise<void> => {
    waits.push(ms);
    if (waits.length === 1) await redis.set(place, "another rests", "PX", 5_000);
    else await redis.del(place);
  };
  await redis.set(place, "another works", "PX", 60_000);
  await replica({ sleep, pollEveryMs: 10_000, elapsed: () => 0 }).pace(() => Promise.resolve());
  const [working, resting] = waits;
  expect(working).toBe(10_000);
  expect(resting).toBeGreaterThan(1_000);
  expect(resting).toBeLessThanOrEqual(5_000);
});

test("the place of a process that died is free after its time; one that has become another's is left alone", async () => {
  await redis.set(place, "of one that died", "PX", 50);
  const { pace } = replica({ waitMs: 60_000 });
  expect(await pace(() => redis.get(place))).not.toBe("of one that died");
  await pace(async () => void (await redis.set(place, "another's by now", "PX", 60_000)));
  expect(await redis.get(place)).toBe("another's by now");
  expect(await redis.pttl(place)).toBeGreaterThan(1_000);
});

test("whoever has waited long enough goes on without a place", async () => {
  await redis.set(place, "another's", "PX", 60_000);
  let [at, polls] = [0, 0];
  const sleep = async (): Promise<void> => {
    at += 500;
    polls += 1;
  };
  const { pace } = replica({ waitMs: 2_000, sleep, elapsed: () => at });
  expect(await pace(() => Promise.resolve(polls))).toBe(4);
  expect(await redis.get(place)).toBe("another's");
});

test("goes on without places where Redis is away", async () => {
  const away = createRedis({ url: "redis://127.0.0.1:1", log: silentLog });
  const key = randomUUID();
  expect(await replica({ redis: away }).pace(() => Promise.resolve(key))).toBe(key);
  away.disconnect();
});
