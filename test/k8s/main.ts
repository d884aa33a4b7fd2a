import { chartTests } from "./tests/chart.js";
import { composeTests } from "./tests/compose.js";
import { edgeTests } from "./tests/edge.js";
import { dockerfileTests, imageTests } from "./tests/image.js";
import { installTests } from "./tests/install.js";
import { killTests } from "./tests/kills.js";
import { lifecycleTests } from "./tests/lifecycle.js";
import { operationTests } from "./tests/operations.js";
import { privateCaTests } from "./tests/private-ca.js";
import { restoreTests } from "./tests/restore.js";
import { rollingTests } from "./tests/rolling.js";
import { scalingTests } from "./tests/scaling.js";
import { securityTests } from "./tests/security.js";
import { skewTests } from "./tests/skew.js";
import { startSuite } from "./suite.js";
import { runTests } from "./runner.js";

const suite = await startSuite();
const groups = {
  chart: chartTests,
  image: imageTests,
  install: installTests,
  compose: composeTests,
  edge: edgeTests,
  security: securityTests,
  rolling: rollingTests,
  kills: killTests,
  operations: operationTests,
  scaling: scalingTests,
  skew: skewTests,
  restore: restoreTests,
  lifecycle: lifecycleTests,
  "private-ca": privateCaTests,
  dockerfile: dockerfileTests,
};

const option = (name: string) =>
  process.argv.find((argument) => argument.startsWith(`--${name}=`))?.slice(`--${name}=`.length);
const only = option("only")?.split(",");
const part = option("match") ?? "";
const unknown = (only ?? []).filter((name) => !Object.hasOwn(groups, name));
if (unknown.length > 0) {
  console.error(`There is no group ${unknown.join(", ")}; there are ${Object.keys(groups).join(", ")}.`);
  process.exit(2);
}
const wanted = new Set(only ?? Object.keys(groups));
// What others stand on is added by itself; whoever gives TAG has an image in the cluster
// already, and KEEP the release.
const added = process.env["TAG"] ? [] : neededBy([...wanted]).filter((name) => !wanted.has(name));
const all = Object.entries(groups).flatMap(([group, make]) =>
  wanted.has(group) || added.includes(group) ? make(suite).map((test) => ({ group, ...test })) : [],
);
const tests = all.filter(({ group, name }) => added.includes(group) || name.includes(part));
const counts = await runTests(tests);
await suite.close();
console.log(`tests: ${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
process.exit(counts.failed > 0 ? 1 : 0);

/** The groups that must have run before these. */
function neededBy(names: readonly string[]): string[] {
  const standsAlone = ["chart", "image"];
  if (names.every((name) => standsAlone.includes(name))) return [];
  const installsItself = ["install", "compose", "private-ca", "dockerfile"];
  return names.every((name) => [...standsAlone, ...installsItself].includes(name)) ? ["image"] : ["image", "install"];
}
