import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import type { Plugin } from "vite";

const root = join(import.meta.dirname, "..");
// Its base styles are copied into ours; style sheets are no modules of the bundle.
const copiedStyles = [join(root, "node_modules/tailwindcss")];

interface Manifest {
  name: string;
  version: string;
  license?: string;
  author?: string | { name?: string; email?: string };
}

/**
 * Writes what packages the build has copied code of: packages.json for the bill of materials, and
 * licences.txt with the texts that their authors ask to go with every copy. Fails where a package
 * has no licence, or none that is known without its text.
 */
export function bundledPackages(): Plugin {
  return {
    name: "bundled-packages",
    apply: "build",
    generateBundle(_options, bundle) {
      const modules = Object.values(bundle).flatMap((file) => (file.type === "chunk" ? file.moduleIds : []));
      const folders = [...new Set([...modules.flatMap(packageFolderOf), ...copiedStyles])].toSorted();
      const found = folders.map((folder) => ({ folder, manifest: manifestOf(folder) }));
      const list = found.map(({ folder, manifest: { name, version, license } }) => {
        if (license === undefined) throw new Error(`${name} is bundled and names no licence`);
        return { path: relative(root, folder).replaceAll("\\", "/"), name, version, license };
      });
      const texts = found.map(
        ({ folder, manifest }) =>
          `${manifest.name} ${manifest.version} (${manifest.license})\n\n${licenceOf(folder, manifest)}\n`,
      );
      const line = `\n${"~".repeat(80)}\n\n`;
      const head = "The console contains code of these packages, under the licences that follow.\n";
      const emit = (fileName: string, source: string) => this.emitFile({ type: "asset", fileName, source });
      emit("packages.json", `${JSON.stringify(list, null, 2)}\n`);
      emit("licences.txt", [head, ...texts].join(line));
    },
  };
}

/** The innermost package that a module is of; none for our own and for what the bundler makes. */
function packageFolderOf(module: string): string[] {
  const found = /^\0?(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(module)?.[1];
  return found !== undefined && existsSync(join(found, "package.json")) ? [found] : [];
}

function manifestOf(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest;
}

function licenceOf(folder: string, { name, license, author }: Manifest): string {
  const file = readdirSync(folder).find((one) => /^(licen[cs]e|copying)(\.|$)/i.test(one));
  if (file !== undefined) return readFileSync(join(folder, file), "utf8").trim();
  const holder = typeof author === "string" ? author : author?.name;
  if (license !== "MIT" || holder === undefined) throw new Error(`${name} is bundled and has no licence text`);
  return `Copyright (c) ${holder}\n\n${mit}`;
}

// Some packages name the licence and carry no text: https://opensource.org/license/mit
const mit = `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
documentation files (the "Software"), to deal in the Software without restriction, including without limitation the
rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit
persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR
OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`;
