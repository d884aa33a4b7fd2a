import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { findHelm } from "../../test/chart/helm.js";
import { findMinisign } from "../../test/support/minisign.js";
import { quietProgress } from "../local/progress.js";
import { release } from "./release.js";
import type { Signer } from "./signature.js";

const root = join(__dirname, "../..");
const password = "a password of the test";
const files = [".gitignore", "package.json", "package-lock.json", "deploy/Dockerfile", "charts/manilla"];

let scratch: string;
let minisign: string;
let signer: Signer;
let repository: string;

beforeAll(async () => {
  scratch = mkdtempSync(join(tmpdir(), "manilla-release-test-"));
  minisign = await findMinisign();
  signer = makeKey("release");
}, 600_000);

afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** A repository with the files that a release reads, as they are here, in its first commit. */
beforeEach(() => {
  repository = mkdtempSync(join(scratch, "repository-"));
  for (const file of files) cpSync(join(root, file), join(repository, file), { recursive: true });
  git("init", "--quiet", "--initial-branch=main");
  git("config", "user.name", "A Person");
  git("config", "user.email", "person@example.com");
  commit("What there was", {});
});

function git(...args: string[]): string {
  return execFileSync("git", args, { cwd: repository, encoding: "utf8", stdio: "pipe" }).trim();
}

function commit(subject: string, changes: Record<string, string>): void {
  for (const [path, text] of Object.entries(changes)) {
    mkdirSync(dirname(join(repository, path)), { recursive: true });
    writeFileSync(join(repository, path), text);
  }
  git("add", "--all");
  git("commit", "--quiet", "--message", subject);
}

/**
 * With a password only where a test is about it: deriving a key from one takes seconds and 1 GB.
 */
function makeKey(name: string, withPassword = false): Signer {
  const [key, publicKey] = [join(scratch, `${name}.key`), join(scratch, `${name}.pub`)];
  const args = ["-G", "-s", key, "-p", publicKey, ...(withPassword ? [] : ["-W"])];
  // Without a password it may have ended before it was told one.
  execFileSync(minisign, args, { ...(withPassword && { input: `${password}\n${password}\n` }), stdio: "pipe" });
  return { key, publicKey, password, minisign };
}

function make(version: string, from?: Partial<Signer>) {
  const by = from === undefined ? undefined : { ...signer, ...from };
  return release({ root: repository, version, withImage: false, signer: by, progress: quietProgress });
}

const read = (...path: string[]) => readFileSync(join(repository, ...path), "utf8");

/** What the stock tools say of a built release: its signed comment. Throws where they refuse it. */
function verified(folder: string, publicKey = signer.publicKey): string {
  const sums = join(folder, "SHA256SUMS");
  const printed = execFileSync(minisign, ["-V", "-Q", "-m", sums, "-p", publicKey], {
    encoding: "utf8",
    stdio: "pipe",
  });
  execFileSync("sha256sum", ["--check", "--strict", "--quiet", "SHA256SUMS"], { cwd: folder, stdio: "pipe" });
  return printed.trim().replace(/^Trusted comment: /, "");
}

function changeByte(file: string): void {
  const bytes = readFileSync(file);
  bytes[bytes.length >> 1]! ^= 1;
  writeFileSync(file, bytes);
}

