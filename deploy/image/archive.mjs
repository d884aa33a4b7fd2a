// `npm run image -- [--name NAME:TAG] [--out FILE]`: the image as an OCI archive, made without
// Docker: one layer with what rootfs.mjs gathers, and the settings of the Dockerfile.
// `docker load`, `podman load`, `kind load image-archive` and `ctr images import` read it. Needs
// Linux and GNU tar. The same sources give the same bytes.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  createReadStream,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { build } from "../build.mjs";
import { fail, root, step } from "../steps.mjs";
import { buildRootfs } from "./rootfs.mjs";

const media = "application/vnd.oci.image";
const architectures = { x64: "amd64", arm64: "arm64" };

/**
 * Builds, gathers and packs the image into `out`. Resolves with its config
 * digest and unpacked size in bytes.
 */
export async function makeArchive({ name, out, revision = "" }) {
  const scratch = mkdtempSync(join(tmpdir(), "manilla-image-"));
  try {
    await build();
    const rootfs = join(scratch, "rootfs");
    await step("image's files gathered", () => buildRootfs(rootfs));
    return await step(`${name} packed`, () => pack({ name, out, rootfs, scratch, revision }));
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

async function pack({ name, out, rootfs, scratch, revision }) {
  const layout = join(scratch, "layout");
  const blobs = join(layout, "blobs", "sha256");
  mkdirSync(blobs, { recursive: true });
  const keep = (bytes) => {
    const digest = createHash("sha256").update(bytes).digest("hex");
    writeFileSync(join(blobs, digest), bytes);
    return { digest: `sha256:${digest}`, size: bytes.length };
  };
  const keepJson = (value) => keep(Buffer.from(JSON.stringify(value)));

  const layerFile = join(blobs, "layer");
  tar(rootfs, layerFile);
  const layer = { digest: `sha256:${await digestOf(layerFile)}`, size: statSync(layerFile).size };
  renameSync(layerFile, join(blobs, layer.digest.slice("sha256:".length)));
  const platform = { architecture: architectures[process.arch] ?? process.arch, os: "linux" };
  const config = keepJson({
    ...platform,
    config: imageConfig(revision),
    rootfs: { type: "layers", diff_ids: [layer.digest] },
    history: [{ created_by: "deploy/image/archive.mjs" }],
  });
  const manifest = keepJson({
    schemaVersion: 2,
    mediaType: `${media}.manifest.v1+json`,
    config: { mediaType: `${media}.config.v1+json`, ...config },
    layers: [{ mediaType: `${media}.layer.v1.tar`, ...layer }],
  });
  const annotations = {
    "io.containerd.image.name": name,
    "org.opencontainers.image.ref.name": name.slice(name.lastIndexOf(":") + 1),
  };
  const entry = { mediaType: `${media}.manifest.v1+json`, ...manifest, platform, annotations };
  const index = { schemaVersion: 2, mediaType: `${media}.index.v1+json`, manifests: [entry] };
  writeFileSync(join(layout, "index.json"), JSON.stringify(index));
  writeFileSync(join(layout, "oci-layout"), JSON.stringify({ imageLayoutVersion: "1.0.0" }));
  mkdirSync(dirname(resolve(out)), { recursive: true });
  tar(layout, resolve(out));
  return { digest: manifest.digest, unpackedBytes: layer.size };
}

/** The image's configuration, read from the Dockerfile so that it is written once. */
function imageConfig(revision) {
  const text = readFileSync(join(root, "deploy", "Dockerfile"), "utf8");
  const final = text.slice(text.lastIndexOf("\nFROM "));
  const json = (instruction) => JSON.parse(new RegExp(`^${instruction} (\\[.*\\])$`, "m").exec(final)[1]);
  const valueOf = (instruction) => new RegExp(`^${instruction} (\\S+)$`, "m").exec(final)[1];
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const values = { VERSION: version, REVISION: revision };
  const fill = (value) => value.replaceAll(/\$\{?(VERSION|REVISION)\}?/g, (_, name) => values[name]);
  const labels = [...final.matchAll(/^(?:LABEL| {2,})\s*(org\.opencontainers\.\S+?)="([^"]*)"/gm)];
  const variables = [...final.matchAll(/^ENV (\w+)=(\S+)$/gm)].map(([, name, value]) => `${name}=${value}`);
  return {
    User: valueOf("USER"),
    WorkingDir: valueOf("WORKDIR"),
    Entrypoint: json("ENTRYPOINT"),
    Cmd: json("CMD"),
    Env: ["PATH=/usr/local/bin", ...variables],
    Labels: Object.fromEntries(labels.map(([, name, value]) => [name, fill(value)])),
  };
}

function tar(folder, out) {
  const same = ["--sort=name", "--mtime=@0", "--owner=0", "--group=0", "--numeric-owner", "--format=posix"];
  const noTimes = "--pax-option=exthdr.name=%d/PaxHeaders/%f,delete=atime,delete=ctime";
  execFileSync("tar", [...same, noTimes, "-C", folder, "-cf", out, "."]);
}

async function digestOf(file) {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(file)) hash.update(chunk);
  return hash.digest("hex");
}

function revisionOf() {
  try {
    return execFileSync("git", ["rev-parse", "HEAD"], { cwd: root, encoding: "utf8", stdio: "pipe" }).trim();
  } catch {
    return "";
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const options = { name: { type: "string", default: `manilla:${version}` }, out: { type: "string" } };
  const { values } = parseArgs({ options });
  const out = values.out ?? join(root, ".cache", "manilla-image.tar");
  makeArchive({ name: values.name, out, revision: revisionOf() }).then(
    ({ digest, unpackedBytes }) =>
      console.log(`${String(out)}: ${digest}, ${(unpackedBytes / 2 ** 20).toFixed(0)} MiB unpacked`),
    fail,
  );
}
