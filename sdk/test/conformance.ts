import { execFile } from "node:child_process";
import { resolve } from "node:path";

export interface Outcome {
  /** What ran them, such as "Node 20.11.1". */
  on: string;
  ran: number;
  failed: string[];
  /** What differed, case by case. */
  text: string;
}

/** Runs all conformance cases with the library of `index` on a Node, in Chromium where asked. */
export function runConformance(node: string, index: string, ...args: string[]): Promise<Outcome> {
  const run = resolve("sdk/conformance/run.mjs");
  // What Jest gives its own Node is not for another.
  const env = { ...process.env, NODE_OPTIONS: "" };
  return new Promise((done, fail) => {
    execFile(node, [run, `--library=${index}`, ...args], { env, maxBuffer: 2 ** 24 }, (_error, stdout, stderr) => {
      try {
        const last = stdout.trimEnd().split("\n").at(-1) ?? "";
        done({ ...(JSON.parse(last) as Omit<Outcome, "text">), text: stdout });
      } catch {
        fail(new Error(`the cases did not run to their end: ${stdout}${stderr}`));
      }
    });
  });
}
