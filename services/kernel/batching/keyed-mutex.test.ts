import { createKeyedMutex } from "./keyed-mutex.js";
import { takes } from "../../../test/support/time.js";

test("work of one key runs one after the other, of different keys at the same time, and a failure stops nobody", async () => {
  const mutex = createKeyedMutex();
  const log: string[] = [];
  const work =
    (name: string, fails = false) =>
    async () => {
      log.push(`${name} begins`);
      await takes(20);
      log.push(`${name} ends`);
      if (fails) throw new Error(name);
      return name;
    };
  const settled = await Promise.allSettled([
    mutex.runExclusive("a", work("a1", true)),
    mutex.runExclusive("a", work("a2")),
    mutex.runExclusive("b", work("b1")),
  ]);
  expect(settled.map(({ status }) => status)).toEqual(["rejected", "fulfilled", "fulfilled"]);
  expect(log.slice(0, 2)).toEqual(["a1 begins", "b1 begins"]);
  expect(log.filter((line) => line.startsWith("a"))).toEqual(["a1 begins", "a1 ends", "a2 begins", "a2 ends"]);
  expect(await mutex.runExclusive("a", work("a3"))).toBe("a3");
});
