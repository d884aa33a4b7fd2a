import { createBatchRead } from "./batch-read.js";
import { Refusal } from "../refusal.js";

/** A read of words in upper case, where only those known are there. */
function reading({ failing = false } = {}) {
  const requested: string[][] = [];
  const of = (key: string) => (key.startsWith("no") ? undefined : { text: key.toUpperCase() });
  const read = createBatchRead<string, { text: string }>({
    nameOf: (key) => key.toLowerCase(),
    readOne: async (_tenantId, key) => {
      requested.push([key]);
      if (key === "bad") throw new Error("bad");
      return of(key);
    },
    readMany: async (_tenantId, keys) => {
      requested.push([...keys]);
      if (failing || keys.includes("bad")) throw new Error("all of it");
      return new Map(keys.flatMap((key) => (of(key) === undefined ? [] : [[key.toLowerCase(), of(key)!]])));
    },
  });
  return { requested, read };
}

test("keys that are asked for at once are read together, each once", async () => {
  const { requested, read } = reading();
  const found = await Promise.all(["a", "b", "A", "none"].map((key) => read("t", key)));
  expect(found).toEqual([{ text: "A" }, { text: "B" }, { text: "A" }, undefined]);
  expect(requested).toEqual([["A", "b", "none"]]);
});

test("a lone key is read as one; what several ask for is read once", async () => {
  const { requested, read } = reading();
  expect(await read("t", "a")).toEqual({ text: "A" });
  expect(await Promise.all([read("t", "b"), read("t", "b")])).toEqual([{ text: "B" }, { text: "B" }]);
  expect(requested).toEqual([["a"], ["b"]]);
});

test("tenants are read apart", async () => {
  const { requested, read } = reading();
  await Promise.all([read("one", "a"), read("two", "b")]);
  expect(requested).toEqual([["a"], ["b"]]);
});

test("where they cannot be read together each has its own answer", async () => {
  const { read } = reading();
  const [good, bad] = await Promise.allSettled([read("t", "a"), read("t", "bad")]);
  expect(good).toMatchObject({ value: { text: "A" } });
  expect(bad).toMatchObject({ reason: { message: "bad" } });
});

test("where nobody is there who could answer, none of them waits once more", async () => {
  let alone = 0;
  const read = createBatchRead<string, string>({
    nameOf: (key) => key,
    readOne: async () => {
      alone += 1;
      return undefined;
    },
    readMany: async () => {
      throw new Refusal("UNAVAILABLE", "away", { retryAfterS: 1 });
    },
  });
  const all = await Promise.allSettled(["a", "b", "c"].map((key) => read("t", key)));
  expect(all.every((one) => one.status === "rejected" && one.reason.code === "UNAVAILABLE")).toBe(true);
  expect(alone).toBe(0);
});

test("nothing is kept: who asks later has a later read", async () => {
  const { requested, read } = reading();
  await read("t", "a");
  await read("t", "a");
  expect(requested).toHaveLength(2);
});
