import { createSharedRead } from "./shared-read.js";
import { takes } from "../../../test/support/time.js";

test("who asks in one turn shares one read, who asks later reads what is there later", async () => {
  let stored = 1;
  let reads = 0;
  const read = createSharedRead(async () => {
    reads += 1;
    const seen = stored;
    await takes(5);
    return seen;
  });
  const together = [read(), read(), read()];
  // Written after they asked and before the read began: they may see it, nobody after it may not.
  stored = 2;
  expect(await Promise.all(together)).toEqual([2, 2, 2]);
  expect(reads).toBe(1);

  const first = read();
  await new Promise(setImmediate);
  stored = 3;
  expect(await Promise.all([first, read()])).toEqual([2, 3]);
  expect(reads).toBe(3);
});

test("a read that fails fails for those who shared it, and the next is tried anew", async () => {
  let fails = true;
  const read = createSharedRead(async () => {
    if (fails) throw new Error("away");
    return 1;
  });
  expect((await Promise.allSettled([read(), read()])).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  fails = false;
  expect(await read()).toBe(1);
});
