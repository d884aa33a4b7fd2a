import { access, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { askable, isThere, outputOf } from "./command.js";
import { ReleaseError } from "./release-error.js";
import { signatureName, sumsName } from "./sums.js";

export interface Signer {
  /** Secret key of minisign; its password protects it at rest. */
  key: string;
  /** What those who install verify with. */
  publicKey: string;
  /** Read in place of a person; asked on the terminal where there is none. */
  password: string | undefined;
  minisign: string;
}

/** Throws a ReleaseError where signing could not begin: said before minutes go into a build. */
export async function checkSigner({ key, publicKey, minisign }: Signer): Promise<void> {
  for (const [what, path] of [
    ["secret key", key],
    ["public key", publicKey],
  ] as const) {
    await access(path).catch(() => {
      throw new ReleaseError(`the ${what} ${path} cannot be read`);
    });
  }
  if (!(await isThere(minisign, "-v"))) {
    throw new ReleaseError(
      "minisign is not on PATH: install it, or sign where the key is, as docs/operations/release.md says",
    );
  }
}

/** What the signature says it was made for: sums of another version do not pass for this one's. */
export function trustedComment(version: string, commit: string): string {
  return `manilla ${version} ${commit}`;
}

/** Signs the sums of a built release, where they are not signed yet, and verifies the signature. */
export async function signRelease(folder: string, comment: string, signer: Signer): Promise<"made" | "was there"> {
  const { key, publicKey, password, minisign } = signer;
  const sums = join(folder, sumsName);
  const signature = join(folder, signatureName);
  const isSigned = await access(signature).then(
    () => true,
    () => false,
  );
  if (isSigned) {
    await verify(signature);
    return "was there";
  }
  // Appears only when it has been verified.
  const unverified = `${signature}.unverified`;
  const args = ["-S", "-s", key, "-m", sums, "-x", unverified, "-t", comment];
  try {
    const { status, errors } = await askable(minisign, args, password === undefined ? undefined : `${password}\n`);
    if (status !== 0) {
      const reason = errors.trim().split("\n").at(-1);
      throw new ReleaseError(`minisign has not signed${reason ? `: ${reason}` : ""}`);
    }
    await verify(unverified);
    await rename(unverified, signature);
  } finally {
    await rm(unverified, { force: true });
  }
  return "made";

  async function verify(file: string): Promise<void> {
    await outputOf(minisign, ["-V", "-q", "-m", sums, "-x", file, "-p", publicKey]).catch(() => {
      throw new ReleaseError(
        `${file} does not verify with ${publicKey}: it is of another key, or the sums have changed`,
      );
    });
    // The third line, which the signature covers too.
    const stated = (await readFile(file, "utf8")).split("\n")[2];
    if (stated !== `trusted comment: ${comment}`) throw new ReleaseError(`${file} was not made for "${comment}"`);
  }
}
