import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

/** The partners' process, and what it is told. */
export async function startPartners() {
  const hooks = join(import.meta.dirname, "../edge/hooks.mjs");
  const file = join(import.meta.dirname, "partner.ts");
  const child = spawn(process.execPath, ["--import", hooks, file], { stdio: ["ignore", "inherit", "inherit", "ipc"] });
  const [{ port }] = (await once(child, "message")) as [{ port: number }];
  const base = `http://127.0.0.1:${port}`;
  const arrivals = new Map<string, number>();
  child.on("message", ({ reference }: { reference: string }) => void arrivals.set(reference, performance.now()));
  const ask = async (what: string) => (await (await fetch(`${base}/control/v1/${what}`)).json()) as unknown;
  return {
    urlOf: (name: string) => `${base}/${name}`,
    /** When we heard of each order first, by reference, by this process's clock: no two agree. */
    arrivals: arrivals as ReadonlyMap<string, number>,
    hang: () => ask("hang"),
    /** Returns how many calls were under way at the one that hung, at most. */
    answer: async () => ((await ask("answer")) as { most: number }).most,
    stop: () => void child.kill(),
  };
}

export type Partners = Awaited<ReturnType<typeof startPartners>>;
