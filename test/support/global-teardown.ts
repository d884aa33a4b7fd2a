import { rmSync } from "node:fs";
import type { TestServers } from "./global-setup.js";

export default async function globalTeardown(): Promise<void> {
  const servers = (globalThis as { testServers?: TestServers }).testServers;
  if (servers === undefined) return;
  await Promise.all([servers.mongo?.kill(), servers.redis?.kill()]);
  rmSync(servers.dir, { recursive: true, force: true });
}
