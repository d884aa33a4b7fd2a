// What a run needs of the machine, said in one sentence before anything is started.
import { spawnSync } from "node:child_process";
import { existsSync, statfsSync } from "node:fs";
import { createServer } from "node:net";

const fewestFiles = 4_096;
const leastMemoryBytes = 2 ** 30;

/** Sentences about what is missing; none where all is well. */
export async function faultsOfMachine() {
  const faults = [];
  const limit = spawnSync("sh", ["-c", "ulimit -n"], { encoding: "utf8" }).stdout?.trim();
  if (limit !== "unlimited" && Number(limit) < fewestFiles)
    faults.push(
      `A process may open ${limit} files here, and mongod needs ${fewestFiles}: run \`ulimit -n ${fewestFiles}\`.`,
    );
  const port = await new Promise((done) => {
    const server = createServer();
    server.once("error", (error) => done(error.code));
    server.listen(0, "127.0.0.1", () => server.close(() => done(undefined)));
  });
  if (port !== undefined) faults.push(`No port of 127.0.0.1 can be listened at (${port}): servers of tests are on it.`);
  return faults;
}

/**
 * Whether /dev/shm has room for the files of the run's servers; a
 * container's usual 64 MB have none.
 */
export function hasSharedMemory() {
  if (!existsSync("/dev/shm")) return false;
  const { bavail, bsize } = statfsSync("/dev/shm");
  return bavail * bsize >= leastMemoryBytes;
}
