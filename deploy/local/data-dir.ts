import { chmod, mkdir, open, readFile, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { clusterFilePath, readClusterFile } from "./cluster-file.js";
import { isAlive, startTokenOf } from "./process-identity.js";
import { diskFullSentence, StartError } from "./start-error.js";

const maxLogBytes = 10 * 1024 * 1024;

/**
 * Makes `dataDir` and takes it for this process. Throws StartError when a cluster runs on it
 * already.
 */
export async function takeDataDir(dataDir: string): Promise<{ release(): Promise<void> }> {
  const lock = join(dataDir, "runner.lock");
  try {
    await makeFolder(dataDir);
    await shutFolders(dataDir);
    while (!(await writeLock(lock))) await breakStaleLock(lock, dataDir);
  } catch (error) {
    if (error instanceof StartError) throw error;
    const reason = (error as Error).message;
    throw new StartError(diskFullSentence(reason, dataDir) ?? `The folder ${dataDir} cannot be used (${reason}).`);
  }
  await endLeftovers(dataDir);
  return {
    release: async () => {
      await rm(clusterFilePath(dataDir), { force: true });
      await rm(lock, { force: true });
    },
  };
}

/**
 * Makes a folder and those above it. Node's own recursive mkdir does not end where the system
 * answers ENOENT for good, as /proc does.
 */
async function makeFolder(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory()) return;
  const above = dirname(path);
  if (above !== path) await makeFolder(above);
  await mkdir(path, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST" || found !== undefined) throw error;
  });
}

const folders = ["mongo", "redis", "partner", "keys", "logs"];

/** Takes other users' access to a cluster's data away. Leaves a folder of another user as it is. */
async function shutFolders(dataDir: string): Promise<void> {
  for (const path of [dataDir, ...folders.map((name) => join(dataDir, name))]) {
    const found = await stat(path).catch(() => undefined);
    if (found !== undefined && found.uid === process.getuid?.()) await chmod(path, 0o700);
  }
}

/**
 * Removes databases, keys, logs and what was written about a former cluster; nothing else in the
 * folder.
 */
export async function emptyDataDir(dataDir: string): Promise<void> {
  for (const name of [...folders, "cluster.json", "demo.json", "seeded"]) {
    await rm(join(dataDir, name), { recursive: true, force: true });
  }
}

/** Path of a process's log; a log that has grown past 10 MB is put aside as `<name>.log.1`. */
export async function logPath(dataDir: string, name: string): Promise<string> {
  const path = join(dataDir, "logs", `${name}.log`);
  await mkdir(join(dataDir, "logs"), { recursive: true, mode: 0o700 });
  const size = await stat(path).then(
    (found) => found.size,
    () => 0,
  );
  if (size > maxLogBytes) await rename(path, `${path}.1`);
  return path;
}

async function writeLock(path: string): Promise<boolean> {
  try {
    const file = await open(path, "wx");
    await file.writeFile(`${process.pid} ${startTokenOf(process.pid)}\n`);
    await file.close();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

async function breakStaleLock(path: string, dataDir: string): Promise<void> {
  const text = await readFile(path, "utf8").catch(() => "");
  const [pid = 0, startToken = ""] = text.trim().split(" ");
  if (Number(pid) > 0 && isAlive(Number(pid), startToken)) {
    throw new StartError(
      `A cluster runs on ${dataDir} already${whereItAnswers(dataDir)} (process ${pid}): stop it first, or start with another DATA_DIR and PORT.`,
    );
  }
  // A lock that is being written by somebody else is empty for a moment.
  if (text === "") await sleep(200);
  if ((await readFile(path, "utf8").catch(() => "")) === text) await rm(path, { force: true });
}

function whereItAnswers(dataDir: string): string {
  try {
    return ` at ${readClusterFile(dataDir).baseUrl}`;
  } catch {
    return "";
  }
}

/**
 * Processes of a runner that was killed are being stopped by their guards; waits for them, and ends
 * those that hang.
 */
async function endLeftovers(dataDir: string): Promise<void> {
  let processes: { pid: number; startToken: string }[];
  try {
    processes = Object.values(readClusterFile(dataDir).processes);
  } catch {
    return;
  }
  // Without a start token a pid may by now be somebody else's.
  const running = () => processes.filter(({ pid, startToken }) => startToken !== "" && isAlive(pid, startToken));
  for (let waitedMs = 0; running().length > 0 && waitedMs < 15_000; waitedMs += 50) await sleep(50);
  for (const { pid } of running()) process.kill(pid, "SIGKILL");
  await rm(clusterFilePath(dataDir), { force: true });
}
