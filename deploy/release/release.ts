import { createProgress, type Progress } from "../local/progress.js";
import { buildRelease, type Built } from "./build.js";
import { createGit } from "./git.js";
import { checkSigner, signRelease, trustedComment, type Signer } from "./signature.js";
import { tagVersion } from "./tag.js";
import { tagOf } from "./version.js";

export interface ReleaseOptions {
  root: string;
  version: string;
  withImage: boolean;
  /** Undefined builds without a signature; a later call adds it. */
  signer: Signer | undefined;
  progress?: Progress;
}

/**
 * Tags, builds and signs a version. Each step keeps what an earlier call has
 * finished, so a call that was cut off or that failed is made again. Throws a
 * ReleaseError with the reason in one sentence.
 */
export async function release({ root, version, withImage, signer, progress = createProgress() }: ReleaseOptions) {
  const git = createGit(root);
  if (signer !== undefined) await checkSigner(signer);
  await progress.step(`tag ${tagOf(version)}`, () => tagVersion(git, version), String);
  const built: Built = await buildRelease({ git, version, withImage, progress });
  if (signer !== undefined) {
    const comment = trustedComment(version, built.commit);
    await progress.step("signature", () => signRelease(built.folder, comment, signer), String);
  }
  return built;
}
