import { createGatheredRead } from "./gathered-read.js";

/** A read of words in upper case, where only those known are there. */
function reading({ failing = false } = {}) {
  const asked: string[][] = [];
  const of = (key: string) => (key.startsWith("no") ? undefined : { text: key.toUpperCase() });
  const read = createGatheredRead<string, { text: string }>({
    nameOf: (key) => key.toLowerCase(),
    readOne: async (_lane, key) => {
      asked.push([key]);
      if (key === "bad") throw new Error("bad");
      return of(key);
    },
    readMany: async (_lane, keys) => {
      asked.push([...keys]);
      if (failing || keys.includes("bad")) throw new Error("all of it");
      return new Map(keys.flatMap((key) => (of(key) === undefined ? [] : [[key.toLowerCase(), of(key)!]])));
    },
  });
  return { asked, read };
}

test("keys that are asked for at once are read together, each once", async () => {
  const { asked, read } = reading();
  const found = await Promise.all(["a", "b", "A", "none"].map((key) => read("lane", key)));
  expect(found).toEqual([{ text: "A" }, { text: "B" }, { text: "A" }, undefined]);
  expect(asked).toEqual([["A", "b", "none"]]);
});

test("a lone key is read as one, also where several ask for it", async () => {
  const { asked, read } = reading();
  expect(await Promise.all([read("lane", "a"), read("lane", "a")])).toEqual([{ text: "A" }, { text: "A" }]);
  expect(asked).toEqual([["a"]]);
});

test("lanes are read apart", async () => {
  const { asked, read } = reading();
  await Promise.all([read("one", "a"), read("two", "b")]);
  expect(asked).toEqual([["a"], ["b"]]);
});

test("where they cannot be read together each has its own answer", async () => {
  const { read } = reading();
  const [good, bad] = await Promise.allSettled([read("lane", "a"), read("lane", "bad")]);
  expect(good).toMatchObject({ value: { text: "A" } });
  expect(bad).toMatchObject({ reason: { message: "bad" } });
});

test("nothing is kept: who asks later has a later read", async () => {
  const { asked, read } = reading();
  await read("lane", "a");
  await read("lane", "a");
  expect(asked).toHaveLength(2);
});
