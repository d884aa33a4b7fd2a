import { execFileSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

interface RunningCluster {
  baseUrl: string;
  stop(): Promise<void>;
}

export interface EndToEndCluster {
  dataDir: string;
  cluster: RunningCluster;
}

/**
 * One built cluster with the demo tenants for all end-to-end tests; E2E_BASE_URL and E2E_DATA_DIR
 * point at one that runs already.
 */
export default async function globalSetup(): Promise<void> {
  if (process.env["E2E_DATA_DIR"] !== undefined) return;
  const dataDir = mkdtempSync(join(tmpdir(), "manilla-e2e-"));
  const started = await startBuiltCluster({
    dataDir,
    port: 0,
    quiet: true,
    // So that a test can speak from an address of its own.
    processEnv: { gateway: { TRUSTED_PROXY_HOPS: "1" } },
  });
  (globalThis as { endToEnd?: EndToEndCluster }).endToEnd = { dataDir, cluster: started };
  seedDemo(dataDir);
  process.env["E2E_DATA_DIR"] = dataDir;
}

/** Starts the cluster from what the build made, as `npm start` does. */
export async function startBuiltCluster(options: object): Promise<RunningCluster> {
  const built = resolve("dist/deploy/local/cluster.js");
  const { startCluster } = (await import(built)) as { startCluster(options: object): Promise<RunningCluster> };
  return startCluster(options);
}

/** Loads the demo tenants into the cluster of `dataDir`, which writes its demo.json. */
export function seedDemo(dataDir: string): void {
  const env = { ...process.env, DATA_DIR: dataDir, NODE_OPTIONS: "" };
  const options = { env, stdio: "inherit", timeout: 180_000, killSignal: "SIGKILL" } as const;
  execFileSync(process.execPath, [resolve("dist/deploy/seed/main.js"), "--demo"], options);
}
