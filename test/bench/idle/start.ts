import { spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../restart/slots.js";

export interface RunningCluster {
  readonly dataDir: string;
  /** From the start of the command to its line "ready". */
  readonly readyS: number;
  /** Stops it and starts it on the same data. */
  again(): Promise<RunningCluster>;
  stop(): Promise<void>;
}

/** A cluster as `npm start` starts it, on a folder of its own that goes with it. */
export async function startAsShipped(): Promise<RunningCluster> {
  return startOn(mkdtempSync(join(tmpdir(), "manilla-idle-")), await freePort());
}

async function startOn(dataDir: string, port: number): Promise<RunningCluster> {
  const startedAt = performance.now();
  const { NODE_OPTIONS: _ours, ...inherited } = process.env;
  const env = { ...inherited, DATA_DIR: dataDir, PORT: String(port) };
  const child = spawn("npm", ["start"], { env, stdio: ["ignore", "pipe", "inherit"] });
  const end = () => void child.kill("SIGTERM");
  process.once("SIGINT", end);
  await isReady(child);
  const readyS = (performance.now() - startedAt) / 1_000;
  const stopped = new Promise((done) => child.once("exit", done));
  const halt = async () => {
    process.off("SIGINT", end);
    end();
    await stopped;
  };
  return {
    dataDir,
    readyS,
    again: async () => {
      await halt();
      return startOn(dataDir, port);
    },
    stop: async () => {
      await halt();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Resolves at the line that says so; what is said until then is passed on. */
function isReady(child: ChildProcess): Promise<void> {
  return new Promise((ready, failed) => {
    let printed = "";
    child.stdout?.on("data", (text: Buffer) => {
      if (printed.includes("\nready: ")) return;
      printed += text.toString();
      const isNow = printed.includes("\nready: ");
      if (!isNow) process.stdout.write(text);
      if (isNow) ready();
    });
    child.once("exit", (code) => failed(new Error(`npm start ended with ${code}`)));
  });
}
