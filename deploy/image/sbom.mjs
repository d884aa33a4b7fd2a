// `npm run sbom`: what the image holds, in CycloneDX: the production packages, what the console
// was bundled of, and Node itself.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { root } from "../steps.mjs";
import { bundledPackages, productionPackages, resolvedFrom } from "./packages.mjs";

/**
 * The bill of materials as JSON text; the same for the same packages and Node, so that images can
 * be compared. It is made of the list that the image's files are copied by: `npm sbom --omit=dev`
 * leaves packages out that tools for development share.
 */
export function sbom() {
  const about = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const production = productionPackages();
  const bundled = bundledPackages();
  const byPath = new Map([...bundled, ...production].map((one) => [one.path, one]));
  const packages = [...byPath.values()].toSorted((one, other) => (one.path < other.path ? -1 : 1));
  const inConsole = Object.entries(about.devDependencies).filter(([name]) =>
    bundled.some(({ path }) => path === `node_modules/${name}`),
  );
  const top = { ...about, dependencies: { ...about.dependencies, ...Object.fromEntries(inConsole) }, path: "" };
  const node = {
    type: "platform",
    "bom-ref": `node@${process.versions.node}`,
    name: "node",
    version: process.versions.node,
    purl: `pkg:generic/node@${process.versions.node}`,
    licenses: [{ license: { id: "MIT" } }],
  };
  const bill = {
    $schema: "http://cyclonedx.org/schema/bom-1.5.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.5",
    version: 1,
    metadata: { lifecycles: [{ phase: "build" }], component: { ...component(top), type: "application" } },
    components: [...unique(packages.map(component)), node],
    dependencies: [...unique([top, ...packages].map((one) => dependency(one, byPath))), { ref: node["bom-ref"] }],
  };
  return `${JSON.stringify(bill, null, 2)}\n`;
}

function component({ name, version, license, integrity, optional }) {
  return {
    type: "library",
    "bom-ref": refOf({ name, version }),
    name,
    version,
    scope: optional ? "optional" : "required",
    purl: `pkg:npm/${name.replace("@", "%40")}@${version}`,
    ...(license === undefined ? {} : { licenses: [licenseOf(license)] }),
    ...(integrity === undefined ? {} : { hashes: [hashOf(integrity)] }),
  };
}

function dependency({ path, name, version, dependencies = {}, optionalDependencies = {} }, byPath) {
  const wanted = Object.keys({ ...dependencies, ...optionalDependencies });
  const found = wanted.map((one) => resolvedFrom(path, one, byPath)).filter((one) => one !== undefined);
  return { ref: refOf({ name, version }), dependsOn: [...new Set(found.map(refOf))].toSorted() };
}

/** A package that is installed at two places is one component. */
function unique(items) {
  return [...new Map(items.map((item) => [item["bom-ref"] ?? item.ref, item])).values()];
}

function refOf({ name, version }) {
  return `${name}@${version}`;
}

function licenseOf(license) {
  if (/ (AND|OR|WITH) /.test(license)) return { expression: license };
  return { license: / /.test(license) ? { name: license } : { id: license } };
}

function hashOf(integrity) {
  const [algorithm, hash] = integrity.split(" ")[0].split(/-(.*)/s);
  return { alg: algorithm.replace("sha", "SHA-"), content: Buffer.from(hash, "base64").toString("hex") };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.stdout.write(sbom());
