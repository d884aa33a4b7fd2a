import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { effectKinds } from "./approval-effects.js";

test("every kind of effect is named by a test of a service that carries it out", () => {
  const services = join(__dirname, "../..");
  const folders = readdirSync(services).map((service) => join(services, service, "handlers"));
  const tests = folders.filter(existsSync).flatMap((folder) =>
    readdirSync(folder)
      .filter((file) => file.endsWith(".test.ts"))
      .map((file) => readFileSync(join(folder, file), "utf8")),
  );
  const named = new Set(tests.flatMap((text) => text.match(/\b[A-Z]+(?:_[A-Z]+)+\b/g) ?? []));
  expect(effectKinds.filter((kind) => !named.has(kind))).toEqual([]);
});
