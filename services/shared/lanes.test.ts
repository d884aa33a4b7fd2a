import { AsyncLocalStorage } from "node:async_hooks";
import { setImmediate as turn, setTimeout as sleep } from "node:timers/promises";
import { createLanes } from "./lanes.js";

/** Lanes whose groups end when they are told to. */
function held(options: { mostTogether?: number; fewest?: number; holdsForMs?: number } = {}) {
  const groups: { lane: string; members: number[]; end: () => void }[] = [];
  const lanes = createLanes<number>({
    mostTogether: 64,
    mostUnderWay: 2,
    fewest: 2,
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
  const { lanes, groups } = held({ mostTogether: 3 });
  for (const one of [1, 2, 3, 4, 5, 6, 7, 8]) lanes.join("a", one);
  lanes.join("b", 9);
  for (let turns = 0; turns < 4; turns += 1) await turn();
  expect(groups.map(({ lane, members }) => [lane, members])).toEqual([
    ["a", [1, 2, 3]],
    ["b", [9]],
    ["a", [4, 5, 6]],
  ]);
});

test("a group that takes long holds the next one back for a while only", async () => {
  const { lanes, members } = held({ holdsForMs: 20 });
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
  const lanes = createLanes<number>({
    mostTogether: 64,
    mostUnderWay: 1,
    fewest: 1,
    run: async () => void seen.push(context.getStore()),
  });
  context.run("a request", () => lanes.join("a", 1));
  await turn();
  await turn();
  expect(seen).toEqual([undefined]);
});
