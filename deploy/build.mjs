// Generates the gRPC code and builds dist, with the console in it; does nothing when nothing has
// changed. `--force` builds whatever it finds.
import { existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { fail, fingerprintOf, keepStamp, readStamp, root, run, step, StepError, tool } from "./steps.mjs";

const generated = join(root, "proto", "gen");
const built = join(root, "dist");
const builtConsole = join(built, "console");
const sources = ["services", "gateway", "deploy", "sdk/gen", "sdk/src"];

/**
 * Generates proto/gen and builds dist where their sources have changed. Throws StepError
 * with the compiler's message. What was `typesChecked` already is only translated, in a
 * fifth of the time, and built again by who starts it; with `trustsFirst` a first build too,
 * since what was cloned was checked.
 */
export async function build({ force = false, typesChecked = false, trustsFirst = false } = {}) {
  // The console knows nothing of the gRPC code, and what is built for it lies apart.
  const services = generate(force).then(() => buildServices({ force, typesChecked, trustsFirst }));
  const ended = await Promise.allSettled([services, buildConsole(force)]);
  const failed = ended.find(({ status }) => status === "rejected");
  if (failed) throw failed.reason;
}

async function buildServices({ force, typesChecked, trustsFirst }) {
  const settings = ["tsconfig.json", "tsconfig.build.json", "package-lock.json", "proto/gen"];
  const now = fingerprintOf([...sources, ...settings], (path) => !path.endsWith(".test.ts"));
  const isFirst = !existsSync(join(built, "services"));
  if (!force && !isFirst && readStamp("build") === now) return;
  const isChecked = typesChecked || (trustsFirst && isFirst && !force);
  await step("built", async () => {
    removeOrphans(built);
    await mustRun("tsc", ["-p", "tsconfig.build.json", ...(isChecked ? ["--noCheck"] : [])]);
  });
  if (!typesChecked) keepStamp("build", now);
}

/** Generates the gRPC code where a .proto file has changed. */
export async function generate(force = false) {
  const wanted = (path) => !path.startsWith(generated) && /\.(proto|yaml|json)$/.test(path);
  const now = fingerprintOf(["proto", "buf.gen.yaml", "package-lock.json"], wanted);
  if (!force && existsSync(generated) && readStamp("gen") === now) return;
  await step("gRPC code generated", async () => {
    await mustRun("buf", ["generate"]);
    // For gRPC reflection.
    await mustRun("buf", ["build", "-o", "proto/gen/descriptor.binpb"]);
  });
  keepStamp("gen", now);
}

/**
 * Bundles the console into dist/console where it, or the client library that is in it, has changed.
 */
async function buildConsole(force) {
  const wanted = (path) =>
    !path.endsWith(".test.ts") && !path.startsWith(join(root, "sdk", "src", "generated", "schema"));
  const now = fingerprintOf(["console", "sdk/src", "package-lock.json"], wanted);
  if (!force && existsSync(join(builtConsole, "index.html")) && readStamp("console") === now) return;
  await step("console built", () =>
    mustRun("node", [tool("vite"), "build", "--config", "console/vite.config.ts", "--logLevel", "warn"]),
  );
  keepStamp("console", now);
}

async function mustRun(name, args) {
  const { status, output } = await run(tool(name), args);
  if (status !== 0) throw new StepError(`${name} failed:\n${output.trim()}`);
}

/** A deleted source must not live on as JavaScript. */
function removeOrphans(folder) {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (path === builtConsole) continue;
    if (statSync(path).isDirectory()) removeOrphans(path);
    else if (/\.js(\.map)?$/.test(name)) {
      const source = path.replace(built, root).replace(/\.js(\.map)?$/, ".ts");
      if (!existsSync(source)) rmSync(path);
    }
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  build({ force: process.argv.includes("--force") }).catch(fail);
}
