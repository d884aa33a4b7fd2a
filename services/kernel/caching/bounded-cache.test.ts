import { createBoundedCache } from "./bounded-cache.js";

test("keeps as many entries as it may; the least recently used leaves first", () => {
  const cache = createBoundedCache<number>(2);
  cache.set("a", 1);
  cache.set("b", 2);
  expect(cache.get("a")).toBe(1);
  cache.set("c", 3);
  expect([cache.get("a"), cache.get("b"), cache.get("c")]).toEqual([1, undefined, 3]);
  expect(cache.size).toBe(2);
});

test("an entry that is set again is the youngest, with its new value", () => {
  const cache = createBoundedCache<number>(2);
  cache.set("a", 1);
  cache.set("b", 2);
  cache.set("a", 3);
  cache.set("c", 4);
  expect([cache.get("a"), cache.get("b")]).toEqual([3, undefined]);
});

test("forgets one entry, or all", () => {
  const cache = createBoundedCache<number>(3);
  for (const key of ["a", "b", "c"]) cache.set(key, 1);
  cache.delete("a");
  expect([cache.get("a"), cache.size]).toEqual([undefined, 2]);
  cache.clear();
  expect(cache.size).toBe(0);
});
