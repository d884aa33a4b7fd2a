import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { effectKinds } from "./approval-effects.js";

test("every kind of effect is named by a test of a service that carries it out", () => {
  const services = join(__dirname, "../..");
  const tests = readdirSync(services, { recursive: true, encoding: "utf8" })
    .filter((file) => /\/handlers\/[^/]*\.test\.ts$/.test(file))
    .map((file) => readFileSync(join(services, file), "utf8"));
  const named = new Set(tests.flatMap((text) => text.match(/\b[A-Z]+(?:_[A-Z]+)+\b/g) ?? []));
  expect(effectKinds.filter((kind) => !named.has(kind))).toEqual([]);
});
