import { execFileSync, spawn } from "node:child_process";
import { openSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** Builds Watchman without libpostal and starts it with the OFAC list of a folder. */
export async function startWatchman(
  sources: string,
  dir: string,
  lists: string,
): Promise<{ address: string; stop(): void }> {
  const binary = join(dir, "watchman");
  execFileSync("go", ["build", "-o", binary, "./cmd/server"], { cwd: sources, stdio: "inherit" });
  const config = join(dir, "watchman.yml");
  const [port, adminPort] = [18_084, 18_094];
  writeFileSync(
    config,
    [
      "Watchman:",
      "  Servers:",
      `    BindAddress: "127.0.0.1:${port}"`,
      `    AdminAddress: "127.0.0.1:${adminPort}"`,
      "  Download:",
      `    InitialDataDirectory: "${lists}"`,
      "    IncludedLists:",
      '      - "us_ofac"',
      "",
    ].join("\n"),
  );
  const log = openSync(join(dir, "watchman.log"), "w");
  const server = spawn(binary, [], { env: { ...process.env, APP_CONFIG: config }, stdio: ["ignore", log, log] });
  const address = `http://127.0.0.1:${port}`;
  for (let tries = 0; ; tries++) {
    const isThere = await fetch(`${address}/v2/search?name=nobody&type=person`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isThere) return { address, stop: () => void server.kill() };
    if (tries > 240 || server.exitCode !== null) throw new Error("Watchman did not start");
    await sleep(500);
  }
}
