import { readFileSync } from "node:fs";
import { join } from "node:path";
import { mustRun } from "../command.js";
import { imageRef } from "../release.js";
import { check } from "../runner.js";
import type { Suite, TestOf } from "../suite.js";

const mib = 2 ** 20;

export function imageTests(suite: Suite): TestOf[] {
  const archive = join(suite.scratch, "manilla.tar");
  return [
    {
      name: "is built, holds less than 250 MB besides Node, and no shell",
      async run() {
        if (process.env["TAG"]) return "the one of TAG";
        await mustRun([process.execPath, "deploy/image/archive.mjs", "--name", imageRef(suite.tag), "--out", archive]);
        const layer = await layerOf(archive);
        const files = (await mustRun(["tar", "-tvf", layer])).trim().split("\n");
        const sizes = files.map((line) => ({ size: Number(line.split(/\s+/)[2]), path: line.split(/\s+/)[5] ?? "" }));
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
        // Packages of production may need one of them too; Node itself is one for development and the platform of the image.
        const isForDevelopment = (name: string) => name !== "node" && packages[`node_modules/${name}`]?.dev === true;
        for (const name of Object.keys(devDependencies).filter(isForDevelopment)) {
          check(!names.has(name), `${name} is for development, but in the bill`);
        }
        return `${names.size} components`;
      },
    },
  ];

  async function layerOf(tar: string): Promise<string> {
    await mustRun(["tar", "-xf", tar, "-C", suite.scratch]);
    const blob = (digest: string) => join(suite.scratch, "blobs", "sha256", digest.slice("sha256:".length));
    const read = <T>(file: string) => JSON.parse(readFileSync(file, "utf8")) as T;
    const index = read<{ manifests: { digest: string }[] }>(join(suite.scratch, "index.json"));
    const manifest = read<{ layers: { digest: string }[] }>(blob(index.manifests[0]?.digest ?? ""));
    return blob(manifest.layers[0]?.digest ?? "");
  }
}
