import { freePorts, isPortFree } from "./ports.js";

test("ports that were given are free, and nobody else who asks gets them while this process lives", async () => {
  const given = await freePorts(200);
  expect(new Set(given).size).toBe(200);
  expect(await Promise.all(given.map((port) => isPortFree(port)))).not.toContain(false);
  // Who asks next knows nothing of them, and gets so many that one would be among them.
  const others = await freePorts(200);
  expect(others.filter((port) => given.includes(port))).toEqual([]);
});
