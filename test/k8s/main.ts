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
const wanted = Object.entries(groups).filter(([name]) => only === undefined || only.includes(name));
const all = wanted.flatMap(([group, make]) => make(suite).map((test) => ({ group, ...test })));
const tests = all.filter(({ name }) => name.includes(part));
const counts = await runTests(tests, new Set(["image", "install"]));
await suite.close();
console.log(`tests: ${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
process.exit(counts.failed > 0 ? 1 : 0);
