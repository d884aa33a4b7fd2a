// `npm run sbom`: what the image holds, in CycloneDX: the production packages and Node itself.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { root } from "../steps.mjs";

/** The bill of materials as JSON text; the same for the same package-lock.json and Node, so that images can be compared. */
export function sbom() {
  const args = ["sbom", "--sbom-format=cyclonedx", "--omit=dev", "--package-lock-only", "--sbom-type=application"];
  const text = execFileSync(...npm(args), { cwd: root, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 });
  const bill = JSON.parse(text);
  delete bill.serialNumber;
  delete bill.metadata.timestamp;
  bill.components.push({
    type: "platform",
    "bom-ref": `node@${process.versions.node}`,
    name: "node",
    version: process.versions.node,
    purl: `pkg:generic/node@${process.versions.node}`,
    licenses: [{ license: { id: "MIT" } }],
  });
  return `${JSON.stringify(bill, null, 2)}\n`;
}

/** npm as it was started, else the one beside this Node, else the one on PATH. */
function npm(args) {
  const beside = join(dirname(process.execPath), "../lib/node_modules/npm/bin/npm-cli.js");
  const cli = [process.env.npm_execpath, beside].find((path) => path?.endsWith(".js") && existsSync(path));
  return cli ? [process.execPath, [cli, ...args]] : ["npm", args];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.stdout.write(sbom());