test("a release is a commit with the version everywhere, a tag, and files that the stock tools verify", async () => {
  await make("0.1.0");
  commit("Wallets pay bills", { "services/wallet/bills.ts": "" });
  commit("Pods spread over zones", { "charts/manilla/values.yaml": `${read("charts/manilla/values.yaml")}# more\n` });
  const { folder, commit: made } = await make("0.2.0", {});

  expect(git("cat-file", "-t", "v0.2.0")).toBe("tag");
  expect(git("rev-parse", "v0.2.0^{commit}", "HEAD").split("\n")).toEqual([made, made]);
  expect(git("status", "--porcelain")).toBe("");
  expect(read("CHANGELOG.md")).toMatch(
    /^# Changelog\n\n## 0\.2\.0 \(.{10}\)\n\n### chart\n\n- Pods spread over zones\n\n### wallet\n\n- Wallets pay bills\n\n## 0\.1\.0 \(.{10}\)\n\nThe first release\.\n$/,
  );
  expect(read("charts/manilla/Chart.yaml")).toMatch(/^version: 0\.2\.0\nappVersion: 0\.2\.0$/m);
  expect(verified(folder)).toBe(`manilla 0.2.0 ${made}`);
  const inside = execFileSync("tar", ["-tzf", join(folder, "manilla-0.2.0.tgz")], { encoding: "utf8" })
    .trim()
    .split("\n");
  expect(inside).toEqual(
    git("ls-files", "charts/manilla")
      .split("\n")
      .map((path) => path.slice("charts/".length))
      .toSorted(),
  );
});

test("the same commit gives the same bytes, signature included", async () => {
  const { folder } = await make("0.1.0", {});
  const bytes = () =>
    readdirSync(folder).map(
      (name) =>
        `${createHash("sha256")
          .update(readFileSync(join(folder, name)))
          .digest("hex")} ${name}`,
    );
  const first = bytes();
  rmSync(folder, { recursive: true });
  await make("0.1.0", {});
  expect(first).toHaveLength(4);
  expect(bytes()).toEqual(first);
});

test("helm renders the packed chart as it renders its folder", async () => {
  const { folder } = await make("0.1.0");
  const helm = await findHelm();
  const values = join(root, "charts/manilla/examples/own-certificates.yaml");
  const [packed, unpacked] = [join(folder, "manilla-0.1.0.tgz"), join(repository, "charts/manilla")].map((chart) =>
    execFileSync(helm, ["template", "manilla", chart, "--kube-version", "1.34.0", "-f", values], {
      encoding: "utf8",
      maxBuffer: 64 * 2 ** 20,
    }),
  );
  expect(packed).toContain("helm.sh/chart: manilla-0.1.0");
  expect(packed).toBe(unpacked);
}, 600_000);

test("one changed byte of any file is refused", async () => {
  const { folder } = await make("0.1.0", {});
  for (const name of readdirSync(folder)) {
    const whole = readFileSync(join(folder, name));
    changeByte(join(folder, name));
    expect(() => verified(folder)).toThrow();
    await expect(make("0.1.0", {})).rejects.toThrow(/remove it and build it again|does not verify/);
    writeFileSync(join(folder, name), whole);
  }
  expect(verified(folder)).toContain("manilla 0.1.0 ");
});

test("another's signature, and sums of another version, are refused", async () => {
  const { folder: older } = await make("0.1.0", {});
  commit("A change", { "gateway/a.ts": "" });
  const { folder } = await make("0.2.0", {});
  const other = makeKey("other");
  await expect(make("0.2.0", { publicKey: other.publicKey })).rejects.toThrow("does not verify with");
  for (const name of ["SHA256SUMS", "SHA256SUMS.minisig"]) cpSync(join(older, name), join(folder, name));
  expect(() => verified(folder)).toThrow();
  await expect(make("0.2.0", {})).rejects.toThrow("does not hold what its SHA256SUMS says");
  rmSync(folder, { recursive: true });
  cpSync(older, folder, { recursive: true });
  await expect(make("0.2.0", {})).rejects.toThrow("was built from");
});

test("a wrong password signs nothing and is not told; the right one signs what was built", async () => {
  const locked = makeKey("locked", true);
  const wrong = "not-the-password";
  const error = await make("0.1.0", { ...locked, password: wrong }).catch((caught: unknown) => caught);
  expect(String(error)).toContain("minisign has not signed");
  expect(String(error)).not.toContain(wrong);
  expect(readdirSync(join(repository, "release"))).toEqual(["0.1.0"]);
  expect(existsSync(join(repository, "release/0.1.0/SHA256SUMS.minisig"))).toBe(false);
  const { folder } = await make("0.1.0", locked);
  expect(verified(folder, locked.publicKey)).toContain("manilla 0.1.0 ");
}, 240_000);

