import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";

// A moved file would silently be run at every depth again.
test("jest.config.cjs leaves out files that exist", () => {
  const [, listed = ""] = /atCiDepth = \[([^\]]*)\]/.exec(readFileSync(resolve("jest.config.cjs"), "utf8")) ?? [];
  const files = [...listed.matchAll(/"([^"]+)"/g)].map(([, file]) => `${file}.test.ts`);
  expect(files.length).toBeGreaterThan(0);
  expect(files.filter((file) => !existsSync(resolve(file)))).toEqual([]);
});
