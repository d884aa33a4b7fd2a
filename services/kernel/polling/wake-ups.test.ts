import { randomUUID } from "node:crypto";
import { silentLog, testRedisUrl, waitFor } from "../../../test/support/index.js";
import { createOutboxHarness, type OutboxHarness } from "../../../test/support/outbox.js";
import { startRelay } from "../outbox/index.js";
import { createRedis, redisReady, type Redis } from "../process/redis.js";
import { slowPollMs } from "./pace.js";
import { createWakeUps } from "./wake-ups.js";

let redis: Redis;
const open: ReturnType<typeof createWakeUps>[] = [];
beforeAll(async () => {
  redis = createRedis({ url: testRedisUrl(), log: silentLog });
  await redisReady(redis);
});
afterEach(() => open.splice(0).forEach((one) => one.close()));
afterAll(() => redis.disconnect());

function wakeUpsOf(service: string) {
  const made = createWakeUps(redis, { service, log: silentLog });
  open.push(made);
  return made;
}

/** Counts from when it is sure to hear. */
async function listening(wakeUps: ReturnType<typeof createWakeUps>) {
  const processed = { times: 0 };
  const unlisten = wakeUps.listen(() => void (processed.times += 1));
  await waitFor(() => processed.times === 1);
  return { processed, unlisten };
}

test("other replicas of the service hear it, each service for itself", async () => {
  const service = randomUUID();
  const [here, there] = [wakeUpsOf(service), await listening(wakeUpsOf(service))];
  const other = await listening(wakeUpsOf(randomUUID()));
  here.tell();
  await waitFor(() => there.processed.times === 2);
  expect(other.processed.times).toBe(1);
});

test("tells once for all that happens within some seconds", async () => {
  const service = randomUUID();
  const [here, there] = [wakeUpsOf(service), await listening(wakeUpsOf(service))];
  here.tell();
  here.tell();
  await waitFor(() => there.processed.times === 2);
  // What comes later than the second would have come.
  wakeUpsOf(service).tell();
  await waitFor(() => there.processed.times === 3);
});

test("whoever has left hears nothing", async () => {
  const service = randomUUID();
  const [here, there] = [wakeUpsOf(service), wakeUpsOf(service)];
  const [left, stays] = [await listening(there), { times: 0 }];
  there.listen(() => void (stays.times += 1));
  left.unlisten();
  here.tell();
  await waitFor(() => stays.times === 1);
  expect(left.processed.times).toBe(1);
});

describe("a relay that rests", () => {
  let harness: OutboxHarness;
  beforeAll(async () => void (harness = await createOutboxHarness("resting")));
  afterAll(() => harness.close());
  afterEach(() => harness.clean());

  test("is stirred where another replica adds rows", async () => {
    const service = randomUUID();
    let wakes = 0;
    const relay = { wake: () => undefined, runNow: async () => undefined, pollFast: () => void (wakes += 1) };
    const detach = harness.make({ wakeUps: wakeUpsOf(service) }).attach(relay);
    await waitFor(() => wakes === 1);
    await harness.add(harness.make({ wakeUps: wakeUpsOf(service) }), { seq: 1 });
    await waitFor(() => wakes === 2);
    detach();
  });

  test("looks when a row falls due that it has seen coming, not at its next slow look", async () => {
    const done: string[] = [];
    // It rests after the first look, as its lease is short.
    const outbox = harness.make({ leaseMs: 100 });
    const relay = startRelay({ outbox, handlers: { note: async ({ id }) => void done.push(id) } });
    try {
      const [id] = await harness.add(outbox, { seq: 1, dueAt: new Date(Date.now() + 1_500) });
      await waitFor(() => done.length === 1, { timeoutMs: slowPollMs });
      expect(done).toEqual([id]);
    } finally {
      await relay.stop(0);
    }
  });
});
