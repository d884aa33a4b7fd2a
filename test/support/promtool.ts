import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { onPath } from "./outside-tools.js";

// A release with long-term support; its module's number is 0.3 and the release's two.
const version = "0.305.0";
const program = "github.com/prometheus/prometheus/cmd/promtool";

/**
 * Prometheus' own checker of rules: on PATH, else built from its Go module into .cache/servers when
 * it is first asked for (some minutes, once); undefined without Go or its module proxy.
 */
export function findPromtool(): string | undefined {
  const installed = onPath("promtool");
  if (installed !== undefined) return installed;
  const cache = process.env["MANILLA_CACHE_DIR"] ?? resolve(".cache", "servers");
  const folder = join(cache, `promtool-${version}`);
  const binary = join(folder, "promtool");
  if (existsSync(binary)) return binary;
  mkdirSync(folder, { recursive: true });
  // Prometheus' own module cannot be installed by name, since it replaces some that it needs.
  writeFileSync(
    join(folder, "go.mod"),
    `module promtool\n\ngo 1.24\n\nrequire github.com/prometheus/prometheus v${version}\n`,
  );
  writeFileSync(join(folder, "tools.go"), `package tools\n`);
  // Without the clients of every cloud that Prometheus can look for targets in, and not
  // optimised, which is a fifth of the time.
  const quick = ["-tags", "remove_all_sd", "-gcflags=all=-N -l", "-ldflags=-s -w"];
  const options = ["-mod=mod", "-trimpath", ...quick];
  const { status } = spawnSync("go", ["build", ...options, "-o", binary, program], { cwd: folder, stdio: "ignore" });
  if (status === 0) return binary;
  rmSync(folder, { recursive: true, force: true });
  return undefined;
}