test("a key of which the public half is another's leaves no signature", async () => {
  await expect(make("0.1.0", { publicKey: makeKey("another").publicKey })).rejects.toThrow("does not verify with");
  expect(readdirSync(join(repository, "release/0.1.0"))).toEqual(["SHA256SUMS", "manilla-0.1.0.tgz", "release.json"]);
});

test("what is missing for a signature is said before anything is written", async () => {
  await expect(make("0.1.0", { key: "/none.key" })).rejects.toThrow("the secret key /none.key cannot be read");
  await expect(make("0.1.0", { publicKey: "/none.pub" })).rejects.toThrow("the public key /none.pub cannot be read");
  await expect(make("0.1.0", { minisign: "/none/minisign" })).rejects.toThrow("minisign is not on PATH");
  expect(git("tag")).toBe("");
});

test("cut off after its files were written, it goes on; with any other change it refuses and keeps it", async () => {
  await make("0.1.0");
  commit("A change", { "gateway/a.ts": "" });
  const before = git("rev-parse", "HEAD");
  await make("0.2.0");
  const changelog = read("CHANGELOG.md");
  const chart = read("charts/manilla/Chart.yaml");
  git("tag", "--delete", "v0.2.0");
  git("reset", "--quiet", "--hard", before);
  rmSync(join(repository, "release/0.2.0"), { recursive: true });
  writeFileSync(join(repository, "CHANGELOG.md"), changelog);
  writeFileSync(join(repository, "charts/manilla/Chart.yaml"), `${chart}# by hand\n`);
  await expect(make("0.2.0")).rejects.toThrow("not committed: charts/manilla/Chart.yaml");
  expect(read("charts/manilla/Chart.yaml")).toContain("# by hand");
  writeFileSync(join(repository, "charts/manilla/Chart.yaml"), chart);
  await make("0.2.0");
  expect(read("CHANGELOG.md")).toBe(changelog);
  expect(git("rev-parse", "v0.2.0^")).toBe(before);
});

test("cut off between its commit and its tag, it tags that commit", async () => {
  const { commit: made } = await make("0.1.0");
  git("tag", "--delete", "v0.1.0");
  await make("0.1.0");
  expect(git("rev-parse", "v0.1.0^{commit}", "HEAD").split("\n")).toEqual([made, made]);
});

test("a tagged version is built from its tag, whatever the work tree holds by then", async () => {
  const { folder, commit: made } = await make("0.1.0");
  const sums = readFileSync(join(folder, "SHA256SUMS"), "utf8");
  rmSync(folder, { recursive: true });
  commit("Later", { "charts/manilla/values.yaml": "later: true\n" });
  writeFileSync(join(repository, "charts/manilla/values.yaml"), "not: committed\n");
  expect(await make("0.1.0")).toEqual({ folder, commit: made });
  expect(readFileSync(join(folder, "SHA256SUMS"), "utf8")).toBe(sums);
});

test("a version that is not newer, a work tree with changes and a HEAD without a branch are refused", async () => {
  await expect(make("0.0.9")).rejects.toThrow("version 0.0.9 is not newer than 0.1.0");
  await make("0.1.0");
  await expect(make("0.2.0")).rejects.toThrow("nothing has changed since v0.1.0");
  commit("A change", { "gateway/a.ts": "" });
  for (const version of ["0.0.9", "0.0.10"]) {
    await expect(make(version)).rejects.toThrow(
      `version ${version} is not newer than 0.1.0, the last release before HEAD`,
    );
  }
  writeFileSync(join(repository, "unknown.txt"), "");
  writeFileSync(join(repository, "gateway/a.ts"), "changed");
  await expect(make("0.2.0")).rejects.toThrow("not committed: gateway/a.ts, unknown.txt");
  git("stash", "--include-untracked");
  git("switch", "--quiet", "--detach");
  await expect(make("0.2.0")).rejects.toThrow("HEAD is on no branch");
  expect(git("tag")).toBe("v0.1.0");
});
