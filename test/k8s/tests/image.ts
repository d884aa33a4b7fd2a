import { existsSync, mkdtempSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { mustRun, wordsOf } from "../command.js";
import { imageRef } from "../release.js";
import { check, Skip } from "../runner.js";
import type { Suite, TestOf } from "../suite.js";

const mib = 2 ** 20;

export function imageTests(suite: Suite): TestOf[] {
  const archive = archiveOf(suite);
  return [
    {
      name: "is built, holds less than 250 MB besides Node, and no shell",
      isNeeded: true,
      async run() {
        if (process.env["TAG"]) return "the one of TAG";
        await mustRun([process.execPath, "deploy/image/archive.mjs", "--name", imageRef(suite.tag), "--out", archive]);
        const sizes = await filesOf(suite, archive);
        const total = sizes.reduce((sum, { size }) => sum + size, 0);
        const node = sizes.find(({ path }) => path === "./usr/local/bin/node")?.size ?? 0;
        check(node > 0, "there is no Node in the image");
        check(total - node < 250 * 10 ** 6, `${total - node} bytes besides Node`);
        const shells = sizes.filter(({ path }) => /\/(sh|bash|dash|busybox|npm|apt)$/.test(path));
        check(shells.length === 0, `the image holds ${shells.map(({ path }) => path).join(", ")}`);
        await suite.loadImage(archive);
        return `${Math.round((total - node) / mib)} MiB and Node of ${Math.round(node / mib)} MiB`;
      },
    },
    {
      name: "carries a CycloneDX bill of what package-lock.json says, and nothing of development",
      async run() {
        const bill = JSON.parse(await mustRun([process.execPath, "deploy/image/sbom.mjs"])) as {
          bomFormat: string;
          components: { name: string; version: string }[];
        };
        check(bill.bomFormat === "CycloneDX", "it is no CycloneDX");
        const names = new Set(bill.components.map(({ name }) => name));
        const { dependencies, devDependencies } = JSON.parse(readFileSync("package.json", "utf8")) as {
          dependencies: Record<string, string>;
          devDependencies: Record<string, string>;
        };
        for (const name of Object.keys(dependencies)) check(names.has(name), `${name} is not in the bill`);
        const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8")) as {
          packages: Record<string, { dev?: boolean }>;
        };
        const bundled = JSON.parse(readFileSync("dist/console/packages.json", "utf8")) as { name: string }[];
        for (const { name } of bundled) check(names.has(name), `${name} is in the console, but not in the bill`);
        const isBundled = (name: string) => bundled.some((one) => one.name === name);
        // Packages of production may need one of them too; Node itself is one for development and
        // the platform of the image.
        const isForDevelopment = (name: string) => name !== "node" && packages[`node_modules/${name}`]?.dev === true;
        for (const name of Object.keys(devDependencies).filter(isForDevelopment)) {
          if (isBundled(name)) continue;
          check(!names.has(name), `${name} is for development, but in the bill`);
        }
        return `${names.size} components`;
      },
    },
  ];
}

/** On its own: where it fails, the image that archive.mjs has made can still be tested. */
export function dockerfileTests(suite: Suite): TestOf[] {
  return [
    {
      name: "deploy/Dockerfile builds, and makes the same image",
      async run() {
        const build = wordsOf("BUILD_IMAGE", "");
        if (build.length === 0) throw new Skip("BUILD_IMAGE names no command");
        const archive = archiveOf(suite);
        if (!existsSync(archive)) throw new Skip("there is no image to compare it with: see the group image");
        const built = join(suite.scratch, "dockerfile.tar");
        await mustRun([...build, imageRef(`${suite.tag}-dockerfile`), built], { timeoutMs: 1_200_000 });
        const [ours, its] = [await unpacked(suite, archive), await unpacked(suite, built)];
        for (const what of ["User", "WorkingDir", "Entrypoint", "Cmd"] as const) {
          const [one, other] = [ours, its].map(({ config }) => JSON.stringify(config[what]));
          check(one === other, `${what} is ${other} by the Dockerfile and ${one} by archive.mjs`);
        }
        for (const label of Object.keys(ours.config.Labels ?? {}))
          check(its.config.Labels?.[label] !== undefined, `the label ${label} is not there`);
        const isOurs = ({ path, size }: { path: string; size: number }) => size > 0 && path.startsWith("./app/");
        // Of files alone: folders and times are the builder's.
        const listed = async (tar: string) => (await filesOf(suite, tar)).filter(isOurs).map(withoutFolder);
        const [here, there] = [new Set(await listed(archive)), new Set(await listed(built))];
        const different = [...here.symmetricDifference(there)];
        check(different.length === 0, `not in both: ${different.slice(0, 20).join(", ")}`);
        return `${here.size} files of /app`;
      },
    },
  ];
}

/**
 * A file as it is wherever the image was built: what is compiled ahead
 * holds the name of its folder.
 */
function withoutFolder({ path, size }: { path: string; size: number }): string {
  return path.startsWith("./app/compiled/") ? path : `${path} ${size}`;
}

function archiveOf(suite: Suite): string {
  return join(suite.scratch, "manilla.tar");
}

/** What the layers of an archive hold; folders have no size. */
async function filesOf(suite: Suite, tar: string): Promise<{ path: string; size: number }[]> {
  const layers = (await unpacked(suite, tar)).layers;
  const lists = await Promise.all(layers.map((layer) => mustRun(["tar", "-tvf", layer])));
  const lines = lists.flatMap((list) => list.trim().split("\n"));
  return lines.map((line) => ({
    size: Number(line.split(/\s+/)[2]),
    path: `./${(line.split(/\s+/)[5] ?? "").replace(/^\.?\//, "")}`,
  }));
}

async function unpacked(suite: Suite, tar: string): Promise<{ layers: string[]; config: ImageConfig }> {
  const folder = mkdtempSync(join(suite.scratch, "image-"));
  await mustRun(["tar", "-xf", tar, "-C", folder]);
  const blob = (digest: string) => join(folder, "blobs", "sha256", digest.slice("sha256:".length));
  const read = <T>(file: string) => JSON.parse(readFileSync(file, "utf8")) as T;
  const index = read<{ manifests: { digest: string }[] }>(join(folder, "index.json"));
  const manifest = read<{ config: { digest: string }; layers: { digest: string }[] }>(
    blob(index.manifests[0]?.digest ?? ""),
  );
  const { config } = read<{ config: ImageConfig }>(blob(manifest.config.digest));
  return { layers: manifest.layers.map(({ digest }) => blob(digest)), config };
}

interface ImageConfig {
  User?: string;
  WorkingDir?: string;
  Entrypoint?: string[];
  Cmd?: string[];
  Labels?: Record<string, string>;
}
