import { createCacheBudget } from "./cache.js";

test("caches of one budget hold no more than it together; a busy one gets room from an idle one", () => {
  const budget = createCacheBudget(100);
  const [idle, busy] = [budget.open<number>(), budget.open<number>()];
  for (let n = 0; n < 100; n++) idle.load(`i${n}`, n);
  for (let n = 0; n < 300; n++) {
    busy.replace(`b${n}`, n);
    busy.evict();
    expect(budget.size).toBeLessThanOrEqual(100);
    if (n >= 50) expect(busy.get(`b${n}`)).toBe(n);
  }
  expect(budget.size).toBe(idle.size + busy.size);
  expect(busy.size).toBeGreaterThan(idle.size);
});

test("the least recently used go first, what is pinned stays", () => {
  const budget = createCacheBudget(10);
  const cache = budget.open<number>();
  cache.pin("0");
  for (let n = 0; n <= 10; n++) cache.load(String(n), n);
  cache.replace("1", 1);
  cache.evict();
  expect([cache.get("0"), cache.get("1"), cache.get("2"), cache.get("10")]).toEqual([0, 1, undefined, 10]);
  cache.unpin("0");
});

test("a cache that is closed leaves its room to others and takes nothing more", () => {
  const budget = createCacheBudget(10);
  const cache = budget.open<number>();
  cache.load("a", 1);
  cache.close();
  cache.replace("b", 1);
  expect([cache.size, budget.size]).toEqual([0, 0]);
});
