// The packages of the image, from package-lock.json.
import { existsSync, lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../steps.mjs";

// Node itself, of one platform each, which the image has as a program of its own.
const nodeItself = /^node_modules\/node-(bin-)?(darwin|linux)-/;

/**
 * Packages that package-lock.json does not mark as for development only, as far as they
 * are installed: path and entry.
 */
export function productionPackages() {
  const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
  const wanted = Object.entries(packages)
    .filter(([path, { dev }]) => path !== "" && !dev && !nodeItself.test(path))
    .map(([path, entry]) => ({ ...entry, path, name: entry.name ?? nameOf(path) }));
  const missing = wanted.filter(({ path, optional }) => !optional && !isInstalled(path));
  if (missing.length > 0) throw new Error(`not installed: ${missing.map(({ path }) => path).join(", ")}: run npm ci`);
  return wanted.filter(({ path }) => isInstalled(path));
}

/**
 * Packages whose code the built console contains, as its build has listed them: for development to
 * npm, shipped by us. Throws where it is not built.
 */
export function bundledPackages() {
  const list = join(root, "dist/console/packages.json");
  if (!existsSync(list)) throw new Error("the console is not built: run npm run build");
  const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
  return JSON.parse(readFileSync(list, "utf8")).map(({ path, name, version }) => {
    const entry = packages[path];
    if (entry?.version !== version) throw new Error(`${name} ${version} is bundled, but not in package-lock.json`);
    return { ...entry, path, name };
  });
}

/**
 * The package of `packages` that `name` means for the one at `path`: the
 * nearest above it, as Node looks.
 */
export function resolvedFrom(path, name, packages) {
  for (let folder = path; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf("node_modules/") - 1))) {
    const found = packages.get(`${folder === "" ? "" : `${folder}/`}node_modules/${name}`);
    if (found !== undefined || folder === "") return found;
  }
}

function nameOf(path) {
  return path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
}

function isInstalled(path) {
  return lstatSync(join(root, path), { throwIfNoEntry: false }) !== undefined;
}
