import { AsyncLocalStorage } from "node:async_hooks";
import { setImmediate as turn, setTimeout as sleep } from "node:timers/promises";
import { createBatcher, type BatcherOptions } from "./batcher.js";

/** Lanes whose groups end when they are told to. */
function held(
  options: Partial<
    Pick<BatcherOptions<number>, "maxBatchSize" | "minBatchSize" | "maxHoldMs" | "enough" | "weightOf">
  > = {},
) {
  const groups: { lane: string; members: number[]; end: () => void }[] = [];
  const lanes = createBatcher<number>({
    maxBatchSize: 64,
    maxInFlight: 2,
    minBatchSize: 2,
    ...options,
    run: (lane, members) => new Promise((end) => groups.push({ lane, members, end })),
  });
  return { groups, lanes, members: () => groups.map((group) => group.members) };
}

test("a lone one goes at once, with all of its turn", async () => {
  const { lanes, members } = held();
  lanes.join("a", 1);
  lanes.join("a", 2);
  expect(members()).toEqual([]);
  await turn();
  await turn();
  expect(members()).toEqual([[1, 2]]);
});

test("who comes while two are under way goes with the next, all together", async () => {
  const { lanes, groups, members } = held();
  for (const one of [1, 2, 3, 4, 5, 6]) {
    lanes.join("a", one);
    await turn();
    await turn();
  }
  expect(members()).toEqual([[1], [2]]);
  groups[0]!.end();
  await turn();
  await turn();
  expect(members()).toEqual([[1], [2], [3, 4]]);
  groups[1]!.end();
  await turn();
  await turn();
  expect(members()).toEqual([[1], [2], [3, 4], [5, 6]]);
});

test("lanes do not wait for each other, and no group is larger than it may be", async () => {
  const { lanes, groups } = held({ maxBatchSize: 3 });
  for (const one of [1, 2, 3, 4, 5, 6, 7, 8]) lanes.join("a", one);
  lanes.join("b", 9);
  for (let turns = 0; turns < 4; turns += 1) await turn();
  expect(groups.map(({ lane, members }) => [lane, members])).toEqual([
    ["a", [1, 2, 3]],
    ["b", [9]],
    ["a", [4, 5, 6]],
  ]);
});

test("enough of them are not held back, up to a number of groups", async () => {
  const { lanes, groups, members } = held({ maxBatchSize: 3, minBatchSize: 3, enough: { members: 3, maxInFlight: 4 } });
  const turns = async () => {
    await turn();
    await turn();
  };
  const join = async (...ones: number[]) => {
    for (const one of ones) {
      lanes.join("a", one);
      await turns();
    }
  };
  await join(1, 2, 3, 4);
  expect(members()).toEqual([[1], [2]]);
  await join(5);
  expect(members()).toEqual([[1], [2], [3, 4, 5]]);
  await join(6, 7, 8, 9, 10, 11);
  expect(members()).toEqual([[1], [2], [3, 4, 5], [6, 7, 8]]);
  // Three are still under way, one more than usual: those who wait go because they are enough.
  groups[0]!.end();
  await turns();
  expect(members()).toEqual([[1], [2], [3, 4, 5], [6, 7, 8], [9, 10, 11]]);
  await join(12);
  for (const at of [1, 2]) {
    groups[at]!.end();
    await turns();
  }
  expect(members()).toHaveLength(5);
  groups[3]!.end();
  await turns();
  expect(members().at(-1)).toEqual([12]);
});

test("what weighs more fills a group sooner, and what is heavier than one goes by itself", async () => {
  const { lanes, members } = held({ maxBatchSize: 10, minBatchSize: 10, weightOf: (member) => member });
  for (const one of [4, 5, 2, 11]) lanes.join("a", one);
  for (const one of [11, 1]) lanes.join("b", one);
  for (let turns = 0; turns < 4; turns += 1) await turn();
  expect(members()).toEqual([[4, 5], [11], [2], [1]]);
});

test("a group that takes long holds the next one back for a while only", async () => {
  const { lanes, members } = held({ maxHoldMs: 20 });
  for (const one of [1, 2, 3]) {
    lanes.join("a", one);
    await turn();
    await turn();
  }
  expect(members()).toEqual([[1], [2]]);
  await sleep(60);
  await turn();
  expect(members()).toEqual([[1], [2], [3]]);
});

test("a group has no part in the context of the request that came first", async () => {
  const context = new AsyncLocalStorage<string>();
  const seen: unknown[] = [];
  const lanes = createBatcher<number>({
    maxBatchSize: 64,
    maxInFlight: 1,
    minBatchSize: 1,
    run: async () => void seen.push(context.getStore()),
  });
  context.run("a request", () => lanes.join("a", 1));
  await turn();
  await turn();
  expect(seen).toEqual([undefined]);
});
