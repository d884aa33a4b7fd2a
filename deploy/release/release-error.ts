/** A reason why there is no release, said in one sentence and printed without a stack. */
export class ReleaseError extends Error {
  override readonly name = "ReleaseError";
}
