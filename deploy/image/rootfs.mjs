// `node deploy/image/rootfs.mjs FOLDER`: everything that the image holds, as a folder. The
// Dockerfile copies it into an empty image; archive.mjs packs it where there is no Docker. So both
// have the same contents. Expects `npm ci` and `npm run build`.
import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, lstatSync, mkdirSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { root } from "../steps.mjs";
import { productionPackages } from "./packages.mjs";
import { sbom } from "./sbom.mjs";

// What packages carry for those who develop with them.
const licence = /^(licen[cs]e|copying|notice)(\.|$)/i;
const unneeded = /\.(d\.[cm]?ts|[cm]?ts|map|md|markdown|flow|tsbuildinfo|woff2)$/;
const unneededFolders = new Set([
  "test",
  "tests",
  "__tests__",
  ".github",
  "example",
  "examples",
  "benchmark",
  "benchmarks",
]);

/**
 * Fills `folder` with the image's files: Node with its libraries, the built code,
 * production packages, SBOM, licence.
 */
export async function buildRootfs(folder) {
  rmSync(folder, { recursive: true, force: true });
  const app = join(folder, "app");
  mkdirSync(app, { recursive: true });
  copyTree("dist", join(app, "dist"), (path) => !path.endsWith(".tsbuildinfo"));
  copyTree(
    "proto",
    join(app, "proto"),
    (path) => !path.startsWith(join(root, "proto", "gen")) && isFolderOr(path, ".proto"),
  );
  copyTree("deploy/seed", join(app, "deploy/seed"), (path) => isFolderOr(path, ".yaml", ".json"));
  copyTree(
    "services/remittance/clients/bank-files/xsd",
    join(app, "services/remittance/clients/bank-files/xsd"),
    (path) => isFolderOr(path, ".xsd", ".md"),
  );
  copyTree("deploy/partner/lists", join(app, "deploy/partner/lists"), (path) => isFolderOr(path, ".csv", ".xml"));
  copyTree("deploy/local", join(app, "deploy/local"), (path) => isFolderOr(path, ".json"));
  for (const file of ["package.json", "LICENSE", "NOTICE"]) cpSync(join(root, file), join(app, file));
  const packages = productionPackages();
  for (const { path } of packages) copyPackage(path, app);
  writeFileSync(join(app, "sbom.cdx.json"), sbom());
  await compileAhead(app);
  loadLocalCluster(app);
  copyNode(folder);
  mkdirSync(join(folder, "etc"), { recursive: true });
  writeFileSync(
    join(folder, "etc/passwd"),
    "root:x:0:0:root:/:/bin/false\nmanilla:x:65532:65532:manilla:/app:/bin/false\n",
  );
  writeFileSync(join(folder, "etc/group"), "root:x:0:\nmanilla:x:65532:\n");
  mkdirSync(join(folder, "tmp"));
  makeReadable(folder);
  chmodSync(join(folder, "tmp"), 0o1777);
  return { packages: packages.length };
}

function copyTree(from, to, filter) {
  cpSync(join(root, from), to, { recursive: true, filter });
}

function isFolderOr(path, ...endings) {
  return lstatSync(path).isDirectory() || endings.some((ending) => path.endsWith(ending));
}

/** One package without those nested in it, which are packages of their own. */
function copyPackage(path, app) {
  const from = join(root, path);
  cpSync(from, join(app, path), {
    recursive: true,
    dereference: true,
    filter: (source) => {
      const inner = relative(from, source);
      if (inner === "") return true;
      if (inner === "node_modules") return false;
      const name = basename(source);
      return lstatSync(source).isDirectory() ? !unneededFolders.has(name) : licence.test(name) || !unneeded.test(name);
    },
  });
}

/** This Node and every library that it and the native packages have loaded. */
function copyNode(folder) {
  const script =
    "require('@node-rs/argon2'); console.log(JSON.stringify(process.report.getReport().sharedObjects.filter((path) => path.startsWith('/'))))";
  const loaded = JSON.parse(execFileSync(process.execPath, ["-e", script], { cwd: root, encoding: "utf8" }));
  const target = join(folder, "usr/local/bin/node");
  mkdirSync(dirname(target), { recursive: true });
  cpSync(realpathSync(process.execPath), target);
  for (const library of loaded.filter((path) => /\.so(\.|$)/.test(path) && !path.startsWith(root))) {
    cpSync(realpathSync(library), join(folder, library), { recursive: true });
  }
}

/**
 * Fills the compile cache that the image names: loading a service then needs a fifth less of a
 * processor. Entries hold for Node's version and the options that change what it compiles to, so
 * each process is loaded with its own.
 */
async function compileAhead(app) {
  const { serviceTable, gatewayRow, nodeOptions } = await import(join(root, "dist/deploy/local/service-table.js"));
  const cache = join(app, "compiled");
  const env = { NODE_COMPILE_CACHE: cache, NODE_COMPILE_CACHE_PORTABLE: "1" };
  for (const row of [...serviceTable, gatewayRow(serviceTable)]) {
    const folder = `./dist/${dirname(row.main)}`;
    const load = `await import("${folder}/server.js"); await import("${folder}/config.js").catch(() => undefined);`;
    // The seed gives the same bytes each time: texts are hashed with it.
    const options = ["--random-seed=1", ...nodeOptions(row), "--input-type=module", "--eval", load];
    execFileSync(process.execPath, options, { cwd: app, env });
  }
  if (readdirSync(cache).length === 0) throw new Error("nothing was compiled ahead");
}

/**
 * What compose.yaml starts: a file of it that the image lacks is said
 * now, and not to whoever tries it.
 */
function loadLocalCluster(app) {
  const load = 'await import("./dist/deploy/local/main.js");';
  execFileSync(process.execPath, ["--input-type=module", "--eval", load], { cwd: app });
}

/** Every user may read, none may write: the container may run as any. */
function makeReadable(path) {
  const stat = lstatSync(path);
  if (stat.isSymbolicLink()) return;
  const isProgram = stat.isDirectory() || (stat.mode & 0o100) !== 0;
  chmodSync(path, isProgram ? 0o755 : 0o644);
  if (stat.isDirectory()) for (const name of readdirSync(path)) makeReadable(join(path, name));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = process.argv[2];
  if (!folder) throw new Error("usage: node deploy/image/rootfs.mjs FOLDER");
  const { packages } = await buildRootfs(folder);
  console.log(`${folder}: ${packages} packages`);
}
