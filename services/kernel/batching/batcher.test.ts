import { AsyncLocalStorage } from "node:async_hooks";
import { setImmediate as turn } from "node:timers/promises";
import { createBatcher, type BatcherOptions } from "./batcher.js";
import { runsFor } from "../../../test/support/time.js";

/** A batcher whose batches end when they are told to. */
function held(
  options: Partial<
    Pick<BatcherOptions<number>, "maxBatchSize" | "minBatchSize" | "maxHoldMs" | "surge" | "weightOf">
  > = {},
) {
  const batches: { batchKey: string; items: number[]; end: () => void }[] = [];
  const batcher = createBatcher<number>({
    maxBatchSize: 64,
    maxInFlight: 2,
    minBatchSize: 2,
    ...options,
    run: (batchKey, items) => new Promise((end) => batches.push({ batchKey, items, end })),
  });
  return { batches, batcher, items: () => batches.map((batch) => batch.items) };
}

test("a lone one goes at once, with all of its turn", async () => {
  const { batcher, items } = held();
  batcher.add("a", 1);
  batcher.add("a", 2);
  expect(items()).toEqual([]);
  await turn();
  await turn();
  expect(items()).toEqual([[1, 2]]);
});

test("who comes while two are in flight goes with the next, in one batch", async () => {
  const { batcher, batches, items } = held();
  for (const one of [1, 2, 3, 4, 5, 6]) {
    batcher.add("a", one);
    await turn();
    await turn();
  }
  expect(items()).toEqual([[1], [2]]);
  batches[0]!.end();
  await turn();
  await turn();
  expect(items()).toEqual([[1], [2], [3, 4]]);
  batches[1]!.end();
  await turn();
  await turn();
  expect(items()).toEqual([[1], [2], [3, 4], [5, 6]]);
});

test("keys do not wait for each other, and no batch is larger than it may be", async () => {
  const { batcher, batches } = held({ maxBatchSize: 3 });
  for (const one of [1, 2, 3, 4, 5, 6, 7, 8]) batcher.add("a", one);
  batcher.add("b", 9);
  for (let turns = 0; turns < 4; turns += 1) await turn();
  expect(batches.map(({ batchKey, items }) => [batchKey, items])).toEqual([
    ["a", [1, 2, 3]],
    ["b", [9]],
    ["a", [4, 5, 6]],
  ]);
});

test("in a surge they are not held back, up to a number of batches", async () => {
  const { batcher, batches, items } = held({
    maxBatchSize: 3,
    minBatchSize: 3,
    surge: { minWaiting: 3, maxInFlight: 4 },
  });
  const turns = async () => {
    await turn();
    await turn();
  };
  const join = async (...ones: number[]) => {
    for (const one of ones) {
      batcher.add("a", one);
      await turns();
    }
  };
  await join(1, 2, 3, 4);
  expect(items()).toEqual([[1], [2]]);
  await join(5);
  expect(items()).toEqual([[1], [2], [3, 4, 5]]);
  await join(6, 7, 8, 9, 10, 11);
  expect(items()).toEqual([[1], [2], [3, 4, 5], [6, 7, 8]]);
  // Three are still in flight, one more than usual: those who wait go because they are a surge.
  batches[0]!.end();
  await turns();
  expect(items()).toEqual([[1], [2], [3, 4, 5], [6, 7, 8], [9, 10, 11]]);
  await join(12);
  for (const at of [1, 2]) {
    batches[at]!.end();
    await turns();
  }
  expect(items()).toHaveLength(5);
  batches[3]!.end();
  await turns();
  expect(items().at(-1)).toEqual([12]);
});

test("what weighs more fills a batch sooner, and what is heavier than one goes by itself", async () => {
  const { batcher, items } = held({ maxBatchSize: 10, minBatchSize: 10, weightOf: (item) => item });
  for (const one of [4, 5, 2, 11]) batcher.add("a", one);
  for (const one of [11, 1]) batcher.add("b", one);
  for (let turns = 0; turns < 4; turns += 1) await turn();
  expect(items()).toEqual([[4, 5], [11], [2], [1]]);
});

test("a batch that takes long holds the next one back for a while only", async () => {
  const { batcher, items } = held({ maxHoldMs: 20 });
  for (const one of [1, 2, 3]) {
    batcher.add("a", one);
    await turn();
    await turn();
  }
  expect(items()).toEqual([[1], [2]]);
  await runsFor(60);
  await turn();
  expect(items()).toEqual([[1], [2], [3]]);
});

test("a batch has no part in the context of the request that came first", async () => {
  const context = new AsyncLocalStorage<string>();
  const seen: unknown[] = [];
  const batcher = createBatcher<number>({
    maxBatchSize: 64,
    maxInFlight: 1,
    minBatchSize: 1,
    run: async () => void seen.push(context.getStore()),
  });
  context.run("a request", () => batcher.add("a", 1));
  await turn();
  await turn();
  expect(seen).toEqual([undefined]);
});
