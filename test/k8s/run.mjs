// `npm run test:k8s`: proves the chart on a real cluster; the last line is
// `tests: N passed, N failed, N skipped`.
//   KUBECTL, HELM   commands (kubectl, helm)
//   LOAD_IMAGE      command that takes an image archive as its last argument (kind load
//                   image-archive)
//   BUILD_IMAGE     command that builds deploy/Dockerfile of the folder it runs in as NAME and
//                   writes FILE, an OCI archive, its last two arguments (none: what only it can
//                   prove is left out)
//   COMPOSE         command that reads compose.yaml (docker compose; left out where it is not
//                   there)
//   IMAGE           name of the image without its tag (docker.io/library/manilla)
//   OUTSIDE         prefix that runs a command where a client outside the cluster would be (none:
//                   here)
//   NODE_ADDRESS    where node ports answer (the first node's internal address)
//   MONGO_IMAGE, REDIS_IMAGE   for the embedded servers (those of the chart)
//   REDIS_TLS_IMAGE   for the group private-ca, where REDIS_IMAGE speaks no TLS
//   BACKUP_IMAGE    image with mongodump and mongorestore (MONGO_IMAGE's default has them)
//   SKEW_FROM       release tag or revision to roll from and back to; of a tag its chart too (the
//                   last release before HEAD; without one where HEAD left origin/main, on main the
//                   commit before)
//   KEEP=1          leaves the releases in place afterwards
// `npm run test:k8s -- --only=install,rolling` runs some groups, `--match=once` those tests
// whose names have that in them.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { build } from "../../deploy/build.mjs";
import { fail, root, run, step, StepError, tool } from "../../deploy/steps.mjs";

try {
  await build();
  await step("suite built", async () => {
    const { status, output } = await run(tool("tsc"), ["-p", "test/k8s/tsconfig.json"]);
    if (status !== 0) throw new StepError(output.trim());
  });
  const main = join(root, ".cache", "test-k8s", "test", "k8s", "main.js");
  const child = spawn(process.execPath, ["--enable-source-maps", main, ...process.argv.slice(2)], {
    cwd: root,
    stdio: "inherit",
  });
  child.once("exit", (status) => (process.exitCode = status ?? 1));
} catch (error) {
  fail(error);
}
