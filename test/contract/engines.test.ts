import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const root = join(__dirname, "../..");
const jsonAt = (path: string) => JSON.parse(readFileSync(join(root, path), "utf8")) as Record<string, unknown>;
const { satisfies } = createRequire(__filename)("semver") as { satisfies(version: string, range: string): boolean };

const { optionalDependencies } = jsonAt("package.json") as { optionalDependencies: Record<string, string> };
const [shipped] = new Set(Object.values(optionalDependencies));

interface Locked {
  version?: string;
  dev?: boolean;
  engines?: { node?: string };
}
const locked = Object.entries(jsonAt("package-lock.json").packages as Record<string, Locked>);

test("every package that runs in production takes the Node that is installed with it", () => {
  expect(new Set(Object.values(optionalDependencies)).size).toBe(1);
  const demanding = locked.filter(([path, { dev, engines }]) => path !== "" && dev !== true && engines?.node);
  expect(demanding.length).toBeGreaterThan(50);
  const refused = demanding.filter(([, { engines }]) => !satisfies(shipped!, engines!.node!));
  expect(refused.map(([path, { engines }]) => `${path} wants ${engines!.node}, and ${shipped} runs it`)).toEqual([]);
});

test("what runs before that, on whatever Node starts it, imports no package", () => {
  for (const file of ["deploy/install.mjs", "deploy/steps.mjs"]) {
    const imported = [...readFileSync(join(root, file), "utf8").matchAll(/^import .* from "([^"]+)"/gm)];
    const others = imported.map(([, from]) => from!).filter((from) => !/^(node:|\.)/.test(from));
    expect({ file, others }).toEqual({ file, others: [] });
  }
});

test("the client library demands no more than it says", () => {
  const { dependencies = {}, engines } = jsonAt("sdk/package.json") as {
    dependencies?: object;
    engines: { node: string };
  };
  expect(dependencies).toEqual({});
  expect(satisfies("20.11.0", engines.node)).toBe(true);
});
