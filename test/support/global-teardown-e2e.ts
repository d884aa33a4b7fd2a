import { rmSync } from "node:fs";
import type { EndToEndCluster } from "./global-setup-e2e.js";

export default async function globalTeardown(): Promise<void> {
  const running = (globalThis as { endToEnd?: EndToEndCluster }).endToEnd;
  if (running === undefined) return;
  await running.cluster.stop();
  rmSync(running.dataDir, { recursive: true, force: true });
}
